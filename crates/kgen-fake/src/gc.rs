//! The consequences of changes: definitions are established, garbage is collected, namespaces empty themselves.
//!
//! Mirrors the garbage collector and the namespace controller. Everything happens under the lock, directly after the write.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::kind::{Kind, definition};
use crate::meta;
use crate::state::{Garbage, State};
use crate::store::Change;
use crate::verbs::delete;
use crate::verbs::options::Propagation;

const DEFINITIONS: &str = "customresourcedefinitions.apiextensions.k8s.io";
const FOREGROUND: &str = "foregroundDeletion";
const ORPHAN: &str = "orphan";

/// Draws the consequences of all changes since the last call.
pub(crate) fn settle(state: &mut State) {
    while state.settled < state.store.revision() {
        // In the order of their changes: the first one to have a name keeps it.
        let mut definitions: Vec<String> = Vec::new();
        for change in state.store.changes_after(state.settled) {
            if &*change.resource == DEFINITIONS && !definitions.contains(&change.key) {
                definitions.push(change.key.clone());
            }
        }
        let removed: Vec<Value> = state
            .store
            .changes_after(state.settled)
            .filter(|change| &*change.resource == DEFINITIONS && change.deleted)
            .map(|change| (*change.new.object).clone())
            .collect();
        let makes_garbage = state.store.changes_after(state.settled).any(can_make_garbage);
        state.settled = state.store.revision();
        for crd in &removed {
            state.kinds.uninstall(crd);
        }
        if !removed.is_empty() {
            // Others may get the names that are free now.
            let others = state.store.list(DEFINITIONS, "");
            definitions.extend(others.map(|(name, _)| name.clone()));
        }
        for name in definitions {
            settle_definition(state, &name);
        }
        if state.garbage == Garbage::AtOnce && makes_garbage {
            collect(state);
        }
    }
}

/// Returns whether a change can make garbage. Most writes cannot, and need not look at all objects.
fn can_make_garbage(change: &Change) -> bool {
    let object = &change.new.object;
    change.deleted
        || meta::is_being_deleted(object)
        || !meta::owners(object).is_empty()
        || matches!(&*change.resource, DEFINITIONS | "namespaces")
}

/// Serves a definition, or deletes its objects.
fn settle_definition(state: &mut State, name: &str) {
    let Some(found) = state.store.get(DEFINITIONS, name).cloned() else {
        return;
    };
    let resource: Arc<str> = Arc::from(DEFINITIONS);
    let crd = &*found.object;
    let floor = state.store.revision();
    let all = state.store.list(DEFINITIONS, "");
    let in_use = definition::NamesInUse::beside(crd, all.map(|(_, stored)| &*stored.object));
    let status = definition::status(crd, &in_use, &state.clock.text());
    let mut object = crd.clone();
    object["status"] = status;
    let needs_install = match state.kinds.by_resource(name) {
        None => true,
        Some(kind) => {
            !kind.is_same_definition(crd)
                || object["status"]["acceptedNames"] != crd["status"]["acceptedNames"]
        }
    };
    if needs_install && definition::is_established(&object) {
        // Definitions that cannot be read were refused when they were created.
        let mut served = object.clone();
        served["spec"]["names"] = object["status"]["acceptedNames"].clone();
        let _ = state.kinds.install(&served, floor);
    }
    if meta::is_being_deleted(crd) {
        if !meta::finalizers(crd).contains(&definition::CLEANUP) {
            return;
        }
        // A definition whose names were never accepted has no objects.
        let keys: Vec<String> = state.store.list(name, "").map(|(key, _)| key.clone()).collect();
        if let Some(kind) = state.kinds.by_resource(name).cloned() {
            for key in &keys {
                delete::collect(state, &kind, key, None);
            }
        }
        if state.store.list(name, "").next().is_none() {
            let mut object = crd.clone();
            let left: Vec<String> = meta::finalizers(crd)
                .into_iter()
                .filter(|name| *name != definition::CLEANUP)
                .map(str::to_owned)
                .collect();
            meta::set_finalizers(&mut object, &left);
            if left.is_empty() {
                state.store.remove(&resource, name);
            } else {
                state.store.put(&resource, name, object, found.epoch);
            }
        }
        return;
    }
    if object != *crd {
        state.store.put(&resource, name, object, found.epoch);
    }
}

/// An object with its kind and key.
struct Item {
    kind: Arc<Kind>,
    key: String,
    object: Arc<Value>,
    epoch: u64,
}

/// Deletes everything that has lost its owners, until nothing changes anymore.
pub(crate) fn collect(state: &mut State) {
    // Each round deletes or changes something, so the number of rounds is limited by the number of objects.
    loop {
        let before = state.store.revision();
        finish_definitions(state);
        let items = all(state);
        let owned = items.iter().any(|item| !meta::owners(&item.object).is_empty());
        let waiting = items.iter().any(|item| {
            let finalizers = meta::finalizers(&item.object);
            meta::is_being_deleted(&item.object)
                && (finalizers.contains(&FOREGROUND) || finalizers.contains(&ORPHAN))
        });
        if owned || waiting {
            round(state, &items);
        }
        empty_namespaces(state);
        if state.store.revision() == before {
            return;
        }
    }
}

/// Removes definitions whose last object is gone.
fn finish_definitions(state: &mut State) {
    let deleted: Vec<String> = state
        .store
        .list(DEFINITIONS, "")
        .filter(|(_, stored)| meta::is_being_deleted(&stored.object))
        .map(|(key, _)| key.clone())
        .collect();
    for name in deleted {
        settle_definition(state, &name);
    }
}

fn all(state: &State) -> Vec<Item> {
    let mut items = Vec::new();
    for resource in state.store.resources() {
        let Some(kind) = state.kinds.by_resource(&resource) else {
            continue;
        };
        for (key, stored) in state.store.list(&resource, "") {
            items.push(Item {
                kind: kind.clone(),
                key: key.clone(),
                object: stored.object.clone(),
                epoch: stored.epoch,
            });
        }
    }
    items
}

/// The state of an owner.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Present,
    /// It is deleted after its dependents.
    Waiting,
    Absent,
    /// The collector cannot look for it, so it deletes nothing.
    Unknown,
}

fn round(state: &mut State, items: &[Item]) {
    let by_uid: BTreeMap<&str, &Item> = items.iter().map(|item| (meta::uid(&item.object), item)).collect();
    let mut dependents: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for item in items {
        for owner in meta::owners(&item.object) {
            let uid = owner.get("uid").and_then(Value::as_str).unwrap_or_default();
            dependents.entry(uid).or_default().push(item);
        }
    }
    let owner_state = |state: &State, item: &Item, owner: &Value| {
        let text = |key: &str| owner.get(key).and_then(Value::as_str).unwrap_or_default();
        let Some(kind) = state.kinds.find_served(text("apiVersion"), text("kind")) else {
            let is_known = was_deleted(state, text("uid"));
            return if is_known { Owner::Absent } else { Owner::Unknown };
        };
        if kind.is_namespaced && !item.kind.is_namespaced {
            return Owner::Unknown;
        }
        match by_uid.get(text("uid")) {
            Some(found)
                if found.kind.resource == kind.resource
                    && meta::name(&found.object) == text("name")
                    && matches!(meta::namespace(&found.object), namespace if namespace.is_empty() || namespace == meta::namespace(&item.object)) =>
            {
                let finalizers = meta::finalizers(&found.object);
                if meta::is_being_deleted(&found.object) && finalizers.contains(&FOREGROUND) {
                    Owner::Waiting
                } else {
                    Owner::Present
                }
            }
            _ => Owner::Absent,
        }
    };
    for item in items {
        let uid = meta::uid(&item.object);
        let mine = dependents.get(uid).map(Vec::as_slice).unwrap_or_default();
        let finalizers = meta::finalizers(&item.object);
        if meta::is_being_deleted(&item.object) {
            if finalizers.contains(&ORPHAN) {
                for dependent in mine {
                    drop_owners(state, dependent, |owner| {
                        owner.get("uid").and_then(Value::as_str) == Some(uid)
                    });
                }
                drop_finalizer(state, item, ORPHAN);
                return;
            }
            let blocks = |dependent: &&&Item| {
                meta::owners(&dependent.object).iter().any(|owner| {
                    owner.get("uid").and_then(Value::as_str) == Some(uid)
                        && owner.get("blockOwnerDeletion") == Some(&Value::Bool(true))
                })
            };
            if finalizers.contains(&FOREGROUND) && mine.iter().filter(blocks).count() == 0 {
                drop_finalizer(state, item, FOREGROUND);
                return;
            }
        }
        let owners = meta::owners(&item.object);
        if owners.is_empty() || meta::is_being_deleted(&item.object) {
            continue;
        }
        let states: Vec<Owner> = owners
            .iter()
            .map(|owner| owner_state(state, item, owner))
            .collect();
        if states.contains(&Owner::Unknown) {
            continue;
        }
        if states.contains(&Owner::Present) {
            if states.iter().any(|state| *state != Owner::Present) {
                let mut states = states.into_iter();
                drop_owners(state, item, |_| states.next() != Some(Owner::Present));
                return;
            }
            continue;
        }
        let propagation = if states.contains(&Owner::Waiting) && !mine.is_empty() {
            Propagation::Foreground
        } else if finalizers.contains(&ORPHAN) {
            Propagation::Orphan
        } else if finalizers.contains(&FOREGROUND) {
            Propagation::Foreground
        } else {
            Propagation::Background
        };
        delete::collect(state, &item.kind, &item.key, Some(propagation));
        return;
    }
}

/// Returns whether an object with this UID was deleted. The collector remembers these, also after the kind is gone.
fn was_deleted(state: &State, uid: &str) -> bool {
    let mut changes = state.store.changes_after(0);
    changes.any(|change| change.deleted && meta::uid(&change.new.object) == uid)
}

/// Removes owner references from an object.
fn drop_owners(state: &mut State, item: &Item, mut is_dropped: impl FnMut(&Value) -> bool) {
    let mut object = (*item.object).clone();
    let kept: Vec<Value> = meta::owners(&object)
        .iter()
        .filter(|owner| !is_dropped(owner))
        .cloned()
        .collect();
    if kept.is_empty() {
        meta::unset(&mut object, "ownerReferences");
    } else {
        meta::set(&mut object, "ownerReferences", kept);
    }
    state
        .store
        .put(&item.kind.resource, &item.key, object, item.epoch);
}

/// Removes a finalizer, and the object if it was the last one.
fn drop_finalizer(state: &mut State, item: &Item, name: &str) {
    let mut object = (*item.object).clone();
    let left: Vec<String> = meta::finalizers(&item.object)
        .into_iter()
        .filter(|finalizer| *finalizer != name)
        .map(str::to_owned)
        .collect();
    meta::set_finalizers(&mut object, &left);
    let grace = meta::of(&object)
        .get("deletionGracePeriodSeconds")
        .and_then(Value::as_i64);
    if left.is_empty() && grace.unwrap_or(0) == 0 {
        state.store.remove(&item.kind.resource, &item.key);
    } else {
        state
            .store
            .put(&item.kind.resource, &item.key, object, item.epoch);
    }
}

/// The objects that remain in a namespace that is being deleted.
#[derive(Default)]
struct Remaining {
    resources: BTreeMap<String, usize>,
    finalizers: BTreeMap<String, usize>,
}

impl Remaining {
    fn count(&mut self, kind: &Kind, object: &Value) {
        *self
            .resources
            .entry(format!("{}.{}", kind.plural, kind.group))
            .or_default() += 1;
        for finalizer in meta::finalizers(object) {
            *self.finalizers.entry(finalizer.to_owned()).or_default() += 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    /// Writes the conditions of the namespace.
    fn report(&self, state: &mut State, namespace: &str) {
        let Some(found) = state.store.get("namespaces", namespace).cloned() else {
            return;
        };
        let list = |counts: &BTreeMap<String, usize>, verb: &str| {
            let counts = counts.iter();
            let counts = counts.map(|(name, count)| format!("{name} {verb} {count} resource instances"));
            counts.collect::<Vec<String>>().join(", ")
        };
        let remaining = format!("Some resources are remaining: {}", list(&self.resources, "has"));
        let (status, reason, waiting) = if self.finalizers.is_empty() {
            let message = "All content-preserving finalizers finished".to_owned();
            ("False", "ContentHasNoFinalizers", message)
        } else {
            let list = list(&self.finalizers, "in");
            let message = format!("Some content in the namespace has finalizers remaining: {list}");
            ("True", "SomeFinalizersRemain", message)
        };
        let mut object = (*found.object).clone();
        let before = object
            .pointer("/status/conditions")
            .and_then(Value::as_array)
            .cloned();
        let before = before.unwrap_or_default();
        let now = state.clock.text();
        let conditions: Vec<Value> = [
            (
                "NamespaceDeletionDiscoveryFailure",
                "False",
                "ResourcesDiscovered",
                "All resources successfully discovered",
            ),
            (
                "NamespaceDeletionGroupVersionParsingFailure",
                "False",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed",
            ),
            (
                "NamespaceDeletionContentFailure",
                "False",
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization",
            ),
            (
                "NamespaceContentRemaining",
                "True",
                "SomeResourcesRemain",
                &remaining,
            ),
            ("NamespaceFinalizersRemaining", status, reason, &waiting),
        ]
        .into_iter()
        .map(|(kind, status, reason, message)| {
            let old = before
                .iter()
                .find(|old| old.get("type").is_some_and(|found| found == kind));
            let same = old.filter(|old| old.get("status").is_some_and(|found| found == status));
            let time = same.and_then(|old| old.get("lastTransitionTime")).cloned();
            json!({
                "type": kind, "status": status, "reason": reason, "message": message,
                "lastTransitionTime": time.unwrap_or_else(|| Value::from(now.as_str())),
            })
        })
        .collect();
        object["status"]["conditions"] = Value::from(conditions);
        if object != *found.object {
            let resource: Arc<str> = Arc::from("namespaces");
            state.store.put(&resource, namespace, object, found.epoch);
        }
    }
}

/// Deletes the content of namespaces that are being deleted, and then the namespaces.
fn empty_namespaces(state: &mut State) {
    let deleted: Vec<String> = state
        .store
        .list("namespaces", "")
        .filter(|(_, stored)| meta::is_being_deleted(&stored.object))
        .map(|(key, _)| key.clone())
        .collect();
    for namespace in deleted {
        let prefix = format!("{namespace}/");
        let kinds: Vec<Arc<Kind>> = state
            .kinds
            .all()
            // Kinds that show the objects of another one would count them twice.
            .filter(|kind| kind.is_namespaced && kind.row().is_none_or(|row| row.shared.is_none()))
            .cloned()
            .collect();
        let mut rest = Remaining::default();
        for kind in kinds {
            let keys: Vec<String> = state
                .store
                .list(&kind.resource, &prefix)
                .map(|(key, _)| key.clone())
                .collect();
            for key in keys {
                let is_deleted = state
                    .store
                    .get(&kind.resource, &key)
                    .is_some_and(|found| meta::is_being_deleted(&found.object));
                if !is_deleted {
                    delete::collect(state, &kind, &key, Some(Propagation::Background));
                }
                if let Some(found) = state.store.get(&kind.resource, &key) {
                    rest.count(&kind, &found.object);
                }
            }
        }
        if !rest.is_empty() {
            rest.report(state, &namespace);
            continue;
        }
        let Some(found) = state.store.get("namespaces", &namespace).cloned() else {
            continue;
        };
        let resource: Arc<str> = Arc::from("namespaces");
        let mut object = (*found.object).clone();
        let finalizers = object
            .pointer("/spec/finalizers")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let left: Vec<Value> = finalizers
            .into_iter()
            .filter(|name| name != "kubernetes")
            .collect();
        object["spec"] = if left.is_empty() {
            json!({})
        } else {
            json!({"finalizers": left})
        };
        if left.is_empty() && meta::finalizers(&object).is_empty() {
            state.store.remove(&resource, &namespace);
        } else if object != *found.object {
            state.store.put(&resource, &namespace, object, found.epoch);
        }
    }
}
