//! Keeps the managed fields of an object during writes, and merges applied objects: the functions that verbs call.
//!
//! [`FieldManager::update`] is called after a create, update or patch has produced the new object, and
//! [`FieldManager::apply`] merges an applied object into the live one. Neither fills in defaults: an updated object must have
//! them already, and an applied object gets them afterwards, so that the applier does not own them.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::conflict::ApplyError;
use super::managed::{Entry, Identity, Managed, Operation, list_in};
use super::merge::merge;
use super::set::{Path, Set};
use super::updater::Updater;
use super::validate::{Duplicates, validate};
use super::value::equal;
use super::version::Versions;

/// The manager of the fields that an object had before it was applied for the first time.
const BEFORE_FIRST_APPLY: &str = "before-first-apply";

/// Paths that nobody owns, because the API server sets them or they identify the object.
static UNOWNED: LazyLock<Set> = LazyLock::new(|| {
    let metadata = [
        "name",
        "namespace",
        "creationTimestamp",
        "selfLink",
        "uid",
        "clusterName",
        "generation",
        "managedFields",
        "resourceVersion",
    ];
    let top = ["apiVersion", "kind", "metadata"].map(|name| Path::fields([name]));
    let metadata = metadata.map(|name| Path::fields(["metadata", name]));
    Set::of(top.into_iter().chain(metadata))
});

/// An endpoint of a kind, which keeps the managed fields of its objects.
///
/// ```
/// use kgen_fake::apply::{FieldManager, Kind, Schema, Version};
/// use serde_json::json;
///
/// let schema = kgen_schema::Schema::read(&json!({"type": "object", "properties": {
///     "spec": {"type": "object", "properties": {"size": {"type": "integer"}}},
/// }}))?;
/// let schema = Schema::of_custom_resource(&schema);
/// let kind = Kind::with_version("example.org/v1", Version::of_custom_resource(schema, true));
/// let fields = FieldManager::new(&kind, "example.org/v1", "Widget", "");
///
/// let applied = json!({
///     "apiVersion": "example.org/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"size": 2},
/// });
/// let object = fields.apply(None, &applied, "m1", false, "2026-01-01T00:00:00Z")?;
/// assert_eq!(object["metadata"]["managedFields"][0]["fieldsV1"], json!({"f:spec": {"f:size": {}}}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct FieldManager<'k> {
    kinds: &'k dyn Versions,
    api_version: &'k str,
    kind: &'k str,
    subresource: &'k str,
}

impl<'k> FieldManager<'k> {
    /// Returns the field manager of an endpoint. `subresource` is empty for the resource itself.
    pub fn new(kinds: &'k dyn Versions, api_version: &'k str, kind: &'k str, subresource: &'k str) -> Self {
        Self {
            kinds,
            api_version,
            kind,
            subresource,
        }
    }

    /// Sets the managed fields of an object that was created, updated or patched.
    ///
    /// `live` is the object before, in the version of the endpoint, or `None` for a new object. If the managed fields cannot
    /// be determined, because the object does not fit its schema, they are removed, as the API server does.
    pub fn update(&self, live: Option<&Value>, new: &mut Value, manager: &str, time: &str) {
        let mut managed = self.managed_before(live, new);
        remove_managed_fields(new);
        let is_tracked = !managed.is_empty() || live.and_then(uid).is_none_or(str::is_empty);
        if !is_tracked {
            return;
        }
        let empty = self.empty();
        let live = live.map(bare);
        let live = live.as_ref().unwrap_or(&empty);
        if self.updated(live, new, &mut managed, manager, time).is_ok() {
            managed.write_to(new);
        }
    }

    /// Merges an applied object into the live object, and returns the result with its managed fields.
    ///
    /// `live` is in the version of the endpoint; `None` creates the object. If the result is the live object, the time of
    /// the manager does not change.
    ///
    /// # Errors
    ///
    /// Returns an error if other managers own fields that would change and `force` is not set, or if the object cannot be
    /// applied at all.
    pub fn apply(
        &self,
        live: Option<&Value>,
        applied: &Value,
        manager: &str,
        force: bool,
        time: &str,
    ) -> Result<Value, ApplyError> {
        let text = |key: &str| applied.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("apiVersion") != self.api_version || text("kind") != self.kind {
            let found = group_version_kind(text("apiVersion"), text("kind"));
            return Err(ApplyError::BadRequest(format!("invalid object type: {found}")));
        }
        if list_in(applied).is_some() {
            return Err(ApplyError::BadRequest(
                "metadata.managedFields must be nil".to_owned(),
            ));
        }
        let managed = live.map_or_else(|| Ok(Managed::default()), Managed::of_stored);
        let mut managed = managed
            .map_err(|error| ApplyError::Internal(format!("failed to decode managed fields: {error}")))?;
        let empty = self.empty();
        let live = live.unwrap_or(&empty);
        let object = bare(live);
        if managed.is_empty() {
            self.updated(&empty, &object, &mut managed, BEFORE_FIRST_APPLY, time)
                .map_err(|error| {
                    ApplyError::Internal(format!("failed to create manager for existing fields: {error}"))
                })?;
        }
        self.merged((live, object), applied, managed, (manager, force, time))
    }

    /// Merges the applied object into `object`, which is the live object without its managed fields.
    fn merged(
        &self,
        (live, mut object): (&Value, Value),
        applied: &Value,
        mut managed: Managed,
        (manager, force, time): (&str, bool, &str),
    ) -> Result<Value, ApplyError> {
        let updater = self.updater()?;
        let schema = &updater.version.schema;
        let typed = |kind: &str, object: &Value, duplicates: Duplicates| {
            validate(object, schema, duplicates).map_err(|error| {
                let found = self.described(object);
                ApplyError::Internal(format!("failed to create typed {kind} object ({found}): {error}"))
            })
        };
        typed("patch", applied, Duplicates::Refused)?;
        typed("live", &object, Duplicates::Allowed)?;
        updater.check_versions(live, &mut managed)?;

        let identity = Identity::new(
            manager_or_unknown(manager),
            Operation::Apply,
            self.api_version,
            self.subresource,
        );
        let last = managed.take(&identity);
        let set = Set::of_object(applied, schema).recursive_difference(updater.reset);
        managed.put(Entry {
            api_version: self.api_version.to_owned(),
            fields: set.into(),
            time: last.as_ref().and_then(|last| last.time.clone()),
            identity: identity.clone(),
        });

        merge(&mut object, applied, schema);
        if let Some(last) = &last {
            object = updater
                .pruned(object, &managed, last)
                .map_err(|error| ApplyError::Internal(format!("failed to prune fields: {error}")))?;
        }
        let is_changed = !is_same(live, &object);
        if is_changed {
            updater.settle(live, &object, &mut managed, Some(&identity), force)?;
            self.kinds.check_applied().map_err(|error| {
                let found = self.described(applied);
                ApplyError::Internal(format!(
                    "failed to convert new object ({found}) to proper version: {error}"
                ))
            })?;
        }
        if let Some(mut entry) = managed.take(&identity) {
            let set = entry.fields.into_set().difference(&UNOWNED);
            entry.fields = match last {
                Some(last) if *last.set() == set => last.fields,
                _ => set.into(),
            };
            if is_changed {
                entry.time = Some(time.to_owned());
            }
            if !entry.fields.is_empty() {
                managed.put(entry);
            }
        }
        managed.write_to(&mut object);
        Ok(object)
    }

    /// Makes the manager the owner of all differences between two objects.
    fn updated(
        &self,
        live: &Value,
        new: &Value,
        managed: &mut Managed,
        manager: &str,
        time: &str,
    ) -> Result<(), ApplyError> {
        let updater = self.updater()?;
        for (word, object) in [("new", new), ("live", live)] {
            validate(object, &updater.version.schema, Duplicates::Allowed).map_err(|error| {
                let found = self.described(object);
                ApplyError::Internal(format!(
                    "failed to convert {word} object ({found}) to smd typed: {error}"
                ))
            })?;
        }
        updater.check_versions(live, managed)?;
        let changes = updater.settle(live, new, managed, None, true)?;
        let set = changes.modified.union(&changes.added).difference(&UNOWNED);
        if !set.is_empty() {
            let identity = Identity::new(
                manager_or_unknown(manager),
                Operation::Update,
                self.api_version,
                self.subresource,
            );
            let set = match managed.entry(&identity) {
                Some(previous) => previous.set().union(&set),
                None => set,
            };
            managed.put(Entry {
                identity,
                api_version: self.api_version.to_owned(),
                fields: set.into(),
                time: Some(time.to_owned()),
            });
        }
        managed.merge_old_updaters();
        Ok(())
    }

    /// Returns the managed fields before a write. A write to the resource itself may replace or reset them.
    fn managed_before(&self, live: Option<&Value>, new: &Value) -> Managed {
        let of_live = || {
            let managed = live.map(Managed::of_stored).and_then(Result::ok);
            managed.unwrap_or_default()
        };
        let given = list_in(new);
        if !self.subresource.is_empty() || given == live.and_then(list_in) {
            return of_live();
        }
        let is_reset = given.is_some_and(|list| match &**list {
            [] => true,
            [Value::Object(entry)] => entry.is_empty(),
            _ => false,
        });
        if is_reset {
            return Managed::default();
        }
        match given.map(|list| Managed::from_json(list)) {
            Some(Ok(managed)) if !managed.is_empty() => managed,
            _ => of_live(),
        }
    }

    fn updater(&self) -> Result<Updater<'_>, ApplyError> {
        let version = self.kinds.version(self.api_version).ok_or_else(|| {
            let wanted = group_version_kind(self.api_version, self.kind);
            ApplyError::Internal(format!("no corresponding type for {wanted}"))
        })?;
        Ok(Updater::new(
            self.kinds,
            self.api_version,
            version,
            self.subresource,
        ))
    }

    /// Returns an object of which only the type is known.
    fn empty(&self) -> Value {
        let mut empty = self
            .kinds
            .version(self.api_version)
            .map_or_else(|| json!({}), |version| version.empty.clone());
        empty["apiVersion"] = json!(self.api_version);
        empty["kind"] = json!(self.kind);
        empty
    }

    /// Returns the name and the type of an object as messages show them.
    fn described(&self, object: &Value) -> String {
        let metadata = object.get("metadata");
        let text = |key: &str| {
            let value = metadata.and_then(|metadata| metadata.get(key));
            value.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let type_ = group_version_kind(self.api_version, self.kind);
        format!("{}/{}; {type_}", text("namespace"), text("name"))
    }
}

/// Returns the name of the manager of a request: the parameter `fieldManager`, or the beginning of the user agent.
pub fn manager_of_request(field_manager: Option<&str>, user_agent: &str) -> String {
    /// The longest name of a manager, in bytes.
    const MAX_LENGTH: usize = 128;

    if let Some(manager) = field_manager.filter(|manager| !manager.is_empty()) {
        return manager.to_owned();
    }
    let program = user_agent.split('/').next().unwrap_or_default();
    let mut manager = String::new();
    for character in program.chars().filter(|character| !character.is_control()) {
        if manager.len() + character.len_utf8() > MAX_LENGTH {
            break;
        }
        manager.push(character);
    }
    manager
}

/// Restores the times of the managed fields if nothing else changed, so that a write without changes stays one.
pub fn keep_times(live: &Value, new: &mut Value) {
    let (Some(old), Some(list)) = (list_in(live), list_in(new)) else {
        return;
    };
    let without_time = |entry: &Value| {
        let mut entry = entry.clone();
        if let Value::Object(entry) = &mut entry {
            entry.remove("time");
        }
        entry
    };
    let is_same = old.len() == list.len()
        && old != list
        && old
            .iter()
            .zip(list)
            .all(|(old, new)| without_time(old) == without_time(new));
    if is_same && bare(live) == bare(new) {
        let old = Value::Array(old.clone());
        if let Some(list) = new.pointer_mut("/metadata/managedFields") {
            *list = old;
        }
    }
}

fn manager_or_unknown(manager: &str) -> &str {
    if manager.is_empty() { "unknown" } else { manager }
}

fn uid(object: &Value) -> Option<&str> {
    object.get("metadata")?.get("uid")?.as_str()
}

/// Returns an object without its managed fields.
fn bare(object: &Value) -> Value {
    let Value::Object(entries) = object else {
        return object.clone();
    };
    let mut bare = Map::new();
    for (name, value) in entries {
        let value = match value {
            Value::Object(metadata) if name == "metadata" => {
                let kept = metadata.iter().filter(|(name, _)| *name != "managedFields");
                kept.map(|(name, value)| (name.clone(), value.clone())).collect()
            }
            value => value.clone(),
        };
        bare.insert(name.clone(), value);
    }
    Value::Object(bare)
}

/// Returns whether two objects are equal, apart from their managed fields.
pub(crate) fn is_same(left: &Value, right: &Value) -> bool {
    let (Value::Object(left), Value::Object(right)) = (left, right) else {
        return false;
    };
    let counted =
        |metadata: &Map<String, Value>| metadata.len() - usize::from(metadata.contains_key("managedFields"));
    left.len() == right.len()
        && left.iter().all(|(name, value)| match (value, right.get(name)) {
            (Value::Object(metadata), Some(Value::Object(other))) if name == "metadata" => {
                let mut entries = metadata.iter().filter(|(name, _)| *name != "managedFields");
                counted(metadata) == counted(other)
                    && entries.all(|(name, value)| other.get(name).is_some_and(|other| equal(value, other)))
            }
            (value, other) => other.is_some_and(|other| equal(value, other)),
        })
}

fn remove_managed_fields(object: &mut Value) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        metadata.remove("managedFields");
    }
}

/// Returns a type as Go prints it.
fn group_version_kind(api_version: &str, kind: &str) -> String {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    format!("{group}/{version}, Kind={kind}")
}
