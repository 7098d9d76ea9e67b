//! The kinds that the cluster serves: custom ones, each with its definition, and built-in ones, each a row of a table.
//!
//! A [`Kind`] answers every question that the verbs ask about a kind: how to read, default and validate an object, which
//! subresources there are, and which fields can be selected.

mod built_in;
mod custom;
pub(crate) mod defaults;
pub(crate) mod definition;
mod registry;
pub(crate) mod served;

use std::sync::{Arc, OnceLock};

use kgen_schema::{Definition, FieldError, Version};
use serde_json::Value;

use crate::apply;
use crate::meta;
use crate::status::Failure;
use crate::view::View;

pub(crate) use built_in::events::to_core as core_event;
pub(crate) use built_in::{
    Row, built_in_schema, built_in_schemas, has_type, is_review, service_warnings, warnings,
};
pub(crate) use custom::priority;
pub(crate) use registry::Kinds;

/// Converts an object to another version.
pub(crate) type Converter = Arc<dyn Fn(&Value, &str) -> Result<Value, String> + Send + Sync>;

/// A kind of objects.
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) plural: String,
    pub(crate) singular: String,
    pub(crate) kind: String,
    pub(crate) list_kind: String,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) is_namespaced: bool,
    /// The resource with its group: `widgets.example.org`.
    pub(crate) resource: Arc<str>,
    pub(crate) versions: Vec<KindVersion>,
    /// The version in which objects are stored.
    pub(crate) stored: String,
    /// Watches cannot start before this revision.
    pub(crate) floor: u64,
    /// Counts the definitions that were installed. Objects that were written with another one are defaulted when they are
    /// read.
    pub(crate) epoch: u64,
    /// Whether the definition is being deleted.
    pub(crate) is_terminating: bool,
    /// The generation of the definition.
    pub(crate) generation: i64,
    /// The versions for managed fields; made on first use.
    pub(crate) fields: OnceLock<apply::Kind>,
    pub(crate) source: Source,
}

/// A version of a kind.
pub(crate) struct KindVersion {
    pub(crate) name: String,
    pub(crate) is_served: bool,
    /// The warning that every request gets.
    pub(crate) deprecation: Option<String>,
    pub(crate) has_status: bool,
    pub(crate) scale: Option<ScalePaths>,
    /// Paths of fields that can be selected, such as `spec.color`.
    pub(crate) selectable: Vec<String>,
    pub(crate) columns: Vec<Column>,
    /// The schema as the definition has it.
    pub(crate) schema: Value,
}

/// The paths of a scale subresource, as lists of names.
pub(crate) struct ScalePaths {
    pub(crate) spec: Vec<String>,
    pub(crate) status: Vec<String>,
    pub(crate) selector: Option<Vec<String>>,
}

/// A column of tables.
#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) column_type: String,
    pub(crate) format: String,
    pub(crate) description: String,
    pub(crate) priority: i64,
    pub(crate) path: String,
}

/// Where the behavior of a kind comes from.
pub(crate) enum Source {
    Custom {
        definition: Box<Definition>,
        convert: Option<Converter>,
        /// Whether the strategy of conversion is `Webhook`.
        has_webhook: bool,
    },
    BuiltIn(&'static Row),
}

/// The part of an object that a request writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Main,
    Status,
}

impl Kind {
    pub(crate) fn version(&self, name: &str) -> Option<&KindVersion> {
        self.versions.iter().find(|version| version.name == name)
    }

    pub(crate) fn served(&self, name: &str) -> Option<&KindVersion> {
        self.version(name).filter(|version| version.is_served)
    }

    pub(crate) fn is_custom(&self) -> bool {
        matches!(self.source, Source::Custom { .. })
    }

    /// Returns `group/version`, or the version in the core group.
    pub(crate) fn api_version(&self, version: &str) -> String {
        if self.group.is_empty() {
            version.to_owned()
        } else {
            format!("{}/{version}", self.group)
        }
    }

    /// Returns whether the kind was read from this state of its definition.
    pub(crate) fn is_same_definition(&self, crd: &Value) -> bool {
        self.generation == meta::generation(crd) && self.is_terminating == meta::is_being_deleted(crd)
    }

    pub(crate) fn row(&self) -> Option<&'static Row> {
        match &self.source {
            Source::BuiltIn(row) => Some(row),
            Source::Custom { .. } => None,
        }
    }

    /// Returns the schema that prunes, defaults and validates objects of a version.
    fn schema(&self, version: &str) -> Option<&Version> {
        match &self.source {
            Source::Custom { definition, .. } => definition.version(version),
            Source::BuiltIn(row) => row.schema(),
        }
    }

    /// Drops unknown fields. Returns their paths.
    pub(crate) fn prune(&self, version: &str, object: &mut Value) -> Result<Vec<String>, String> {
        let Some(schema) = self.schema(version) else {
            return Ok(Vec::new());
        };
        let Some(row) = self.row() else {
            return schema.prune(object).map_err(|error| error.to_string());
        };
        // Entries of maps that are `null` are values in Go.
        built_in::read(row, object)?;
        let unknown = schema.prune(object).map_err(|error| error.to_string())?;
        // Fields that are `null` are written again.
        built_in::read(row, object)?;
        built_in::omit_empty(schema.schema(), object);
        Ok(unknown)
    }

    pub(crate) fn default(&self, version: &str, object: &mut Value) {
        match &self.source {
            Source::Custom { definition, .. } => {
                if let Some(schema) = definition.version(version) {
                    schema.default(object);
                }
            }
            Source::BuiltIn(row) => (row.defaults)(object),
        }
    }

    /// Validates a new object or a changed one. Returns the errors, and adds the rules that are only warned about.
    pub(crate) fn validate(
        &self,
        version: &str,
        object: &Value,
        old: Option<(&Value, Part)>,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<FieldError>, Failure> {
        match &self.source {
            Source::Custom { definition, .. } => {
                let Some(schema) = definition.version(version) else {
                    return Ok(Vec::new());
                };
                let report = match old {
                    None => schema.validate(object),
                    Some((old, Part::Main)) => schema.validate_update(object, old),
                    Some((old, Part::Status)) => schema.validate_status_update(object, old),
                };
                if let (true, Some(rule)) = (report.errors.is_empty(), report.undecided.first()) {
                    let what = format!("the rule `{}` of `{}`", rule.rule, rule.field);
                    return Err(Failure::not_implemented(&what));
                }
                warnings.extend(report.warnings.iter().map(ToString::to_string));
                Ok(report.errors)
            }
            Source::BuiltIn(row) => {
                let is_status = matches!(old, Some((_, Part::Status)));
                Ok(built_in::validate(
                    row,
                    object,
                    old.map(|(old, _)| old),
                    is_status,
                ))
            }
        }
    }

    /// Returns an object as a version shows it.
    pub(crate) fn convert(&self, object: &Value, version: &str) -> Result<Value, Failure> {
        let wanted = self.api_version(version);
        if object.get("apiVersion").and_then(Value::as_str) == Some(wanted.as_str()) {
            return Ok(object.clone());
        }
        match &self.source {
            Source::Custom {
                convert: Some(convert),
                ..
            } => {
                return convert(object, version).map_err(|error| {
                    Failure::internal(format!(
                        "conversion webhook for {}/{}, Kind={} failed: {error}",
                        self.group, self.stored, self.kind
                    ))
                });
            }
            Source::Custom {
                has_webhook: true, ..
            } => {
                let what = format!(
                    "the conversion webhook of {} (without a function of `Cluster::new().conversion(…)`)",
                    self.resource
                );
                return Err(Failure::not_implemented(&what));
            }
            Source::BuiltIn(row) => {
                if let Some(shared) = row.shared {
                    return Ok((shared.from_stored)(object));
                }
            }
            _ => {}
        }
        let mut object = object.clone();
        object["apiVersion"] = Value::from(wanted);
        Ok(object)
    }

    /// Returns an object of a version as it is stored: converted, without the fields that the stored version does not know.
    pub(crate) fn to_stored(&self, version: &str, object: &Value) -> Result<Value, Failure> {
        if let Some(shared) = self.row().and_then(|row| row.shared) {
            return Ok((shared.to_stored)(object));
        }
        let mut stored = self.convert(object, &self.stored)?;
        if self.is_custom() && version != self.stored {
            self.prune(&self.stored, &mut stored).map_err(Failure::internal)?;
        }
        Ok(stored)
    }

    /// Returns the epoch of an object that is written in a version. Objects of other versions than the stored one are pruned
    /// and defaulted whenever they are read.
    pub(crate) fn epoch_of(&self, version: &str) -> u64 {
        let is_shared = self.row().is_some_and(|row| row.shared.is_some());
        if version == self.stored && !is_shared {
            self.epoch
        } else {
            0
        }
    }

    /// Returns the beginning of the keys of objects in etcd, for messages.
    pub(crate) fn storage_prefix(&self) -> String {
        match &*self.resource {
            "services" | "endpoints" => {
                let last = if self.plural == "services" {
                    "specs"
                } else {
                    "endpoints"
                };
                format!("services/{last}")
            }
            "nodes" => "minions".to_owned(),
            "replicationcontrollers" => "controllers".to_owned(),
            "ingresses.networking.k8s.io" => "ingress".to_owned(),
            _ if self.is_custom() || self.group == "apiextensions.k8s.io" => {
                format!("{}/{}", self.group, self.plural)
            }
            _ => self.plural.clone(),
        }
    }

    /// Returns a stored object as a version shows it.
    pub(crate) fn view(&self, stored: &crate::store::Stored, version: &str) -> Result<View, Failure> {
        if version == self.stored && stored.epoch == self.epoch {
            return Ok(View::Stored(stored.clone()));
        }
        self.read(stored, version).map(View::Json)
    }

    /// Returns a stored object in a version: converted, pruned and defaulted, as the server reads it from etcd.
    pub(crate) fn read(&self, stored: &crate::store::Stored, version: &str) -> Result<Value, Failure> {
        if version == self.stored && stored.epoch == self.epoch {
            return Ok((*stored.object).clone());
        }
        if !self.is_custom() {
            return self.convert(&stored.object, version);
        }
        // Defaults are those of the stored version; the requested version only drops fields that it does not know.
        let mut object = (*stored.object).clone();
        if stored.epoch != self.epoch {
            object = self.convert(&object, &self.stored)?;
            self.prune(&self.stored, &mut object).map_err(Failure::internal)?;
            self.default(&self.stored, &mut object);
        }
        let mut object = self.convert(&object, version)?;
        self.prune(version, &mut object).map_err(Failure::internal)?;
        Ok(object)
    }

    /// Prepares a new object for storage: drops the parts that a creation cannot set.
    pub(crate) fn prepare_create(&self, version: &str, object: &mut Value) {
        if self.version(version).is_some_and(|version| version.has_status) {
            match self.row() {
                Some(row) => (row.prepare_create)(object),
                None => remove(object, "status"),
            }
        }
        match self.row() {
            // The generation of a driver is 0 until its spec changes.
            Some(row) if !row.has_generation || row.served.kind == "CSIDriver" => {
                meta::unset(object, "generation")
            }
            _ => meta::set(object, "generation", 1),
        }
    }

    /// Completes a new object that has its UID.
    pub(crate) fn finish_create(&self, object: &mut Value) {
        if let Some(row) = self.row() {
            (row.finish_create)(object);
        }
    }

    /// Prepares a changed object: parts that this request cannot write are those of the old object.
    pub(crate) fn prepare_update(&self, version: &str, object: &mut Value, old: &Value, part: Part) {
        let has_status = self.version(version).is_some_and(|version| version.has_status);
        let before = old.get("status").cloned();
        match part {
            Part::Main => {
                if has_status {
                    put(object, "status", before);
                }
                if let Some(row) = self.row() {
                    (row.prepare_update)(object, old);
                }
            }
            Part::Status => {
                let status = object.get("status").cloned();
                let managed = meta::of(object).get("managedFields").cloned();
                let kept_version = meta::of(object).get("resourceVersion").cloned();
                let mut whole = old.clone();
                if self.row().is_some() {
                    // The built-in kinds keep the metadata of the request.
                    whole["metadata"] = object.get("metadata").cloned().unwrap_or_default();
                    for key in self.kept_by_status() {
                        meta::copy(&mut whole, old, key);
                    }
                }
                put(&mut whole, "status", status);
                for (key, value) in [("managedFields", managed), ("resourceVersion", kept_version)] {
                    match value {
                        Some(value) => meta::set(&mut whole, key, value),
                        None => meta::unset(&mut whole, key),
                    }
                }
                *object = whole;
            }
        }
        if self.row().is_some_and(|row| !row.has_generation) {
            return;
        }
        let kind = self.row().map_or("", |row| row.served.kind.as_str());
        if kind == "PriorityClass" {
            return;
        }
        let skipped = |key: &str| key == "metadata" || (has_status && key == "status");
        // Annotations can change what a Deployment does.
        let has_new_annotations = kind == "Deployment"
            && part == Part::Main
            && meta::of(object).get("annotations") != meta::of(old).get("annotations");
        let has_new_labels =
            kind == "EndpointSlice" && meta::of(object).get("labels") != meta::of(old).get("labels");
        if differs(object, old, skipped) || has_new_annotations || has_new_labels {
            meta::set(object, "generation", meta::generation(old) + 1);
        }
    }

    /// Returns whether an update may leave out the resource version.
    pub(crate) fn allows_unconditional_update(&self) -> bool {
        self.row().is_some_and(|row| row.unconditional_update)
    }

    /// Returns whether an update creates an object that does not exist.
    pub(crate) fn allows_create_on_update(&self) -> bool {
        self.row().is_some_and(|row| row.create_on_update)
    }

    /// Returns whether a field can be selected.
    pub(crate) fn is_selectable(&self, version: &str, field: &str) -> bool {
        match field {
            "metadata.name" => true,
            "metadata.namespace" => self.is_namespaced || !self.is_custom(),
            field => self
                .version(version)
                .is_some_and(|version| version.selectable.iter().any(|known| known == field)),
        }
    }

    /// Returns the value of a field for field selectors.
    pub(crate) fn field(&self, object: &Value, field: &str) -> String {
        if let Some(row) = self.row()
            && let Some(value) = (row.field)(object, field)
        {
            return value;
        }
        let value = field.split('.').try_fold(object, |value, name| value.get(name));
        match value {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        }
    }

    /// Returns the group of the kind in errors about its fields.
    pub(crate) fn error_group(&self, object: &Value) -> String {
        if self.row().is_some_and(|row| row.shared.is_some()) {
            return String::new();
        }
        let version = object.get("apiVersion").and_then(Value::as_str);
        let group = version.and_then(|version| version.split_once('/'));
        group.map(|(group, _)| group.to_owned()).unwrap_or_default()
    }

    /// The failure of a resource of this kind that does not exist.
    pub(crate) fn not_found(&self, name: &str) -> Failure {
        Failure::not_found(name, &self.plural, &self.group)
    }

    /// Returns the metadata of a built-in kind that a write to its status cannot change.
    fn kept_by_status(&self) -> &'static [&'static str] {
        match self.kind.as_str() {
            "Deployment" => &["labels"],
            "Pod" => &["deletionTimestamp", "ownerReferences"],
            "VolumeAttachment" | "ServiceCIDR" | "ResourceClaim" | "CustomResourceDefinition" => &[
                "labels",
                "annotations",
                "finalizers",
                "ownerReferences",
                "deletionTimestamp",
            ],
            _ => &[],
        }
    }

    /// Returns the versions of the kind for managed fields.
    pub(crate) fn field_versions(&self) -> &apply::Kind {
        self.fields.get_or_init(|| {
            let mut kind = apply::Kind::default();
            for version in &self.versions {
                let schema = match self.schema(&version.name) {
                    Some(schema) => apply::Schema::of_custom_resource(schema.schema()),
                    None => apply::Schema::deduced(),
                };
                let version_fields = match self.row() {
                    None => apply::Version::of_custom_resource(schema, version.has_status),
                    Some(row) => {
                        let mut fields = apply::Version::of_built_in(schema, version.has_status);
                        let kept = self.kept_by_status();
                        let mut reset = vec![apply::Path::fields(["spec"])];
                        if kept.contains(&"annotations") {
                            reset.push(apply::Path::fields(["metadata"]));
                        } else {
                            reset.extend(kept.iter().map(|key| apply::Path::fields(["metadata", *key])));
                        }
                        if version.has_status {
                            fields.status_reset = apply::Set::of(reset);
                        }
                        complete(&mut fields.empty, &built_in::zero(row));
                        fields
                    }
                };
                kind.add_version(&self.api_version(&version.name), version_fields);
            }
            kind
        })
    }
}

/// Adds what another object has.
fn complete(object: &mut Value, other: &Value) {
    let (Value::Object(entries), Value::Object(others)) = (object, other) else {
        return;
    };
    for (key, value) in others {
        match entries.get_mut(key) {
            Some(entry) => complete(entry, value),
            None => {
                entries.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Sets or removes a field.
pub(crate) fn put(object: &mut Value, key: &str, value: Option<Value>) {
    match value {
        Some(value) => object[key] = value,
        None => remove(object, key),
    }
}

pub(crate) fn remove(object: &mut Value, key: &str) {
    if let Some(object) = object.as_object_mut() {
        object.remove(key);
    }
}

/// Returns whether two objects differ in a field that is not skipped.
pub(crate) fn differs(left: &Value, right: &Value, skipped: impl Fn(&str) -> bool) -> bool {
    let (Some(left), Some(right)) = (left.as_object(), right.as_object()) else {
        return true;
    };
    let keys = left.keys().chain(right.keys());
    let mut keys = keys.filter(|key| !skipped(key) && !matches!(key.as_str(), "apiVersion" | "kind"));
    keys.any(|key| left.get(key) != right.get(key))
}

/// Returns whether a real server has this resource, but the fake does not.
pub(crate) fn is_left_out(group: &str, plural: &str) -> bool {
    served::find(group, plural).is_some()
}

/// Returns whether a real server has this version of a resource, but the fake does not.
pub(crate) fn is_left_out_version(group: &str, version: &str, plural: &str) -> bool {
    served::all().any(|served| served.group == group && served.version == version && served.plural == plural)
}

/// Returns whether a real server has this subresource. The verbs ask only for those that the fake does not have.
pub(crate) fn is_left_out_subresource(group: &str, plural: &str, subresource: &str) -> bool {
    served::find(group, plural).is_some_and(|served| served.has(subresource))
}
