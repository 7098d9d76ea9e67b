//! Deleting objects: preconditions, finalizers, propagation, collections.

use serde_json::{Value, json};

use super::options::{DeleteOptions, Propagation};
use super::{Answer, Request, decode, list};
use crate::admission::{Draft, Operation, Stop};
use crate::meta;
use crate::state::State;
use crate::status::{self, Failure};
use crate::store::Stored;
use crate::view::View;

const FOREGROUND: &str = "foregroundDeletion";
const ORPHAN: &str = "orphan";

pub(super) fn delete(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    if !request.call.body.is_empty() {
        decode::check_media_type(request)?;
    }
    let options = DeleteOptions::read(request.call)?;
    warn_about_pods(request, &options, draft);
    let kind = &request.kind;
    let Some(found) = state.store.get(&kind.resource, &request.key()).cloned() else {
        return Err(request.not_found().into());
    };
    check_preconditions(request, &options, &found.object)?;
    if &*kind.resource == "namespaces" && matches!(request.name(), "default" | "kube-system" | "kube-public")
    {
        let detail = "this namespace may not be deleted";
        return Err(Failure::forbidden(request.name(), &kind.plural, "", detail).into());
    }
    let old = kind.read(&found, request.version())?;
    draft.mutate(state, request, Operation::Delete, Some(&old), Value::Null)?;
    draft.validate(state, request, Operation::Delete, Some(&old), &Value::Null)?;
    let code = match options.propagation {
        None if options.orphan == Some(false) => 202,
        _ => 200,
    };
    match mark(state, &found, kind, &options) {
        Outcome::Gone => {
            let mut old = old;
            if &*kind.resource == "pods" {
                // A pod is marked first, even if it has no time left.
                let generation = meta::generation(&old) + 1;
                meta::set(&mut old, "generation", generation);
                meta::set(&mut old, "deletionTimestamp", state.clock.text());
                meta::set(&mut old, "deletionGracePeriodSeconds", 0);
                if !options.is_dry_run {
                    let stored = state.store.put(&kind.resource, &request.key(), old, found.epoch);
                    old = (*stored.object).clone();
                }
            }
            if !options.is_dry_run {
                state.store.remove(&kind.resource, &request.key());
            }
            if !options.is_dry_run && &*kind.resource != "pods" {
                meta::set(&mut old, "resourceVersion", state.store.revision().to_string());
            }
            if kind.row().is_some_and(|row| returns_deleted(&row.served.kind)) {
                return Ok(request.answer(200, old));
            }
            let uid = meta::uid(&found.object);
            Ok(Answer::json(
                200,
                status::deleted(request.name(), &kind.plural, &kind.group, uid),
            ))
        }
        Outcome::Waiting(object) => {
            let object = *object;
            if object == *found.object || options.is_dry_run {
                let shown = Stored::new(object, found.epoch);
                return Ok(request.answer(code, kind.read(&shown, request.version())?));
            }
            let stored = state
                .store
                .put(&kind.resource, &request.key(), object, found.epoch);
            Ok(request.answer(code, kind.read(&stored, request.version())?))
        }
    }
}

/// Warns that the pods of deleted Jobs remain.
fn warn_about_pods(request: &Request<'_>, options: &DeleteOptions, draft: &mut Draft) {
    if &*request.kind.resource == "jobs.batch" && options.propagation.is_none() && options.orphan.is_none() {
        draft.warnings.push(
            "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or \
             set propagationPolicy=Orphan to suppress this warning"
                .to_owned(),
        );
    }
}

/// Returns whether the answer to a deletion is the object, not a `Status`.
fn returns_deleted(kind: &str) -> bool {
    matches!(
        kind,
        "Pod"
            | "Service"
            | "ServiceAccount"
            | "PersistentVolumeClaim"
            | "PersistentVolume"
            | "PodTemplate"
            | "ResourceQuota"
    )
}

enum Outcome {
    /// The object is removed now.
    Gone,
    /// The object stays until its finalizers are removed.
    Waiting(Box<Value>),
}

/// Decides about a deletion, and returns the object that waits for its finalizers.
fn mark(state: &State, found: &Stored, kind: &crate::kind::Kind, options: &DeleteOptions) -> Outcome {
    let object = &*found.object;
    let mut finalizers: Vec<String> = meta::finalizers(object).into_iter().map(str::to_owned).collect();
    let propagation = options.propagation.or(match options.orphan {
        Some(true) => Some(Propagation::Orphan),
        Some(false) => Some(Propagation::Background),
        None => None,
    });
    if let Some(propagation) = propagation {
        let before = finalizers.clone();
        finalizers.retain(|name| name != FOREGROUND && name != ORPHAN);
        let added = match propagation {
            Propagation::Foreground => Some(FOREGROUND),
            Propagation::Orphan => Some(ORPHAN),
            Propagation::Background => None,
        };
        if let Some(added) = added {
            // An existing one keeps its place.
            if before.iter().any(|name| name == added) {
                finalizers = before
                    .into_iter()
                    .filter(|name| name == added || (name != FOREGROUND && name != ORPHAN))
                    .collect();
            } else {
                finalizers.push(added.to_owned());
            }
        }
    }
    let resource = &*kind.resource;
    let is_namespace = resource == "namespaces";
    if resource == "customresourcedefinitions.apiextensions.k8s.io"
        && !finalizers
            .iter()
            .any(|name| name == crate::kind::definition::CLEANUP)
        && !meta::is_being_deleted(object)
        && is_established(object)
    {
        finalizers.push(crate::kind::definition::CLEANUP.to_owned());
    }
    if finalizers.is_empty() && !(is_namespace && has_spec_finalizers(object)) {
        return Outcome::Gone;
    }
    let mut marked = object.clone();
    meta::set_finalizers(&mut marked, &finalizers);
    if is_namespace {
        marked["status"]["phase"] = json!("Terminating");
    }
    let has_grace = meta::of(&marked).contains_key("deletionGracePeriodSeconds");
    if !has_grace && meta::generation(&marked) > 0 {
        let generation = meta::generation(&marked) + 1;
        meta::set(&mut marked, "generation", generation);
    }
    if !meta::is_being_deleted(&marked) {
        meta::set(&mut marked, "deletionTimestamp", state.clock.text());
    }
    if !is_namespace {
        meta::set(&mut marked, "deletionGracePeriodSeconds", 0);
    }
    Outcome::Waiting(Box::new(marked))
}

fn is_established(crd: &Value) -> bool {
    let conditions = crd.pointer("/status/conditions").and_then(Value::as_array);
    conditions.is_some_and(|conditions| !conditions.is_empty())
}

pub(crate) fn has_spec_finalizers(object: &Value) -> bool {
    let finalizers = object.pointer("/spec/finalizers").and_then(Value::as_array);
    finalizers.is_some_and(|finalizers| !finalizers.is_empty())
}

fn check_preconditions(
    request: &Request<'_>,
    options: &DeleteOptions,
    object: &Value,
) -> Result<(), Failure> {
    let kind = &request.kind;
    let refuse = |detail: String| {
        Err(Failure::conflict(
            request.name(),
            &kind.kind,
            &kind.group,
            &detail,
        ))
    };
    if let Some(uid) = &options.uid
        && uid != meta::uid(object)
    {
        return refuse(format!(
            "the UID in the precondition ({uid}) does not match the UID in record ({}). The object might have been \
             deleted and then recreated",
            meta::uid(object)
        ));
    }
    if let Some(version) = &options.resource_version
        && version != meta::version(object)
    {
        return refuse(format!(
            "the ResourceVersion in the precondition ({version}) does not match the ResourceVersion in record ({}). The \
             object might have been modified",
            meta::version(object)
        ));
    }
    Ok(())
}

/// Deletes an object without a request, as the garbage collector does.
pub(crate) fn collect(
    state: &mut State,
    kind: &crate::kind::Kind,
    key: &str,
    propagation: Option<Propagation>,
) {
    let Some(found) = state.store.get(&kind.resource, key).cloned() else {
        return;
    };
    let options = match propagation {
        Some(propagation) => DeleteOptions::with_propagation(propagation),
        None => DeleteOptions::default(),
    };
    match mark(state, &found, kind, &options) {
        Outcome::Gone => state.store.remove(&kind.resource, key),
        Outcome::Waiting(object) if *object != *found.object => {
            state.store.put(&kind.resource, key, *object, found.epoch);
        }
        Outcome::Waiting(_) => {}
    }
}

pub(super) fn delete_collection(
    state: &mut State,
    request: &Request<'_>,
    draft: &mut Draft,
) -> Result<Answer, Stop> {
    if !request.call.body.is_empty() {
        decode::check_media_type(request)?;
    }
    let options = DeleteOptions::read(request.call)?;
    warn_about_pods(request, &options, draft);
    // Webhooks are asked one after the other, and the objects before them are gone then.
    let listed = match draft.collection.take() {
        Some(listed) => listed,
        None => list::collection(state, request)?,
    };
    draft.collection = Some(listed.clone());
    for object in listed.items.iter().map(View::value) {
        let key = crate::store::key(meta::namespace(object), meta::name(object));
        let found = state.store.get(&request.kind.resource, &key);
        if found.is_none_or(|found| meta::uid(&found.object) != meta::uid(object)) {
            continue;
        }
        draft.mutate(state, request, Operation::Delete, Some(object), Value::Null)?;
        draft.validate(state, request, Operation::Delete, Some(object), &Value::Null)?;
        if options.is_dry_run {
            continue;
        }
        let propagation = options.propagation.or(match options.orphan {
            Some(true) => Some(Propagation::Orphan),
            Some(false) => Some(Propagation::Background),
            None => None,
        });
        collect(state, &request.kind, &key, propagation);
    }
    Ok(listed.into_answer(request))
}

/// Replaces the finalizers in the spec of a namespace.
pub(super) fn finalize_namespace(state: &mut State, request: &Request<'_>) -> Result<Answer, Failure> {
    let mut warnings = Vec::new();
    let wanted = decode::object(request, &mut warnings)?;
    let Some(found) = state.store.get("namespaces", request.name()).cloned() else {
        return Err(request.not_found());
    };
    let mut object = (*found.object).clone();
    object["spec"] = wanted.get("spec").cloned().unwrap_or_else(|| json!({}));
    if meta::is_being_deleted(&object)
        && meta::finalizers(&object).is_empty()
        && !has_spec_finalizers(&object)
    {
        state.store.remove(&request.kind.resource, request.name());
        return Ok(request.answer(200, object));
    }
    let stored = state
        .store
        .put(&request.kind.resource, request.name(), object, found.epoch);
    Ok(request.answer(200, (*stored.object).clone()))
}

/// Returns whether a disruption budget selects a pod.
fn is_protected(state: &State, request: &Request<'_>, pod: &Value) -> bool {
    let prefix = format!("{}/", request.namespace());
    let mut budgets = state.store.list("poddisruptionbudgets.policy", &prefix);
    budgets.any(|(_, budget)| {
        let selector = budget.object.pointer("/spec/selector");
        selector.is_some_and(|selector| crate::selector::LabelSelector::from_json(selector).matches(pod))
    })
}

/// Deletes a pod that no disruption budget selects.
pub(super) fn evict(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    let key = request.key();
    let Some(found) = state.store.get(&request.kind.resource, &key).cloned() else {
        return Err(request.not_found().into());
    };
    if is_protected(state, request, &found.object) {
        let what = "the eviction of a pod that a PodDisruptionBudget selects";
        return Err(Failure::not_implemented(what).into());
    }
    draft.validate(
        state,
        request,
        Operation::Delete,
        Some(&found.object),
        &Value::Null,
    )?;
    if !request.call.is_dry_run() {
        collect(state, &request.kind, &key, None);
    }
    Ok(Answer::json(
        201,
        json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}),
    ))
}
