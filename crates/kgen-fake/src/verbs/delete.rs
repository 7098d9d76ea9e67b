//! Deleting objects: preconditions, finalizers, propagation, collections.

use k8s_openapi::jiff::{SignedDuration, Timestamp};
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
        Outcome::Gone(marked) => {
            let mut old = old;
            let is_marked = marked.is_some();
            if let Some(marked) = marked {
                old = *marked;
                if !options.is_dry_run {
                    let stored = state.store.put(&kind.resource, &request.key(), old, found.epoch);
                    old = (*stored.object).clone();
                }
            }
            if !options.is_dry_run {
                state.store.remove(&kind.resource, &request.key());
            }
            if !options.is_dry_run && !is_marked {
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
            | "Namespace"
            | "StorageClass"
            | "CSIDriver"
            | "CSINode"
            | "VolumeAttachment"
            | "VolumeAttributesClass"
            | "DeviceClass"
            | "ResourceClaim"
            | "ResourceClaimTemplate"
            | "ResourceSlice"
    )
}

enum Outcome {
    /// The object is removed now. A pod is marked first, even if it has no time left.
    Gone(Option<Box<Value>>),
    /// The object stays until its finalizers are removed, or until its time is over.
    Waiting(Box<Value>),
}

/// Returns the propagation of a deletion that does not name one.
fn default_propagation(kind: &crate::kind::Kind) -> Option<Propagation> {
    // For compatibility with clients that were written before there was a garbage collector.
    matches!(&*kind.resource, "jobs.batch" | "replicationcontrollers").then_some(Propagation::Orphan)
}

/// Returns the finalizers that a deletion leaves.
fn finalizers_of(object: &Value, kind: &crate::kind::Kind, options: &DeleteOptions) -> Vec<String> {
    let before: Vec<String> = meta::finalizers(object).into_iter().map(str::to_owned).collect();
    let is_named = before.iter().any(|name| name == FOREGROUND || name == ORPHAN);
    let propagation = options.propagation.or(match options.orphan {
        Some(true) => Some(Propagation::Orphan),
        Some(false) => Some(Propagation::Background),
        None if is_named => None,
        None => default_propagation(kind),
    });
    let Some(propagation) = propagation else {
        return before;
    };
    let added = match propagation {
        // Nobody collects what belongs to an event.
        _ if &*kind.resource == "events" => None,
        Propagation::Foreground => Some(FOREGROUND),
        Propagation::Orphan => Some(ORPHAN),
        Propagation::Background => None,
    };
    let is_kept = |name: &String| name != FOREGROUND && name != ORPHAN;
    match added {
        // An existing one keeps its place.
        Some(added) if before.iter().any(|name| name == added) => before
            .into_iter()
            .filter(|name| name == added || is_kept(name))
            .collect(),
        added => {
            let kept = before.into_iter().filter(is_kept);
            kept.chain(added.map(str::to_owned)).collect()
        }
    }
}

/// How a pod is deleted.
enum Grace {
    /// It is marked, and has this many seconds.
    Seconds(i64),
    /// It is being deleted already, and this request changes nothing.
    Pending,
    /// Its time is over.
    Over,
}

/// Marks a pod for its deletion, or shortens the time that it has. Mirrors `rest.BeforeDelete`.
fn mark_pod(state: &State, pod: &mut Value, options: &DeleteOptions) -> Grace {
    let positive = |seconds: i64| if seconds < 0 { 1 } else { seconds };
    let now = state.clock.now();
    let later = |from: Timestamp, seconds: i64| {
        from.checked_add(SignedDuration::from_secs(seconds))
            .unwrap_or(from)
    };
    let asked = options.grace.map(positive);
    if meta::is_being_deleted(pod) {
        let given = meta::of(pod)
            .get("deletionGracePeriodSeconds")
            .and_then(Value::as_i64);
        let given = positive(given.unwrap_or(0));
        let mut seconds = match asked {
            _ if given == 0 => return Grace::Over,
            Some(seconds) if seconds < given => seconds,
            _ => return Grace::Pending,
        };
        let mut end = meta::text(pod, "deletionTimestamp").parse().unwrap_or(now);
        end = later(end, seconds - given);
        if end < now {
            end = now;
            seconds = seconds.min(1);
        }
        meta::set(pod, "deletionTimestamp", crate::clock::text_of(end));
        meta::set(pod, "deletionGracePeriodSeconds", seconds);
        return Grace::Seconds(seconds);
    }
    let spec = |key: &str| pod.pointer(&format!("/spec/{key}"));
    let own = spec("terminationGracePeriodSeconds").and_then(Value::as_i64);
    let is_scheduled = spec("nodeName")
        .and_then(Value::as_str)
        .is_some_and(|name| !name.is_empty());
    let phase = pod.pointer("/status/phase").and_then(Value::as_str);
    let is_over = !is_scheduled || matches!(phase, Some("Failed" | "Succeeded"));
    let seconds = if is_over {
        0
    } else {
        asked.or(own).map_or(0, positive)
    };
    let generation = meta::generation(pod);
    if generation > 0 {
        meta::set(pod, "generation", generation + 1);
    }
    meta::set(
        pod,
        "deletionTimestamp",
        crate::clock::text_of(later(now, seconds)),
    );
    meta::set(pod, "deletionGracePeriodSeconds", seconds);
    Grace::Seconds(seconds)
}

/// Decides about a deletion, and returns the object that waits for its finalizers.
fn mark(state: &State, found: &Stored, kind: &crate::kind::Kind, options: &DeleteOptions) -> Outcome {
    let object = &*found.object;
    let resource = &*kind.resource;
    if resource == "pods" {
        let mut pod = object.clone();
        match mark_pod(state, &mut pod, options) {
            Grace::Pending => return Outcome::Waiting(Box::new(object.clone())),
            Grace::Seconds(seconds) => {
                let finalizers = finalizers_of(object, kind, options);
                meta::set_finalizers(&mut pod, &finalizers);
                return if finalizers.is_empty() && seconds == 0 {
                    Outcome::Gone(Some(Box::new(pod)))
                } else {
                    Outcome::Waiting(Box::new(pod))
                };
            }
            Grace::Over => {}
        }
    }
    let mut finalizers = finalizers_of(object, kind, options);
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
        return Outcome::Gone(None);
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

pub(super) fn check_preconditions(
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
    let options = match propagation {
        Some(propagation) => DeleteOptions::with_propagation(propagation),
        None => DeleteOptions::default(),
    };
    remove(state, kind, key, &options);
}

/// Deletes an object that can be deleted.
pub(super) fn remove(state: &mut State, kind: &crate::kind::Kind, key: &str, options: &DeleteOptions) {
    let Some(found) = state.store.get(&kind.resource, key).cloned() else {
        return;
    };
    match mark(state, &found, kind, options) {
        Outcome::Gone(marked) => {
            if let Some(marked) = marked {
                state.store.put(&kind.resource, key, *marked, found.epoch);
            }
            state.store.remove(&kind.resource, key);
        }
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
        remove(state, &request.kind, &key, &options);
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
