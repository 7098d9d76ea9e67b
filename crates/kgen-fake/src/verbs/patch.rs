//! Patching objects: the patch changes the current object, and the result is written like an update.

use serde_json::Value;

use super::{Answer, Request, create, decode, options, ownership, update};
use crate::admission::{Draft, Stop};
use crate::kind::Part;
use crate::meta;
use crate::patch::{JsonPatchError, apply_json, apply_merge, apply_strategic};
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
        return Err(Failure::unsupported_media_type(accepted));
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
        let message = match error.classify() {
            serde_json::error::Category::Eof => "unexpected end of JSON input".to_owned(),
            _ => error.to_string(),
        };
        Failure::bad_request(format!("error decoding patch: {message}"))
    })?;
    Ok(patch)
}

/// Returns the object that a patch results in, before it is pruned and defaulted.
pub(super) fn patched(request: &Request<'_>, old: &Value) -> Result<Value, Failure> {
    let mut object = old.clone();
    let patch = read_patch(request)?;
    match request.call.content_type.as_str() {
        JSON_PATCH => apply_json(&mut object, &patch).map_err(|error| match error {
            JsonPatchError::Malformed(message) => {
                Failure::bad_request(format!("error decoding patch: {message}"))
            }
            JsonPatchError::Failed => Failure::new(
                422,
                "Invalid",
                "the server rejected our request due to an error in our request",
            )
            .with_empty_details(),
        })?,
        content_type => {
            if !patch.is_object() {
                let word = match &patch {
                    Value::Array(_) => "array",
                    Value::String(_) => "string",
                    Value::Bool(_) => "bool",
                    Value::Null => "null",
                    _ => "number",
                };
                return Err(Failure::bad_request(format!(
                    "error decoding patch: json: cannot unmarshal {word} into Go value of type map[string]interface {{}}"
                )));
            }
            if content_type == STRATEGIC_PATCH {
                let schema = request
                    .kind
                    .row()
                    .map(|row| row.schema_json())
                    .unwrap_or_default();
                apply_strategic(&mut object, &patch, &schema).map_err(Failure::bad_request)?;
            } else {
                apply_merge(&mut object, &patch);
            }
        }
    }
    Ok(object)
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
    match found {
        None => {
            request.kind.default(request.version(), &mut object);
            create::store_new(state, request, draft, object, true)
        }
        Some(found) => {
            if meta::version(&object).is_empty() {
                meta::set(&mut object, "resourceVersion", meta::version(&found.object));
            }
            decode::patched(request, &mut object, &mut draft.warnings)?;
            update::store_changed(state, request, draft, object, &found, true)
        }
    }
}
