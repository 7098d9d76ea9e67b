//! Determines who owns what after a write, and which fields disappear because they no longer have an owner.
//!
//! Every manager owns paths in its own version, so objects are converted to that version before they are compared. The API
//! server's `merge.Updater` does the same.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::compare::Changes;
use super::conflict::ApplyError;
use super::managed::{Entry, Identity, Managed};
use super::remove::without;
use super::set::Set;
use super::validate::{Duplicates, validate};
use super::version::{ConversionError, Version, Versions};

static NOTHING: Set = Set::new();

/// The version of an endpoint and what it resets.
pub(crate) struct Updater<'u> {
    kinds: &'u dyn Versions,
    api_version: &'u str,
    subresource: &'u str,
    pub(crate) version: &'u Version,
    pub(crate) reset: &'u Set,
}

impl<'u> Updater<'u> {
    pub(crate) fn new(
        kinds: &'u dyn Versions,
        api_version: &'u str,
        version: &'u Version,
        subresource: &'u str,
    ) -> Self {
        Self {
            kinds,
            api_version,
            subresource,
            version,
            reset: reset(version, subresource),
        }
    }

    /// Checks that the live object can be converted to the versions of all managers. Drops the managers of versions that no
    /// longer exist.
    pub(crate) fn check_versions(&self, live: &Value, managed: &mut Managed) -> Result<(), ApplyError> {
        let mut result = Ok(());
        managed
            .entries
            .retain(|entry| match self.converted(live, &entry.api_version) {
                Ok(_) => true,
                Err(ConversionError::Missing) => false,
                Err(ConversionError::Failed(error)) => {
                    result = Err(ApplyError::Internal(error));
                    true
                }
            });
        result
    }

    /// Takes the changed paths away from their owners, except from `own`.
    ///
    /// # Errors
    ///
    /// Returns the conflicts if there are any and `force` is not set.
    pub(crate) fn settle(
        &self,
        old: &Value,
        new: &Value,
        managed: &mut Managed,
        own: Option<&Identity>,
        force: bool,
    ) -> Result<Changes, ApplyError> {
        let mut changes = Changes::between(old, new, &self.version.schema);
        changes.without(self.reset);
        let mut versions: BTreeMap<String, Differences<'_>> = BTreeMap::new();
        let here = Differences::new(Cow::Borrowed(&changes));
        versions.insert(self.api_version.to_owned(), here);

        let mut conflicts = Vec::new();
        let mut entries = Vec::with_capacity(managed.entries.len());
        for entry in std::mem::take(&mut managed.entries) {
            if own == Some(&entry.identity) {
                entries.push(entry);
                continue;
            }
            if !versions.contains_key(&*entry.api_version) {
                let Some(changes) = self.changes_in(old, new, &entry.api_version)? else {
                    continue;
                };
                let there = Differences::new(Cow::Owned(changes));
                versions.insert(entry.api_version.clone(), there);
            }
            let Some(differences) = versions.get(&*entry.api_version) else {
                continue;
            };
            let mut entry = entry;
            if entry.fields.may_share(&differences.touched_json) {
                let conflict = entry.set().intersection(&differences.touched);
                if !conflict.is_empty() {
                    entry.fields = entry.set().difference(&conflict).into();
                    conflicts.push((entry.identity.clone(), conflict));
                }
            }
            if entry.fields.may_share(&differences.removed_json) {
                let removed = &differences.changes.removed;
                if !entry.set().intersection(removed).is_empty() {
                    entry.fields = entry.set().difference(removed).into();
                }
            }
            entries.push(entry);
        }
        if !force && !conflicts.is_empty() {
            return Err(ApplyError::conflicts(conflicts));
        }
        entries.retain(|entry| !entry.fields.is_empty());
        managed.entries = entries;
        drop(versions);
        Ok(changes)
    }

    /// Compares two objects in another version. Returns `None` if the version no longer exists.
    fn changes_in(&self, old: &Value, new: &Value, api_version: &str) -> Result<Option<Changes>, ApplyError> {
        let convert = |object, what| match self.converted(object, api_version) {
            Ok(object) => Ok(Some(object)),
            Err(ConversionError::Missing) => Ok(None),
            Err(ConversionError::Failed(error)) => Err(ApplyError::Internal(format!(
                "failed to convert {what} object: {error}"
            ))),
        };
        let (Some(old), Some(new)) = (convert(old, "old")?, convert(new, "new")?) else {
            return Ok(None);
        };
        Ok(self.kinds.version(api_version).map(|version| {
            let mut changes = Changes::between(&old, &new, &version.schema);
            changes.without(reset(version, self.subresource));
            changes
        }))
    }

    /// Removes the fields that the manager applied last time and that nobody owns now.
    ///
    /// `managed` already has what the manager applies this time.
    pub(crate) fn pruned(&self, merged: Value, managed: &Managed, last: &Entry) -> Result<Value, String> {
        let own = managed
            .entries
            .iter()
            .find(|entry| entry.identity == last.identity);
        let keeps_all =
            own.is_some_and(|own| last.set().is_subset(own.set()) && own.api_version == last.api_version);
        if keeps_all || last.fields.is_empty() {
            return Ok(merged);
        }
        let Some(merged_before) = self.existing(&merged, &last.api_version, |error| {
            format!("failed to convert merged object to last applied version: {error}")
        })?
        else {
            return Ok(merged);
        };
        let Some(version) = self.kinds.version(&last.api_version) else {
            return Ok(merged);
        };
        let type_ = &version.schema.root;
        let last_set = last.set().with_named_fields(type_);
        let named = |object: &Value| Set::of_object(object, &version.schema).with_named_fields(type_);
        let merged_set = named(&merged_before);
        let pruned = without(&merged_before, &last_set, type_);
        let pruned = self
            .with_owned_items((&merged_before, &merged_set), pruned, &last.api_version, managed)
            .map_err(|error| format!("failed add back owned items: {error}"))?;
        let pruned = self.existing(&pruned, &last.api_version, |error| {
            format!(
                "failed add back dangling items: failed to convert pruned object to last applied version: {error}"
            )
        })?;
        // Fields that somebody else wrote without owning them stay.
        let result = match pruned {
            None => merged_before,
            Some(pruned) => {
                let gone = merged_set.difference(&named(&pruned));
                Cow::Owned(without(&merged_before, &gone.intersection(&last_set), type_))
            }
        };
        match self.converted(&result, self.api_version) {
            Ok(object) => Ok(object.into_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Adds back the items that other managers own, or that the manager itself applies this time.
    fn with_owned_items(
        &self,
        (merged, merged_set): (&Value, &Set),
        pruned: Value,
        first_version: &str,
        managed: &Managed,
    ) -> Result<Value, String> {
        let mut owned: BTreeMap<&str, Set> = BTreeMap::new();
        for entry in &managed.entries {
            let set = owned.entry(&entry.api_version).or_default();
            *set = set.union(entry.set());
        }
        // The version of the pruned object comes first, because the others may need its fields for the conversion.
        let first = owned.remove_entry(first_version);
        let (mut merged, mut pruned) = (Cow::Borrowed(merged), pruned);
        for (api_version, owned) in first.into_iter().chain(owned) {
            let failed = |what: &str| {
                let context = format!("failed to convert {what} object at version {api_version}: ");
                move |error: String| context + &error
            };
            let Some(merged_here) = self.existing(&merged, api_version, failed("merged"))? else {
                continue;
            };
            if let Cow::Owned(merged_here) = merged_here {
                merged = Cow::Owned(merged_here);
            }
            let (Some(pruned_here), Some(version)) = (
                self.existing(&pruned, api_version, failed("pruned"))?,
                self.kinds.version(api_version),
            ) else {
                continue;
            };
            let type_ = &version.schema.root;
            let named = |object: &Value| Set::of_object(object, &version.schema).with_named_fields(type_);
            let kept = named(&pruned_here).union(&owned.with_named_fields(type_));
            let here = if api_version == first_version {
                Cow::Borrowed(merged_set)
            } else {
                Cow::Owned(named(&merged))
            };
            pruned = without(&merged, &here.difference(&kept), type_);
        }
        Ok(pruned)
    }

    /// Converts an object. Returns `None` if the version no longer exists.
    fn existing<'v>(
        &self,
        object: &'v Value,
        api_version: &str,
        failed: impl FnOnce(String) -> String,
    ) -> Result<Option<Cow<'v, Value>>, String> {
        match self.converted(object, api_version) {
            Ok(object) => Ok(Some(object)),
            Err(ConversionError::Missing) => Ok(None),
            Err(ConversionError::Failed(error)) => Err(failed(error)),
        }
    }

    fn converted<'v>(&self, object: &'v Value, api_version: &str) -> Result<Cow<'v, Value>, ConversionError> {
        if object.get("apiVersion").and_then(Value::as_str) == Some(api_version) {
            return Ok(Cow::Borrowed(object));
        }
        let converted = self.kinds.convert(object, api_version)?;
        let version = self.kinds.version(api_version).ok_or(ConversionError::Missing)?;
        validate(&converted, &version.schema, Duplicates::Refused).map_err(ConversionError::Failed)?;
        Ok(Cow::Owned(converted))
    }
}

/// The differences between two objects in one version.
struct Differences<'d> {
    changes: Cow<'d, Changes>,
    /// The paths that conflict with those of other managers.
    touched: Set,
    touched_json: Value,
    removed_json: Value,
}

impl<'d> Differences<'d> {
    fn new(changes: Cow<'d, Changes>) -> Self {
        let touched = changes.modified.union(&changes.added);
        Self {
            touched_json: touched.to_json(),
            removed_json: changes.removed.to_json(),
            touched,
            changes,
        }
    }
}

fn reset<'v>(version: &'v Version, subresource: &str) -> &'v Set {
    match subresource {
        "" => &version.reset,
        "status" => &version.status_reset,
        _ => &NOTHING,
    }
}
