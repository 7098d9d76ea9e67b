//! The scale subresource: a `Scale` that shows and changes fields of an object.

use serde_json::{Map, Value, json};

use super::{Answer, Request, decode, options, patch, update};
use crate::admission::{Draft, Stop};
use crate::kind::ScalePaths;
use crate::meta;
use crate::state::State;
use crate::status::Failure;

pub(super) fn get(state: &State, request: &Request<'_>) -> Result<Answer, Failure> {
    let found = state.store.get(&request.kind.resource, &request.key());
    let found = found.ok_or_else(|| request.not_found())?;
    let object = request.kind.read(found, request.version())?;
    Ok(Answer::json(200, scale_of(request, &object)?))
}

fn paths<'r>(request: &'r Request<'_>) -> Result<&'r ScalePaths, Failure> {
    let version = request.kind.version(request.version());
    version
        .and_then(|version| version.scale.as_ref())
        .ok_or_else(|| request.not_found())
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
    let number = |path: &[String]| value_at(object, path).and_then(Value::as_i64);
    let mut spec = Map::new();
    if let Some(replicas) = number(&paths.spec).filter(|replicas| *replicas != 0) {
        spec.insert("replicas".to_owned(), Value::from(replicas));
    }
    let mut status = json!({"replicas": number(&paths.status).unwrap_or(0)});
    let selector = match &paths.selector {
        Some(path) => value_at(object, path).and_then(Value::as_str).map(str::to_owned),
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

/// Returns the selector of a workload as text.
fn selector_text(object: &Value) -> Option<String> {
    let labels = object.pointer("/spec/selector/matchLabels").and_then(Value::as_object)?;
    let pairs = labels.iter().map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()));
    Some(pairs.collect::<Vec<_>>().join(","))
}

pub(super) fn update(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    decode::check_media_type(request)?;
    options::check(request.call, "UpdateOptions")?;
    let (scale, _) = crate::wire::json::read(&request.call.body)
        .map_err(|error| Failure::bad_request(error.to_string()))?;
    if scale.get("kind").and_then(Value::as_str) != Some("Scale") {
        return Err(Failure::bad_request(
            "no kind is registered for the type v1.Scale in scheme \"pkg/runtime/scheme.go:111\"",
        )
        .into());
    }
    update::check_name(request, &scale)?;
    write(state, request, draft, &scale)
}

pub(super) fn patch(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    patch::check(request)?;
    if request.call.content_type == patch::APPLY_PATCH {
        return Err(Failure::not_implemented("server-side apply of a scale subresource").into());
    }
    let found = state.store.get(&request.kind.resource, &request.key());
    let found = found.ok_or_else(|| request.not_found())?;
    let object = request.kind.read(found, request.version())?;
    let scale = patch::patched(request, &scale_of(request, &object)?)?;
    if let Some(replicas) = scale.pointer("/spec/replicas").filter(|replicas| !replicas.is_null())
        && !replicas.is_i64()
    {
        let word = match replicas {
            Value::String(_) => "string".to_owned(),
            Value::Bool(_) => "bool".to_owned(),
            Value::Array(_) => "array".to_owned(),
            Value::Object(_) => "object".to_owned(),
            number => format!("number {number}"),
        };
        let message =
            format!("json: cannot unmarshal {word} into Go struct field ScaleSpec.spec.replicas of type int32");
        let error = kgen_schema::FieldError::new(kgen_schema::ErrorKind::Invalid, "patch", message);
        let error = error.with_value(&kgen_schema::go_json(&scale));
        return Err(Failure::invalid("", "", "", &[error]).into());
    }
    write(state, request, draft, &scale)
}

/// Writes the replicas of a `Scale` into its object.
fn write(state: &mut State, request: &Request<'_>, draft: &mut Draft, scale: &Value) -> Result<Answer, Stop> {
    let Some(found) = state.store.get(&request.kind.resource, &request.key()).cloned() else {
        return Err(request.not_found().into());
    };
    let old = request.kind.read(&found, request.version())?;
    let version = meta::version(scale);
    if !version.is_empty() && version != meta::version(&old) {
        return Err(Failure::modified(request.name(), &request.kind.plural, &request.kind.group).into());
    }
    let replicas = scale.pointer("/spec/replicas").and_then(Value::as_i64).unwrap_or(0);
    let mut object = old.clone();
    let path = paths(request)?.spec.clone();
    put_at(&mut object, &path, Value::from(replicas));
    let answer = update::store_changed(state, request, draft, object, &found, false)?;
    let super::Content::Resource { body, .. } = answer.content else {
        return Ok(answer);
    };
    Ok(Answer::json(200, scale_of(request, &body)?))
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
