//! The admission plugins that a server has by default, as far as they concern the kinds of this crate.

use kgen_schema::FieldError;
use serde_json::{Value, json};

use super::Request;
use crate::meta;
use crate::state::State;
use crate::status::Failure;

/// Classes of priorities that every server has.
const SYSTEM: [(&str, i64); 2] = [
    ("system-cluster-critical", 2_000_000_000),
    ("system-node-critical", 2_000_001_000),
];
const LOWER: &str = "PreemptLowerPriority";

fn refuse(request: &Request<'_>, object: &Value, detail: &str) -> Failure {
    let kind = &request.kind;
    Failure::forbidden(meta::name(object), &kind.plural, &kind.group, detail)
}

/// Changes or refuses a new object before it is validated.
pub(super) fn admit(state: &State, request: &Request<'_>, object: &mut Value) -> Result<(), Failure> {
    if &*request.kind.resource != "pods" || !object.get("spec").is_some_and(Value::is_object) {
        return Ok(());
    }
    priority(state, request, object)?;
    let text = |key: &str| {
        object
            .pointer(&format!("/spec/{key}"))
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let class = text("runtimeClassName");
    let overhead = match &class {
        None => None,
        Some(name) => match state.store.get("runtimeclasses.node.k8s.io", name) {
            Some(found) => found.object.pointer("/overhead/podFixed").cloned(),
            None => {
                let detail = format!("pod rejected: RuntimeClass \"{name}\" not found");
                return Err(refuse(request, object, &detail));
            }
        },
    };
    match (object.pointer("/spec/overhead"), overhead) {
        (Some(_), None) => {
            let detail = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
            Err(refuse(request, object, detail))
        }
        (None, Some(overhead)) => {
            object["spec"]["overhead"] = overhead;
            Ok(())
        }
        _ => Ok(()),
    }
}

fn priority(state: &State, request: &Request<'_>, object: &mut Value) -> Result<(), Failure> {
    let resource = "priorityclasses.scheduling.k8s.io";
    let name = object.pointer("/spec/priorityClassName").and_then(Value::as_str);
    let name = name.filter(|name| !name.is_empty()).map(str::to_owned);
    let (mut value, mut policy) = (0, LOWER.to_owned());
    let found = match &name {
        Some(name) => state.store.get(resource, name),
        None => {
            let mut classes = state.store.list(resource, "").map(|(_, class)| class);
            classes.find(|class| class.object.get("globalDefault") == Some(&Value::Bool(true)))
        }
    };
    if let Some(class) = found {
        value = class.object.get("value").and_then(Value::as_i64).unwrap_or(0);
        let found = class.object.get("preemptionPolicy").and_then(Value::as_str);
        policy = found.unwrap_or(LOWER).to_owned();
        object["spec"]["priorityClassName"] = Value::from(meta::name(&class.object));
    } else if let Some(name) = &name {
        match SYSTEM.iter().find(|(known, _)| known == name) {
            Some((_, known)) => value = *known,
            None => {
                let detail = format!("no PriorityClass with name {name} was found");
                return Err(refuse(request, object, &detail));
            }
        }
    }
    let spec = &object["spec"];
    let given = spec.get("priority").and_then(Value::as_i64);
    if let Some(given) = given.filter(|given| *given != value) {
        let detail = format!(
            "the integer value of priority ({given}) must not be provided in pod spec; priority admission controller \
             computed {value} from the given PriorityClass name"
        );
        return Err(refuse(request, object, &detail));
    }
    let given = spec.get("preemptionPolicy").and_then(Value::as_str);
    if let Some(given) = given.filter(|given| *given != policy) {
        let detail = format!(
            "the string value of PreemptionPolicy ({given}) must not be provided in pod spec; priority admission controller \
             computed {policy} from the given PriorityClass name"
        );
        return Err(refuse(request, object, &detail));
    }
    object["spec"]["priority"] = json!(value);
    object["spec"]["preemptionPolicy"] = json!(policy);
    Ok(())
}

/// Refuses a change that is valid.
pub(super) fn check_change(
    state: &State,
    request: &Request<'_>,
    object: &Value,
    old: &Value,
) -> Result<(), Failure> {
    let size = |object: &Value| {
        let size = object
            .pointer("/spec/resources/requests/storage")
            .and_then(Value::as_str);
        size.map(str::to_owned)
    };
    if &*request.kind.resource != "persistentvolumeclaims" {
        return Ok(());
    }
    let (Some(new), Some(before)) = (size(object), size(old)) else {
        return Ok(());
    };
    if !kgen_cel::compare_quantities(&new, &before).is_some_and(std::cmp::Ordering::is_gt) {
        return Ok(());
    }
    let class = object
        .pointer("/spec/storageClassName")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let class = state.store.get("storageclasses.storage.k8s.io", class);
    let can_grow =
        class.is_some_and(|class| class.object.get("allowVolumeExpansion") == Some(&Value::Bool(true)));
    if can_grow {
        return Ok(());
    }
    let detail = "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support \
                  resize";
    Err(refuse(request, object, detail))
}

/// Returns the failure of an object with mistakes in its fields.
pub(super) fn invalid(request: &Request<'_>, object: &Value, errors: &[FieldError]) -> Failure {
    let shown = object.get("kind").and_then(Value::as_str).unwrap_or_default();
    let group = request.kind.error_group(object);
    Failure::invalid(meta::name(object), shown, &group, errors)
}
