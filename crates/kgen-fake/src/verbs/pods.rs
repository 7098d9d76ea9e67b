//! The subresources of pods: `binding` and `eviction`.

use serde_json::{Map, Value, json};

use super::delete;
use super::options::{self, DeleteOptions};
use super::{Answer, Request, decode};
use crate::admission::{Draft, Operation, Stop};
use crate::meta;
use crate::selector::LabelSelector;
use crate::state::State;
use crate::status::Failure;
use crate::store::{Stored, key};

const BUDGETS: &str = "poddisruptionbudgets.policy";
const DISRUPTED: &str = "Cannot evict pod as it would violate the pod's disruption budget.";

/// Returns the answer to a binding or an eviction that succeeded.
fn success() -> Answer {
    let status =
        json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
    Answer::json(201, status)
}

/// Reads the body as an object of another kind than the resource.
fn read(request: &Request<'_>, kind: &str, versions: &[&str]) -> Result<Value, Failure> {
    decode::check_media_type(request)?;
    options::check(request.call, "CreateOptions")?;
    let mut body = decode::typed(request, kind, versions)?;
    let namespace = meta::namespace(&body);
    if !namespace.is_empty() && namespace != request.namespace() {
        return Err(Failure::bad_request(
            "the namespace of the provided object does not match the namespace sent on the request",
        ));
    }
    meta::set(&mut body, "namespace", request.namespace());
    Ok(body)
}

fn check_name(request: &Request<'_>, body: &Value, kind: &str) -> Result<(), Failure> {
    if meta::name(body) == request.name() {
        return Ok(());
    }
    let message = format!("name in URL does not match name in {kind} object");
    Err(Failure::bad_request(message))
}

/// Sets a condition of a pod.
fn set_condition(state: &State, pod: &mut Value, mut condition: Value) {
    condition["lastProbeTime"] = Value::Null;
    condition["lastTransitionTime"] = Value::from(state.clock.text());
    put_condition(pod, condition);
}

/// Puts a condition into the status of an object. Its time stays if its status does.
fn put_condition(object: &mut Value, mut condition: Value) {
    if !object.get("status").is_some_and(Value::is_object) {
        object["status"] = json!({});
    }
    let status = &mut object["status"];
    if !status.get("conditions").is_some_and(Value::is_array) {
        status["conditions"] = json!([]);
    }
    let Some(conditions) = status["conditions"].as_array_mut() else {
        return;
    };
    let is_same = |known: &&mut Value| known.get("type") == condition.get("type");
    match conditions.iter_mut().find(is_same) {
        Some(known) => {
            if known.get("status") == condition.get("status") {
                condition["lastTransitionTime"] =
                    known.get("lastTransitionTime").cloned().unwrap_or_default();
            }
            *known = condition;
        }
        None => conditions.push(condition),
    }
}

/// Assigns a pod to a node, through `pods/binding`.
pub(super) fn bind(state: &mut State, request: &Request<'_>) -> Result<Answer, Failure> {
    let binding = read(request, "Binding", &["v1"])?;
    check_name(request, &binding, "Binding")?;
    assign(state, request, &binding, request.name())
}

/// Assigns a pod to a node, through `bindings`.
pub(super) fn bind_unnamed(state: &mut State, request: &Request<'_>) -> Result<Answer, Failure> {
    let binding = read(request, "Binding", &["v1"])?;
    let name = meta::name(&binding).to_owned();
    assign(state, request, &binding, &name)
}

fn assign(state: &mut State, request: &Request<'_>, binding: &Value, name: &str) -> Result<Answer, Failure> {
    let text = |key: &str| {
        let value = binding.pointer(&format!("/target/{key}"));
        value.and_then(Value::as_str).unwrap_or_default()
    };
    let mut errors = Vec::new();
    if !matches!(text("kind"), "" | "Node") {
        let supported = ["Node", "<empty>"];
        errors.push(kgen_schema::FieldError::not_supported(
            "target.kind",
            text("kind"),
            &supported,
        ));
    }
    if text("name").is_empty() {
        let required = kgen_schema::ErrorKind::Required;
        errors.push(kgen_schema::FieldError::new(required, "target.name", ""));
    }
    if !errors.is_empty() {
        return Err(Failure::internal(kgen_schema::joined(&errors)));
    }
    let resource = request.kind.resource.clone();
    let key = key(request.namespace(), name);
    let Some(found) = state.store.get(&resource, &key).cloned() else {
        return Err(request.kind.not_found(name));
    };
    let mut pod = (*found.object).clone();
    check_preconditions(request, binding, &pod, name)?;
    let conflict = |detail: &str| Err(Failure::conflict(name, "pods/binding", "", detail));
    if meta::is_being_deleted(&pod) {
        return conflict(&format!(
            "pod {name} is being deleted, cannot be assigned to a host"
        ));
    }
    let node = pod
        .pointer("/spec/nodeName")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !node.is_empty() {
        return conflict(&format!("pod {name} is already assigned to node \"{node}\""));
    }
    let gates = pod.pointer("/spec/schedulingGates").and_then(Value::as_array);
    if gates.is_some_and(|gates| !gates.is_empty()) {
        return conflict(&format!("pod {name} has non-empty .spec.schedulingGates"));
    }
    if request.call.is_dry_run() {
        return Ok(success());
    }
    pod["spec"]["nodeName"] = Value::from(text("name"));
    crate::kind::remove(&mut pod["status"], "nominatedNodeName");
    for part in ["annotations", "labels"] {
        let Some(added) = meta::of(binding).get(part).and_then(Value::as_object) else {
            continue;
        };
        let mut entries = meta::of(&pod)
            .get(part)
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        entries.extend(added.clone());
        if !entries.is_empty() {
            meta::set(&mut pod, part, Value::Object(entries));
        }
    }
    set_condition(state, &mut pod, json!({"type": "PodScheduled", "status": "True"}));
    state.store.put(&resource, &key, pod, found.epoch);
    Ok(success())
}

/// Compares the UID and the resource version that a binding names with those of the pod.
fn check_preconditions(
    request: &Request<'_>,
    binding: &Value,
    pod: &Value,
    name: &str,
) -> Result<(), Failure> {
    for (word, key) in [("UID", "uid"), ("ResourceVersion", "resourceVersion")] {
        let (wanted, found) = (meta::text(binding, key), meta::text(pod, key));
        if wanted.is_empty() || wanted == found {
            continue;
        }
        let root = if request.call.is_dry_run() {
            ""
        } else {
            "/registry"
        };
        let detail = format!(
            "StorageError: invalid object, Code: 4, Key: {root}/pods/{}/{name}, ResourceVersion: 0, AdditionalErrorMsg: \
             Precondition failed: {word} in precondition: {wanted}, {word} in object meta: {found}",
            request.namespace()
        );
        return Err(Failure::conflict(name, "pods", "", &detail));
    }
    Ok(())
}

/// Deletes a pod if its disruption budget allows it.
pub(super) fn evict(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    let eviction = read(request, "Eviction", &["policy/v1", "policy/v1beta1"])?;
    check_name(request, &eviction, "Eviction")?;
    let own = eviction
        .get("deleteOptions")
        .cloned()
        .unwrap_or_else(|| json!({}));
    let mut options = DeleteOptions::of(&own)?;
    options.is_dry_run |= request.call.is_dry_run();
    let key = request.key();
    let Some(found) = state.store.get(&request.kind.resource, &key).cloned() else {
        return Err(request.not_found().into());
    };
    draft.validate(
        state,
        request,
        Operation::Delete,
        Some(&found.object),
        &Value::Null,
    )?;
    let pod = &*found.object;
    let phase = pod.pointer("/status/phase").and_then(Value::as_str);
    // Pods that do not run yet or no more are not protected.
    let is_protected =
        !matches!(phase, Some("Succeeded" | "Failed" | "Pending")) && !meta::is_being_deleted(pod);
    if is_protected {
        let budgets = budgets_of(state, request, pod);
        match budgets.as_slice() {
            [] => {}
            [(name, budget)] => check_budget(state, request, pod, (name, budget), options.is_dry_run)?,
            _ => {
                let message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
                let status = json!({
                    "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message, "code": 500,
                });
                // The request succeeds with a `Status` that says the opposite.
                return Ok(Answer::json(201, status));
            }
        }
    }
    delete::check_preconditions(request, &options, pod)?;
    if options.is_dry_run {
        return Ok(success());
    }
    let mut pod = pod.clone();
    let condition = json!({
        "type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI",
        "message": "Eviction API: evicting",
    });
    set_condition(state, &mut pod, condition);
    state.store.put(&request.kind.resource, &key, pod, found.epoch);
    delete::remove(state, &request.kind, &key, &options);
    Ok(success())
}

/// Returns the disruption budgets that select a pod, with their names.
fn budgets_of(state: &State, request: &Request<'_>, pod: &Value) -> Vec<(String, Stored)> {
    let labels = meta::of(pod).get("labels").and_then(Value::as_object);
    if labels.is_none_or(Map::is_empty) {
        return Vec::new();
    }
    let prefix = format!("{}/", request.namespace());
    let budgets = state.store.list(BUDGETS, &prefix);
    budgets
        .filter(|(_, budget)| {
            let selector = budget.object.pointer("/spec/selector");
            selector.is_some_and(|selector| LabelSelector::from_json(selector).matches(pod))
        })
        .map(|(_, budget)| (meta::name(&budget.object).to_owned(), budget.clone()))
        .collect()
}

/// Refuses an eviction that a disruption budget does not allow, or else counts it. Mirrors `checkAndDecrement`.
fn check_budget(
    state: &mut State,
    request: &Request<'_>,
    pod: &Value,
    (name, found): (&str, &Stored),
    is_dry_run: bool,
) -> Result<(), Failure> {
    let budget = &*found.object;
    let number = |key: &str| {
        let number = budget.pointer(&format!("/status/{key}"));
        number.and_then(Value::as_i64).unwrap_or(0)
    };
    let conditions = |object: &Value| {
        let conditions = object.pointer("/status/conditions").and_then(Value::as_array);
        conditions.cloned().unwrap_or_default()
    };
    let (current, desired) = (number("currentHealthy"), number("desiredHealthy"));
    let is_ready = conditions(pod).iter().any(|condition| {
        condition.get("type").is_some_and(|kind| kind == "Ready")
            && condition.get("status").is_some_and(|status| status == "True")
    });
    if !is_ready {
        let policy = budget.pointer("/spec/unhealthyPodEvictionPolicy");
        if policy.is_some_and(|policy| policy == "AlwaysAllow") || (current >= desired && desired > 0) {
            return Ok(());
        }
    }
    if number("observedGeneration") < meta::generation(budget) {
        let cause = format!("The disruption budget {name} is still being processed by the server.");
        return Err(Failure::too_many_requests(DISRUPTED, 10).with_budget(&cause));
    }
    let allowed = number("disruptionsAllowed");
    if allowed < 0 {
        let detail = "pdb disruptions allowed is negative";
        return Err(Failure::forbidden(name, "poddisruptionbudget", "policy", detail));
    }
    if allowed == 0 {
        let conditions = conditions(budget);
        let condition = conditions.iter().find(|condition| {
            condition
                .get("type")
                .is_some_and(|kind| kind == "DisruptionAllowed")
                && condition.get("status").is_some_and(|status| status == "False")
        });
        let text = |key: &str| {
            let value = condition.and_then(|condition| condition.get(key));
            value.and_then(Value::as_str).unwrap_or_default()
        };
        let message = text("message");
        let cause = if text("reason") == "SyncFailed" && !message.is_empty() {
            format!("does not allow evicting pods currently because it failed sync: {message}")
        } else if current <= desired {
            format!("needs {desired} healthy pods and has {current} currently")
        } else if !message.is_empty() {
            format!(
                "does not allow evicting pods currently ({}): {message}",
                text("reason")
            )
        } else {
            "does not allow evicting pods currently".to_owned()
        };
        let cause = format!("The disruption budget {name} {cause}");
        return Err(Failure::too_many_requests(DISRUPTED, 0).with_budget(&cause));
    }
    if is_dry_run {
        return Ok(());
    }
    let mut budget = budget.clone();
    let now = state.clock.text();
    let status = &mut budget["status"];
    status["disruptionsAllowed"] = Value::from(allowed - 1);
    if !status.get("disruptedPods").is_some_and(Value::is_object) {
        status["disruptedPods"] = json!({});
    }
    status["disruptedPods"][request.name()] = Value::from(now.as_str());
    if allowed == 1 {
        insufficient(&mut budget, &now);
    }
    let resource = std::sync::Arc::from(BUDGETS);
    state
        .store
        .put(&resource, &key(request.namespace(), name), budget, found.epoch);
    Ok(())
}

/// Sets the condition of a budget that allows no more disruptions.
fn insufficient(budget: &mut Value, now: &str) {
    let generation = budget.pointer("/status/observedGeneration").cloned();
    let mut condition = json!({
        "type": "DisruptionAllowed", "status": "False", "reason": "InsufficientPods", "message": "",
        "lastTransitionTime": now,
    });
    if let Some(generation) = generation {
        condition["observedGeneration"] = generation;
    }
    put_condition(budget, condition);
}
