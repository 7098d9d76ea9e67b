//! The managed fields of every write, and server-side apply: the one place where the verbs ask for them.

use serde_json::Value;

use super::{Request, update};
use crate::apply::{FieldManager, manager_of_request};
use crate::meta;
use crate::state::State;
use crate::status::{Body, Failure};

fn fields<'r>(request: &'r Request<'_>, api_version: &'r str) -> FieldManager<'r> {
    let kind = &request.kind;
    let subresource = &request.call.target.subresource;
    FieldManager::new(kind.field_versions(), api_version, &kind.kind, subresource)
}

/// Updates the managed fields of an object that a create, an update or a patch wrote.
pub(super) fn written(state: &State, request: &Request<'_>, old: Option<&Value>, object: &mut Value) {
    let api_version = request.kind.api_version(request.version());
    let call = request.call;
    let manager = manager_of_request(call.query.get("fieldManager"), &call.user_agent);
    fields(request, &api_version).update(old, object, &manager, &state.clock.text());
}

/// Merges the configuration in the body into the current object. The result has its managed fields.
pub(super) fn applied(state: &State, request: &Request<'_>, old: Option<&Value>) -> Result<Value, Failure> {
    let api_version = request.kind.api_version(request.version());
    merged(request, fields(request, &api_version), old, &state.clock.text())
}

/// Merges the configuration in the body with a field manager.
pub(super) fn merged(
    request: &Request<'_>,
    fields: FieldManager<'_>,
    old: Option<&Value>,
    time: &str,
) -> Result<Value, Failure> {
    let call = request.call;
    let text = String::from_utf8_lossy(&call.body);
    let configuration: Value = match serde_json::from_str(&text) {
        Ok(configuration) => configuration,
        Err(_) => {
            crate::yaml::read(&text)
                .map_err(|error| Failure::bad_request(format!("error decoding YAML: {error}")))?
                .value
        }
    };
    if !configuration.is_object() && !configuration.is_null() {
        let word = crate::go_word::go_word(&configuration);
        return Err(Failure::bad_request(format!(
            "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {word} into Go value of \
             type map[string]interface {{}}"
        )));
    }
    let force = call.query.flag("force");
    let manager = call.query.text("fieldManager");
    let merged = fields.apply(old, &configuration, manager, force, time);
    let merged = merged.map_err(|error| {
        let status = error.to_status();
        let code = status
            .get("code")
            .and_then(Value::as_u64)
            .and_then(|code| u16::try_from(code).ok());
        Failure {
            code: code.unwrap_or(500),
            body: Body::Status(status),
            retry_after: None,
            warnings: Vec::new(),
        }
    })?;
    let uid = meta::uid(&merged);
    if old.is_none() && !uid.is_empty() {
        let detail = format!(
            "uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        );
        return Err(update::conflict(request, &detail));
    }
    update::check_name(request, &merged)?;
    Ok(merged)
}
