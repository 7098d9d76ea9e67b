//! Reads the body of a request as an object of a kind: type, unknown and duplicate fields, pruning and defaults.

use kgen_schema::unknown_field_message;
use serde_json::Value;

use super::Request;
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
    let (object, duplicates) = if request.call.content_type == "application/yaml" {
        let text = String::from_utf8_lossy(body);
        let read = serde_saphyr::from_str::<Value>(&text);
        (
            read.map_err(|error| unrecognized(&error.to_string()))?,
            Vec::new(),
        )
    } else {
        let read = crate::wire::json::read(body);
        read.map_err(|error| {
            let message = match error.classify() {
                serde_json::error::Category::Eof => "unexpected end of JSON input".to_owned(),
                _ => error.to_string(),
            };
            unrecognized(&format!("couldn't get version/kind; json parse error: {message}"))
        })?
    };
    if !object.is_object() {
        return Err(unrecognized(&format!(
            "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go value of type struct {{ APIVersion \
             string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}",
            go_word(&object)
        )));
    }
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    let expected = kind.api_version(request.version());
    if kind.is_custom() && text("kind").is_empty() {
        let shown = String::from_utf8_lossy(body);
        return Err(unrecognized(&format!("Object 'Kind' is missing in '{shown}'")));
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
        if found != kind.kind && version == expected {
            let group = if kind.group.is_empty() {
                "core"
            } else {
                kind.group.split('.').next().unwrap_or_default()
            };
            let (version, wanted) = (request.version(), &kind.kind);
            return Err(Failure::bad_request(format!(
                "{found} in version \"{version}\" cannot be handled as a {wanted}: converting ({version}.{found}) to \
                 ({group}.{wanted}): unknown conversion"
            )));
        }
    }
    let found = object
        .get("apiVersion")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if found != expected && !kind.is_custom() {
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
        // An object of an unknown version has no known fields.
        if kind.is_custom()
            && !found.is_empty()
            && kind
                .versions
                .iter()
                .all(|version| kind.api_version(&version.name) != found)
        {
            let fields = object.as_object().into_iter().flat_map(serde_json::Map::keys);
            let unknown = fields.filter(|name| !kgen_schema::META_FIELDS.contains(&name.as_str()));
            failure.warnings = unknown.map(|name| unknown_field_message(name)).collect();
        }
        return Err(failure);
    }
    let mut mistakes: Vec<String> = duplicates
        .iter()
        .map(|path| format!("duplicate field \"{path}\""))
        .collect();
    let unknown = read(request, &mut object)?;
    mistakes.extend(unknown.iter().map(|path| unknown_field_message(path)));
    match Validation::of(request) {
        Validation::Ignore => {}
        Validation::Warn => warnings.extend(mistakes),
        Validation::Strict if mistakes.is_empty() => {}
        Validation::Strict => {
            return Err(unhandled(
                request,
                &format!("strict decoding error: {}", mistakes.join(", ")),
            ));
        }
    }
    Ok(object)
}

/// Prunes and defaults an object. Returns the paths of unknown fields.
fn read(request: &Request<'_>, object: &mut Value) -> Result<Vec<String>, Failure> {
    let unknown = request
        .kind
        .prune(request.version(), object)
        .map_err(|error| unhandled(request, &error))?;
    request.kind.default(request.version(), object);
    Ok(unknown)
}

fn unhandled(request: &Request<'_>, message: &str) -> Failure {
    let kind = &request.kind.kind;
    Failure::bad_request(format!(
        "{kind} in version \"{}\" cannot be handled as a {kind}: {message}",
        request.version()
    ))
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
    let is_known = kind
        .versions
        .iter()
        .any(|version| kind.api_version(&version.name) == found);
    let is_own_group = found
        .split_once('/')
        .is_some_and(|(group, _)| group == kind.group);
    if kind.is_custom() && !is_known && is_own_group {
        // An object of an unknown version has no known fields.
        let fields = object.as_object().into_iter().flat_map(serde_json::Map::keys);
        let unknown = fields.filter(|name| !kgen_schema::META_FIELDS.contains(&name.as_str()));
        warnings.extend(unknown.map(|name| unknown_field_message(name)));
    }
    let unknown = request
        .kind
        .prune(request.version(), object)
        .map_err(|error| invalid(&error))?;
    request.kind.default(request.version(), object);
    let mistakes: Vec<String> = unknown.iter().map(|path| unknown_field_message(path)).collect();
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

fn go_word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
