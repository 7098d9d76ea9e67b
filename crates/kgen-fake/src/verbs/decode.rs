//! Reads the body of a request as an object of a kind: type, unknown and duplicate fields, pruning and defaults.

use kgen_schema::unknown_field_message;
use serde_json::Value;

use super::Request;
use crate::go_word::{go_json_error, go_word};
use crate::status::Failure;

/// How unknown and duplicate fields are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Validation {
    Ignore,
    Warn,
    Strict,
}

impl Validation {
    pub(super) fn of(request: &Request<'_>) -> Self {
        match request.call.query.text("fieldValidation") {
            "Ignore" => Self::Ignore,
            "Strict" => Self::Strict,
            _ => Self::Warn,
        }
    }
}

/// The media types of objects.
const MEDIA_TYPES: [&str; 3] = [
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
];

/// Checks the media type of an object in the body.
pub(super) fn check_media_type(request: &Request<'_>) -> Result<(), Failure> {
    match request.call.content_type.as_str() {
        "" | "application/json" | "application/yaml" => Ok(()),
        "application/vnd.kubernetes.protobuf" | "application/cbor" => {
            Err(Failure::not_implemented("protobuf or CBOR in requests"))
        }
        _ => Err(Failure::unsupported_media_type(&MEDIA_TYPES)),
    }
}

/// Reads the object in the body. Warnings are added to `warnings`.
pub(super) fn object(request: &Request<'_>, warnings: &mut Vec<String>) -> Result<Value, Failure> {
    let body = &request.call.body;
    let kind = &request.kind;
    let unrecognized = |message: &str| {
        let shown = summary(body);
        Failure::bad_request(format!(
            "the object provided is unrecognized (must be of type {}): {message} ({shown})",
            kind.kind
        ))
    };
    let (object, mut mistakes) = if request.call.content_type == "application/yaml" {
        let text = String::from_utf8_lossy(body);
        let read = crate::yaml::read(&text).map_err(|error| unrecognized(&error))?;
        let mut mistakes = read.duplicate_keys();
        if Validation::of(request) == Validation::Strict && !mistakes.is_empty() {
            mistakes = vec![crate::yaml::unmarshal_errors(&mistakes)];
        }
        (read.value, mistakes)
    } else {
        let read = crate::wire::json::read(body);
        let (object, duplicates) = read.map_err(|error| {
            let message = go_json_error(&error);
            unrecognized(&format!("couldn't get version/kind; json parse error: {message}"))
        })?;
        let mistakes = duplicates
            .iter()
            .map(|path| format!("duplicate field \"{path}\""));
        (object, mistakes.collect::<Vec<String>>())
    };
    let object = match object {
        // Go reads it as an object without fields.
        Value::Null if !kind.is_custom() => Value::Object(serde_json::Map::new()),
        object => object,
    };
    if !object.is_object() {
        return Err(unrecognized(&not_typed(&object)));
    }
    for key in ["apiVersion", "kind"] {
        if let Some(value) = object
            .get(key)
            .filter(|value| !value.is_string() && !value.is_null())
        {
            return Err(unrecognized(&format!(
                "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go struct field .{key} of type \
                 string",
                go_word(value)
            )));
        }
    }
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    let expected = kind.api_version(request.version());
    if kind.is_custom() && text("kind").is_empty() {
        let message = format!("Object 'Kind' is missing in '{}'", String::from_utf8_lossy(body));
        // Only the strict decoder does not know which kind was expected.
        return Err(match Validation::of(request) {
            Validation::Ignore => unhandled(request, request.version(), &message),
            _ => unrecognized(&message),
        });
    }
    let mut object = object;
    if !kind.is_custom() {
        // The type of a built-in kind follows from the URL if it is missing.
        for (key, value) in [("kind", kind.kind.as_str()), ("apiVersion", expected.as_str())] {
            if object
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .is_empty()
            {
                object[key] = Value::from(value);
            }
        }
        let found = object.get("kind").and_then(Value::as_str).unwrap_or_default();
        let version = object
            .get("apiVersion")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if let Some(error) = other_type(kind, version, found) {
            let short = version.rsplit('/').next().unwrap_or_default();
            return Err(Failure::bad_request(format!(
                "{found} in version \"{short}\" cannot be handled as a {}: {error}",
                kind.kind
            )));
        }
    }
    let found = object
        .get("apiVersion")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let is_other_kind = object.get("kind").and_then(Value::as_str) != Some(kind.kind.as_str());
    if (found != expected || is_other_kind) && !kind.is_custom() {
        let name = object.get("kind").and_then(Value::as_str).unwrap_or_default();
        let version = found.rsplit('/').next().unwrap_or_default();
        return Err(Failure::bad_request(format!(
            "{name} in version \"{version}\" cannot be handled as a {}: no kind \"{name}\" is registered for version \
             \"{found}\" in scheme \"pkg/runtime/scheme.go:111\"",
            kind.kind
        )));
    }
    if found != expected {
        let message = format!(
            "the API version in the data ({found}) does not match the expected API version ({expected})"
        );
        let mut failure = Failure::bad_request(message);
        let version = found.rsplit('/').next().unwrap_or_default();
        // Metadata is read first.
        let read = kind.prune(request.version(), &mut object.clone());
        read.map_err(|error| unhandled(request, version, &error))?;
        let unknown = fields_of_unknown_version(kind, &object);
        match Validation::of(request) {
            Validation::Ignore => {}
            Validation::Warn => failure.warnings = unknown,
            Validation::Strict if unknown.is_empty() => {}
            Validation::Strict => {
                let message = format!("strict decoding error: {}", unknown.join(", "));
                return Err(unhandled(request, version, &message));
            }
        }
        return Err(failure);
    }
    let unknown = read(request, &mut object)?;
    mistakes.extend(unknown.iter().map(|path| unknown_field_message(path)));
    match Validation::of(request) {
        Validation::Ignore => {}
        Validation::Warn => warnings.extend(mistakes),
        Validation::Strict if mistakes.is_empty() => {}
        Validation::Strict => {
            return Err(unhandled(
                request,
                request.version(),
                &format!("strict decoding error: {}", mistakes.join(", ")),
            ));
        }
    }
    Ok(object)
}

/// Reads an object of a kind that has no resource of its own, such as an `Eviction`.
pub(super) fn typed(request: &Request<'_>, kind: &str, versions: &[&str]) -> Result<Value, Failure> {
    let body = &request.call.body;
    let unrecognized = |message: &str| {
        let shown = summary(body);
        Failure::bad_request(format!(
            "the object provided is unrecognized (must be of type {kind}): {message} ({shown})"
        ))
    };
    let mut object = if request.call.content_type == "application/yaml" {
        let read = crate::yaml::read(&String::from_utf8_lossy(body));
        read.map_err(|error| unrecognized(&error))?.value
    } else {
        let read = crate::wire::json::read(body);
        let (object, _) = read.map_err(|error| {
            let message = go_json_error(&error);
            unrecognized(&format!("couldn't get version/kind; json parse error: {message}"))
        })?;
        object
    };
    if !object.is_object() {
        return Err(unrecognized(&not_typed(&object)));
    }
    let text = |object: &Value, key: &str| {
        let text = object.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    for (key, wanted) in [
        ("kind", kind),
        ("apiVersion", versions.first().copied().unwrap_or_default()),
    ] {
        if text(&object, key).is_empty() {
            object[key] = Value::from(wanted);
        }
    }
    let (found, version) = (text(&object, "kind"), text(&object, "apiVersion"));
    if found != kind || !versions.contains(&version.as_str()) {
        let short = version.rsplit('/').next().unwrap_or_default();
        let group = match versions.first().and_then(|version| version.split_once('/')) {
            None => "core",
            Some((group, _)) => group,
        };
        let error = other_type_than((group, kind), &version, &found);
        return Err(Failure::bad_request(format!(
            "{found} in version \"{short}\" cannot be handled as a {kind}: {error}"
        )));
    }
    Ok(object)
}

/// Returns Go's error about an object of another type than that of a built-in kind.
fn other_type(kind: &crate::kind::Kind, api_version: &str, found: &str) -> Option<String> {
    let is_own = kind
        .versions
        .iter()
        .any(|version| kind.api_version(&version.name) == api_version);
    if found == kind.kind && is_own {
        return None;
    }
    let own = match kind.group.split('.').next() {
        None | Some("") => "core",
        Some(group) => group,
    };
    Some(other_type_than((own, &kind.kind), api_version, found))
}

/// Returns Go's error about an object that cannot become one of a group and kind.
fn other_type_than((own, wanted): (&str, &str), api_version: &str, found: &str) -> String {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    if crate::kind::has_type(group, version, found) {
        return format!("converting ({version}.{found}) to ({own}.{wanted}): unknown conversion");
    }
    format!(
        "no kind \"{found}\" is registered for version \"{api_version}\" in scheme \"pkg/runtime/scheme.go:111\""
    )
}

/// Prunes and defaults an object. Returns the paths of unknown fields.
fn read(request: &Request<'_>, object: &mut Value) -> Result<Vec<String>, Failure> {
    let unknown = request
        .kind
        .prune(request.version(), object)
        .map_err(|error| unhandled(request, request.version(), &error))?;
    request.kind.default(request.version(), object);
    Ok(unknown)
}

fn unhandled(request: &Request<'_>, version: &str, message: &str) -> Failure {
    let kind = &request.kind.kind;
    Failure::bad_request(format!(
        "{kind} in version \"{version}\" cannot be handled as a {kind}: {message}"
    ))
}

/// Returns the messages about all fields of a custom object whose version does not exist: such a version has no fields.
fn fields_of_unknown_version(kind: &crate::kind::Kind, object: &Value) -> Vec<String> {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    let found = text("apiVersion");
    let is_own_group = found
        .split_once('/')
        .is_some_and(|(group, _)| group == kind.group);
    let is_known = kind
        .versions
        .iter()
        .any(|version| kind.api_version(&version.name) == found);
    if !kind.is_custom() || !is_own_group || is_known || text("kind") != kind.kind {
        return Vec::new();
    }
    let fields = object.as_object().into_iter().flat_map(serde_json::Map::keys);
    let unknown = fields.filter(|name| !kgen_schema::META_FIELDS.contains(&name.as_str()));
    unknown.map(|name| unknown_field_message(name)).collect()
}

/// Reads an object that a patch resulted in. The errors of the API server quote the whole object.
pub(super) fn patched(
    request: &Request<'_>,
    object: &mut Value,
    warnings: &mut Vec<String>,
) -> Result<(), Failure> {
    let shown = kgen_schema::go_json(object);
    let invalid = |message: &str| {
        let error = kgen_schema::FieldError::new(kgen_schema::ErrorKind::Invalid, "patch", message);
        Failure::invalid("", "", "", &[error.with_value(&shown)])
    };
    if !object.is_object() {
        return Err(invalid(&not_typed(object)));
    }
    let text = |object: &Value, key: &str| {
        object
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    if text(object, "kind").is_empty() && request.kind.is_custom() {
        return Err(invalid(&format!("Object 'Kind' is missing in '{shown}'")));
    }
    let found = text(object, "apiVersion");
    let kind = &request.kind;
    if !kind.is_custom() {
        for key in ["kind", "apiVersion"] {
            if let Some(value) = object
                .get(key)
                .filter(|value| !value.is_string() && !value.is_null())
            {
                let word = go_word(value);
                return Err(invalid(&format!(
                    "couldn't get version/kind; json parse error: json: cannot unmarshal {word} into Go struct field .{key} of \
                     type string"
                )));
            }
        }
        let expected = kind.api_version(request.version());
        let or = |text: String, default: &str| if text.is_empty() { default.to_owned() } else { text };
        let (version, name) = (or(found.clone(), &expected), or(text(object, "kind"), &kind.kind));
        if request.call.content_type != super::patch::STRATEGIC_PATCH
            && let Some(error) = other_type(kind, &version, &name)
        {
            return Err(invalid(&error));
        }
        object["kind"] = Value::from(kind.kind.as_str());
        object["apiVersion"] = Value::from(expected);
    }
    let is_known = kind
        .versions
        .iter()
        .any(|version| kind.api_version(&version.name) == found);
    let mut mistakes = fields_of_unknown_version(kind, object);
    let unknown = request
        .kind
        .prune(request.version(), object)
        .map_err(|error| invalid(&error))?;
    request.kind.default(request.version(), object);
    if is_known || !kind.is_custom() {
        mistakes.extend(unknown.iter().map(|path| unknown_field_message(path)));
    }
    match Validation::of(request) {
        Validation::Ignore => {}
        Validation::Warn => warnings.extend(mistakes),
        Validation::Strict if mistakes.is_empty() => {}
        Validation::Strict => {
            return Err(invalid(&format!(
                "strict decoding error: {}",
                mistakes.join(", ")
            )));
        }
    }
    Ok(())
}

/// The message about JSON that is not an object.
fn not_typed(value: &Value) -> String {
    format!(
        "couldn't get version/kind; json parse error: {}",
        not_an_object(value)
    )
}

/// Returns Go's message about JSON that is not an object.
pub(super) fn not_an_object(value: &Value) -> String {
    format!(
        "json: cannot unmarshal {} into Go value of type struct {{ APIVersion \
         string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}",
        go_word(value)
    )
}

/// The beginning of a body in messages.
fn summary(body: &[u8]) -> String {
    const MOST: usize = 30;
    match body {
        [] => "<empty>".to_owned(),
        [b'{', ..] => match body.get(..MOST) {
            Some(front) if body.len() > MOST => format!("{} ...", String::from_utf8_lossy(front)),
            _ => String::from_utf8_lossy(body).into_owned(),
        },
        _ => {
            let shown = body.get(..MOST).unwrap_or(body);
            let hex: String = shown.iter().map(|byte| format!("{byte:02x}")).collect();
            if body.len() > MOST {
                format!("{hex} ...")
            } else {
                hex
            }
        }
    }
}
