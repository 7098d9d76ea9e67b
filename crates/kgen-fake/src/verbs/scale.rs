//! The scale subresource: a `Scale` that shows and changes fields of an object.

use serde_json::{Map, Value, json};

use super::{Answer, Content, Request, decode, options, ownership, patch, update};
use crate::admission::{Draft, Stop};
use crate::apply::{self, FieldManager, Managed, ScaleFields, manager_of_request};
use crate::kind::ScalePaths;
use crate::meta;
use crate::state::State;
use crate::status::Failure;

const SCALE_VERSION: &str = "autoscaling/v1";
/// The replicas of a custom resource that has none, while its `Scale` is being written.
const NO_REPLICAS: i64 = i32::MIN as i64;

pub(super) fn get(state: &State, request: &Request<'_>) -> Result<Answer, Failure> {
    let found = state.store.get(&request.kind.resource, &request.key());
    let found = found.ok_or_else(|| request.not_found())?;
    let object = request.kind.read(found, request.version())?;
    let scale = scale_of(request, &object)?;
    let path = &paths(request)?.spec;
    if request.kind.is_custom() && value_at(&object, path).is_none() {
        let path = format!(".{}", path.join("."));
        let detail = format!("the spec replicas field \"{path}\" does not exist");
        return Err(Failure::internal_error(&detail));
    }
    Ok(answer(request, scale))
}

fn answer(request: &Request<'_>, scale: Value) -> Answer {
    Answer {
        code: 200,
        content: Content::Scale {
            scale,
            is_custom: request.kind.is_custom(),
        },
        warnings: Vec::new(),
    }
}

fn paths<'r>(request: &'r Request<'_>) -> Result<&'r ScalePaths, Failure> {
    let version = request.kind.version(request.version());
    version
        .and_then(|version| version.scale.as_ref())
        .ok_or_else(|| request.not_found())
}

/// Returns the value at a path, if it has the type that a `Scale` needs.
fn typed_at<'o, T>(
    object: &'o Value,
    path: &[String],
    go_type: &str,
    read: impl FnOnce(&'o Value) -> Option<T>,
) -> Result<Option<T>, Failure> {
    let Some(value) = value_at(object, path) else {
        return Ok(None);
    };
    let (found, shown) = match value {
        Value::Null => ("<nil>", "<nil>".to_owned()),
        Value::Bool(flag) => ("bool", flag.to_string()),
        Value::Number(number) if number.is_f64() => ("float64", number.to_string()),
        Value::Number(number) => ("int64", number.to_string()),
        Value::String(text) => ("string", text.clone()),
        Value::Array(_) => ("[]interface {}", value.to_string()),
        Value::Object(_) => ("map[string]interface {}", value.to_string()),
    };
    let typed = read(value).map(Some);
    typed.ok_or_else(|| {
        Failure::internal(format!(
            ".{} accessor error: {shown} is of the type {found}, expected {go_type}",
            path.join(".")
        ))
    })
}

fn value_at<'o>(object: &'o Value, path: &[String]) -> Option<&'o Value> {
    path.iter().try_fold(object, |value, name| value.get(name))
}

/// Returns the `Scale` of an object.
fn scale_of(request: &Request<'_>, object: &Value) -> Result<Value, Failure> {
    let paths = paths(request)?;
    let mut metadata = Map::new();
    for key in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let Some(value) = meta::of(object).get(key) {
            metadata.insert(key.to_owned(), value.clone());
        }
    }
    let number = |path: &[String]| typed_at(object, path, "int64", Value::as_i64);
    let mut spec = Map::new();
    if let Some(replicas) = number(&paths.spec)?.filter(|replicas| *replicas != 0) {
        spec.insert("replicas".to_owned(), Value::from(replicas));
    }
    let mut status = json!({"replicas": number(&paths.status)?.unwrap_or(0)});
    let selector = match &paths.selector {
        Some(path) => typed_at(object, path, "string", Value::as_str)?.map(str::to_owned),
        None if !request.kind.is_custom() => selector_text(object),
        None => None,
    };
    if let Some(selector) = selector.filter(|selector| !selector.is_empty()) {
        status["selector"] = Value::from(selector);
    }
    Ok(json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata, "spec": spec, "status": status,
    }))
}

/// Returns the selector of a workload as text, sorted by its keys.
fn selector_text(object: &Value) -> Option<String> {
    let selector = object.pointer("/spec/selector")?;
    let is_plain = object
        .get("kind")
        .is_some_and(|kind| kind == "ReplicationController");
    // A replication controller has nothing but labels.
    let labels = if is_plain {
        Some(selector)
    } else {
        selector.get("matchLabels")
    };
    let labels = labels.and_then(Value::as_object).into_iter().flatten();
    let mut parts: Vec<(&str, String)> = labels
        .map(|(key, value)| {
            let text = format!("{key}={}", value.as_str().unwrap_or_default());
            (key.as_str(), text)
        })
        .collect();
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    for expression in expressions.into_iter().flatten().filter(|_| !is_plain) {
        let text = |key: &str| expression.get(key).and_then(Value::as_str).unwrap_or_default();
        let values = expression.get("values").and_then(Value::as_array);
        let mut values: Vec<&str> = values.into_iter().flatten().filter_map(Value::as_str).collect();
        values.sort_unstable();
        let (key, values) = (text("key"), values.join(","));
        let shown = match text("operator") {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_owned(),
            _ => format!("!{key}"),
        };
        parts.push((key, shown));
    }
    parts.sort_by_key(|(key, _)| *key);
    let parts = parts.into_iter().map(|(_, text)| text);
    Some(parts.collect::<Vec<_>>().join(","))
}

pub(super) fn update(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    decode::check_media_type(request)?;
    options::check(request.call, "UpdateOptions")?;
    let scale = read(request, draft)?;
    update::check_name(request, &scale)?;
    write(state, request, draft, |live| {
        update::check_uid(request, &scale, live)?;
        let mut written = live.clone();
        written["spec"] = scale.get("spec").cloned().unwrap_or_else(|| json!({}));
        if meta::version(&scale).is_empty() {
            return Ok(written);
        }
        meta::copy(&mut written, &scale, "resourceVersion");
        Ok(written)
    })
}

/// Reads the `Scale` in the body.
fn read(request: &Request<'_>, draft: &mut Draft) -> Result<Value, Failure> {
    let is_custom = request.kind.is_custom();
    // The server cannot describe what is wrong with the `Scale` of a custom resource.
    let undescribed = |failure: Failure| {
        if is_custom {
            let message =
                "no kind is registered for the type v1.Scale in scheme \"pkg/runtime/scheme.go:111\"";
            return Failure::bad_request(message);
        }
        failure
    };
    let mut scale = decode::typed(request, "Scale", &[SCALE_VERSION]).map_err(undescribed)?;
    if let Some(error) = mistyped(&scale) {
        let message = format!("Scale in version \"v1\" cannot be handled as a Scale: {error}");
        return Err(undescribed(Failure::bad_request(message)));
    }
    let mut mistakes: Vec<String> = Vec::new();
    if let Ok((_, duplicates)) = crate::wire::json::read(&request.call.body) {
        mistakes.extend(
            duplicates
                .iter()
                .map(|path| format!("duplicate field \"{path}\"")),
        );
    }
    mistakes.extend(unknown_fields(&mut scale));
    match decode::Validation::of(request) {
        decode::Validation::Strict if !mistakes.is_empty() => {
            let mistakes = mistakes.join(", ");
            let message = format!(
                "Scale in version \"v1\" cannot be handled as a Scale: strict decoding error: {mistakes}"
            );
            Err(undescribed(Failure::bad_request(message)))
        }
        decode::Validation::Warn => {
            draft.warnings.extend(mistakes);
            Ok(scale)
        }
        _ => Ok(scale),
    }
}

/// Removes the fields that a `Scale` does not have. Returns the messages about them.
fn unknown_fields(scale: &mut Value) -> Vec<String> {
    let mut unknown = Vec::new();
    for (part, known) in [
        (
            "",
            ["kind", "apiVersion", "metadata", "spec", "status"].as_slice(),
        ),
        ("spec", &["replicas"]),
        ("status", &["replicas", "selector"]),
    ] {
        let fields = if part.is_empty() {
            Some(&mut *scale)
        } else {
            scale.get_mut(part)
        };
        let Some(fields) = fields.and_then(Value::as_object_mut) else {
            continue;
        };
        let is_known = |key: &String| known.contains(&key.as_str());
        for key in fields.keys().filter(|key| !is_known(key)) {
            let path = if part.is_empty() {
                key.clone()
            } else {
                format!("{part}.{key}")
            };
            unknown.push(kgen_schema::unknown_field_message(&path));
        }
        fields.retain(|key, _| is_known(key));
    }
    unknown
}

pub(super) fn patch(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    patch::check(request)?;
    if request.call.content_type == patch::APPLY_PATCH {
        let (time, kind) = (state.clock.text(), scale_kind(request));
        return write(state, request, draft, |live| {
            let fields = FieldManager::new(&kind, SCALE_VERSION, "Scale", "scale");
            ownership::merged(request, fields, Some(live), &time)
        });
    }
    let mut warnings = Vec::new();
    let answer = write(state, request, draft, |live| {
        let mut scale = patch::patched(request, live)?;
        if let Some(error) = mistyped(&scale) {
            return Err(invalid(&scale, &error));
        }
        let whole = scale.clone();
        let unknown = unknown_fields(&mut scale);
        match decode::Validation::of(request) {
            decode::Validation::Strict if !unknown.is_empty() => {
                return Err(invalid(
                    &whole,
                    &format!("strict decoding error: {}", unknown.join(", ")),
                ));
            }
            decode::Validation::Warn => warnings = unknown,
            _ => {}
        }
        Ok(scale)
    });
    draft.warnings.append(&mut warnings);
    answer
}

/// Returns the failure of a patch that does not lead to a `Scale`.
fn invalid(scale: &Value, message: &str) -> Failure {
    let error = kgen_schema::FieldError::new(kgen_schema::ErrorKind::Invalid, "patch", message);
    let error = error.with_value(&kgen_schema::go_json(scale));
    Failure::invalid("", "", "", &[error])
}

/// Returns Go's error about replicas that are not a number.
fn mistyped(scale: &Value) -> Option<String> {
    let replicas = scale
        .pointer("/spec/replicas")
        .filter(|replicas| !replicas.is_null());
    let replicas = replicas.filter(|replicas| !replicas.is_i64())?;
    let word = match replicas {
        Value::String(_) => "string".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
        number => format!("number {number}"),
    };
    Some(format!(
        "json: cannot unmarshal {word} into Go struct field ScaleSpec.spec.replicas of type int32"
    ))
}

fn scale_kind(request: &Request<'_>) -> apply::Kind {
    if request.kind.is_custom() {
        apply::Kind::scale_of_custom_resource()
    } else {
        apply::Kind::scale()
    }
}

/// Returns the paths of the replicas in all versions, for managed fields.
fn scale_fields(request: &Request<'_>) -> ScaleFields {
    let mut fields = ScaleFields::default();
    for version in &request.kind.versions {
        let path = version.scale.as_ref().map(|scale| scale.spec.join("."));
        fields.add_version(&request.kind.api_version(&version.name), path.as_deref());
    }
    fields
}

/// Writes the replicas of a `Scale` into its object. `change` returns the new `Scale` from the current one.
fn write(
    state: &mut State,
    request: &Request<'_>,
    draft: &mut Draft,
    change: impl FnOnce(&Value) -> Result<Value, Failure>,
) -> Result<Answer, Stop> {
    let Some(found) = state.store.get(&request.kind.resource, &request.key()).cloned() else {
        return Err(request.not_found().into());
    };
    let old = request.kind.read(&found, request.version())?;
    let managed = Managed::of_object(&old).unwrap_or_default();
    let fields = scale_fields(request);
    let mut live = scale_of(request, &old)?;
    let path = paths(request)?.spec.clone();
    if request.kind.is_custom() && value_at(&old, &path).is_none() {
        live["spec"] = json!({"replicas": NO_REPLICAS});
    }
    fields.to_scale(&managed).write_to(&mut live);
    let mut scale = change(&live)?;
    let replicas = scale
        .pointer("/spec/replicas")
        .and_then(Value::as_i64)
        .unwrap_or(0);
    check_written(request, replicas, &path)?;
    let version = meta::version(&scale);
    if version != meta::version(&old) {
        return Err(Failure::modified(request.name(), &request.kind.plural, &request.kind.group).into());
    }
    let call = request.call;
    if call.content_type != patch::APPLY_PATCH {
        let kind = scale_kind(request);
        let manager = manager_of_request(call.query.get("fieldManager"), &call.user_agent);
        let scale_manager = FieldManager::new(&kind, SCALE_VERSION, "Scale", "scale");
        scale_manager.update(Some(&live), &mut scale, &manager, &state.clock.text());
    }
    let mut object = old.clone();
    put_at(&mut object, &path, Value::from(replicas));
    let scaled = Managed::of_object(&scale).unwrap_or_default();
    let api_version = request.kind.api_version(request.version());
    fields
        .to_object(&managed, &scaled, &api_version)
        .write_to(&mut object);
    let answer = update::store_changed(state, request, draft, object, &found, true)?;
    let Content::Resource { body, .. } = answer.content else {
        return Ok(answer);
    };
    Ok(self::answer(request, scale_of(request, &body)?))
}

/// Checks the replicas before the versions of the objects are compared.
fn check_written(request: &Request<'_>, replicas: i64, path: &[String]) -> Result<(), Failure> {
    if !request.kind.is_custom() && replicas < 0 {
        let detail = "must be greater than or equal to 0";
        let error = kgen_schema::FieldError::new(kgen_schema::ErrorKind::Invalid, "spec.replicas", detail);
        let error = error.with_value(&replicas);
        return Err(Failure::invalid(request.name(), "Scale", "autoscaling", &[error]));
    }
    if replicas == NO_REPLICAS {
        let path = path.join(".");
        let message = format!("the spec replicas field \".{path}\" cannot be empty");
        return Err(Failure::bad_request(message));
    }
    Ok(())
}

fn put_at(object: &mut Value, path: &[String], value: Value) {
    let mut place = object;
    for name in path {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[name.as_str()];
    }
    *place = value;
}
