//! Patching objects: the patch changes the current object, and the result is written like an update.

use serde_json::Value;

use super::{Answer, Request, create, decode, options, ownership, update};
use crate::admission::{Draft, Stop};
use crate::kind::Part;
use crate::meta;
use crate::patch::{JsonPatchError, StrategicPatchError, apply_json, apply_merge, apply_strategic};
use crate::state::State;
use crate::status::Failure;

pub(super) const JSON_PATCH: &str = "application/json-patch+json";
pub(super) const MERGE_PATCH: &str = "application/merge-patch+json";
pub(super) const STRATEGIC_PATCH: &str = "application/strategic-merge-patch+json";
pub(super) const APPLY_PATCH: &str = "application/apply-patch+yaml";

/// Checks the media type of a patch and its options.
pub(super) fn check(request: &Request<'_>) -> Result<(), Failure> {
    let accepted: &[&str] = if request.kind.is_custom() {
        &[JSON_PATCH, MERGE_PATCH, APPLY_PATCH]
    } else {
        &[JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH]
    };
    if !accepted.contains(&request.call.content_type.as_str()) {
        let failure = Failure::unsupported_media_type(accepted);
        return Err(if request.kind.is_custom() {
            failure
        } else {
            Failure::new(415, "UnsupportedMediaType", "415: Unsupported Media Type").with_empty_details()
        });
    }
    if request.name().is_empty() {
        return Err(Failure::bad_request("name must be provided"));
    }
    options::check(request.call, "PatchOptions")
}

pub(super) fn patch(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    check(request)?;
    if request.call.content_type == APPLY_PATCH {
        return apply(state, request, draft);
    }
    let Some(found) = state.store.get(&request.kind.resource, &request.key()).cloned() else {
        return Err(request.not_found().into());
    };
    let old = request.kind.read(&found, request.version())?;
    let mut object = patched(request, &old)?;
    decode::patched(request, &mut object, &mut draft.warnings)?;
    update::check_name(request, &object)?;
    update::store_changed(state, request, draft, object, &found, false)
}

/// Reads the patch in the body.
fn read_patch(request: &Request<'_>) -> Result<Value, Failure> {
    let (patch, _) = crate::wire::json::read(&request.call.body).map_err(|error| {
        let message = crate::go_word::go_json_error(&error);
        Failure::bad_request(if request.call.content_type == STRATEGIC_PATCH {
            message
        } else {
            format!("error decoding patch: {message}")
        })
    })?;
    Ok(patch)
}

/// Returns the object that a patch results in, before it is pruned and defaulted.
pub(super) fn patched(request: &Request<'_>, old: &Value) -> Result<Value, Failure> {
    let mut object = old.clone();
    let patch = read_patch(request)?;
    let is_checked = decode::Validation::of(request) != decode::Validation::Ignore;
    match request.call.content_type.as_str() {
        JSON_PATCH => apply_json(&mut object, &patch).map_err(|error| match error {
            JsonPatchError::Malformed(found) => Failure::bad_request(if is_checked {
                format!("error decoding patch: {found}")
            } else {
                let found = found.replace("[]handlers.jsonPatchOp", "jsonpatch.Patch");
                found.replace("handlers.jsonPatchOp", "jsonpatch.Operation")
            }),
            JsonPatchError::Failed => unprocessable(),
        })?,
        content_type => {
            if patch.is_null() && content_type != STRATEGIC_PATCH {
                return Err(Failure::bad_request("Invalid JSON Patch"));
            }
            if !patch.is_object() && !is_checked && content_type == MERGE_PATCH {
                return Ok(patch);
            }
            if !patch.is_object() {
                let word = match &patch {
                    Value::Array(_) => "array",
                    Value::String(_) => "string",
                    Value::Bool(_) => "bool",
                    Value::Null => "null",
                    _ => "number",
                };
                let place = if content_type == STRATEGIC_PATCH {
                    ""
                } else {
                    "error decoding patch: "
                };
                return Err(Failure::bad_request(format!(
                    "{place}json: cannot unmarshal {word} into Go value of type map[string]interface {{}}"
                )));
            }
            match (&patch, request.kind.row()) {
                (Value::Object(patch), Some(row)) if content_type == STRATEGIC_PATCH => {
                    apply_strategic(&mut object, patch, row.schema_json()).map_err(|error| match error {
                        StrategicPatchError::Malformed(message) => Failure::bad_request(message),
                        StrategicPatchError::ListOfLists => unprocessable(),
                        StrategicPatchError::Failed(message) => Failure::internal(message),
                    })?;
                }
                _ => apply_merge(&mut object, &patch),
            }
        }
    }
    Ok(object)
}

/// The failure of a patch that can be read, but not applied.
fn unprocessable() -> Failure {
    let message = "the server rejected our request due to an error in our request";
    Failure::new(422, "Invalid", message).with_empty_details()
}

/// Server-side apply.
fn apply(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    let found = state.store.get(&request.kind.resource, &request.key()).cloned();
    if found.is_none() && request.part() != Part::Main {
        return Err(request.not_found().into());
    }
    let old = match &found {
        Some(found) => Some(request.kind.read(found, request.version())?),
        None => None,
    };
    let mut object = ownership::applied(state, request, old.as_ref())?;
    let validation = decode::Validation::of(request);
    if validation != decode::Validation::Ignore
        && let Ok(document) = crate::yaml::read(&String::from_utf8_lossy(&request.call.body))
    {
        let duplicates = document.duplicate_keys();
        if validation == decode::Validation::Strict && !duplicates.is_empty() {
            let message = format!(
                "error strict decoding YAML: error converting YAML to JSON: {}",
                crate::yaml::unmarshal_errors(&duplicates)
            );
            return Err(Failure::bad_request(message).into());
        }
        draft.warnings.extend(duplicates);
    }
    match found {
        None => {
            draft.unshown = meta::omit_empty(&mut object);
            if !request.kind.is_custom() {
                read_applied(request, &mut object)?;
            }
            request.kind.default(request.version(), &mut object);
            create::store_new(state, request, draft, object, true)
        }
        Some(found) => {
            if meta::version(&object).is_empty() {
                meta::set(&mut object, "resourceVersion", meta::version(&found.object));
            }
            // Unknown fields were refused when the configuration was merged, and `null` is a mistake.
            if request.kind.is_custom() {
                let omitted = meta::omit_empty(&mut object);
                if request.part() == Part::Main {
                    draft.unshown = omitted;
                }
                // A configuration that changes nothing leaves the object as it is, even if this version has defaults that
                // the stored one does not have.
                let is_other_version = request.version() != request.kind.stored;
                let is_changed = |old| !crate::apply::is_same(old, &object);
                if !is_other_version || old.as_ref().is_none_or(is_changed) {
                    request.kind.default(request.version(), &mut object);
                }
            } else {
                read_applied(request, &mut object)?;
                request.kind.default(request.version(), &mut object);
            }
            update::store_changed(state, request, draft, object, &found, true)
        }
    }
}

/// Reads an applied object of a built-in kind as Go does.
fn read_applied(request: &Request<'_>, object: &mut Value) -> Result<(), Failure> {
    let read = request.kind.prune(request.version(), object);
    read.map(drop).map_err(|error| {
        let kind = &request.kind;
        let version = kind.api_version(request.version());
        let (namespace, name) = (meta::namespace(object), request.name());
        let shown = if kind.group.is_empty() { format!("/{version}") } else { version };
        Failure::internal(format!(
            "failed to convert new object ({namespace}/{name}; {shown}, Kind={}) to proper version: unable to convert \
             unstructured object to {shown}, Kind={}: {error}",
            kind.kind, kind.kind
        ))
    })
}
