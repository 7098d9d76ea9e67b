//! Judges objects as the API servers of both states would.

use kgen_sample::{Sampler, Step};
use kgen_schema::{Definition, FieldError, Patterns, Schema, Version};
use serde_json::{Map, Value, json};

/// The name of every witness, unless the schema refuses it.
const NAME: &str = "witness";

pub(super) struct Judge<'d> {
    pub(super) old: &'d Version,
    pub(super) new: &'d Version,
    api_version: String,
    kind: String,
    is_namespaced: bool,
    name: String,
}

/// Why the new state refuses an object.
#[derive(Debug, Default)]
pub(super) struct Refusal {
    /// The fields that it does not know, which are dropped or refused.
    pub(super) unknown: Vec<String>,
    pub(super) errors: Vec<FieldError>,
}

impl<'d> Judge<'d> {
    pub(super) fn new(old: &'d Version, new: &'d Version, definition: &Definition, version: &str) -> Self {
        Self {
            old,
            new,
            api_version: format!("{}/{version}", definition.group()),
            kind: definition.kind().to_owned(),
            is_namespaced: definition.is_namespaced(),
            name: name(old.schema(), new.schema()),
        }
    }

    /// Returns a value as a whole object, as a user writes it.
    pub(super) fn object(&self, value: &Value) -> Value {
        let mut object = Map::new();
        object.insert("apiVersion".to_owned(), Value::from(self.api_version.as_str()));
        object.insert("kind".to_owned(), Value::from(self.kind.as_str()));
        // A value at a path in the metadata can only be a name.
        let name = value.pointer("/metadata/name").and_then(Value::as_str);
        let metadata = json!({ "name": name.unwrap_or(&self.name) });
        object.insert("metadata".to_owned(), metadata);
        let Value::Object(entries) = value else {
            return Value::Object(object);
        };
        for (name, entry) in entries {
            if !matches!(name.as_str(), "apiVersion" | "kind" | "metadata") {
                object.insert(name.clone(), entry.clone());
            }
        }
        Value::Object(object)
    }

    /// Returns what a state stores for an object, with everything that is wrong with it.
    fn stored(&self, version: &Version, object: &Value) -> Option<(Value, Vec<String>)> {
        let mut object = object.clone();
        if self.is_namespaced
            && let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut)
        {
            metadata.insert("namespace".to_owned(), Value::from("default"));
        }
        let unknown = version.prune(&mut object).ok()?;
        version.default(&mut object);
        Some((object, unknown))
    }

    /// Returns whether the old state accepts an object as it is.
    pub(super) fn is_accepted_by_old(&self, object: &Value) -> bool {
        self.is_accepted(self.old, object)
    }

    pub(super) fn is_accepted_by_new(&self, object: &Value) -> bool {
        self.is_accepted(self.new, object)
    }

    fn is_accepted(&self, version: &Version, object: &Value) -> bool {
        self.stored(version, object)
            .is_some_and(|(stored, unknown)| unknown.is_empty() && version.validate(&stored).is_valid())
    }

    /// Returns why the new state refuses an object.
    pub(super) fn refusal(&self, object: &Value) -> Refusal {
        let Some((stored, unknown)) = self.stored(self.new, object) else {
            return Refusal::default();
        };
        Refusal {
            unknown,
            errors: self.new.validate(&stored).errors,
        }
    }

    /// Returns the errors of an update in each state.
    pub(super) fn update_errors(
        &self,
        before: &Value,
        after: &Value,
    ) -> Option<(Vec<FieldError>, Vec<FieldError>)> {
        let errors = |version: &Version| {
            let (mut before, _) = self.stored(version, before)?;
            let (mut after, _) = self.stored(version, after)?;
            for object in [&mut before, &mut after] {
                let metadata = object.get_mut("metadata").and_then(Value::as_object_mut)?;
                metadata.insert("resourceVersion".to_owned(), Value::from("1"));
                metadata.insert(
                    "uid".to_owned(),
                    Value::from("a8098c1a-f86e-11da-bd1a-00112444be1e"),
                );
            }
            let report = version.validate_update(&after, &before);
            report.undecided.is_empty().then_some(report.errors)
        };
        Some((errors(self.old)?, errors(self.new)?))
    }

    /// Returns what both states read back from an object that both accept.
    pub(super) fn reads(&self, object: &Value) -> Option<(Value, Value)> {
        let read = |version: &Version| {
            let mut object = object.clone();
            version.prune(&mut object).ok()?;
            version.default(&mut object);
            if let Some(entries) = object.as_object_mut() {
                entries.insert("metadata".to_owned(), json!({ "name": self.name }));
            }
            Some(object)
        };
        Some((read(self.old)?, read(self.new)?))
    }
}

/// Returns a name that both schemas accept if possible, and at least the old one.
fn name(old: &Schema, new: &Schema) -> String {
    let path = ["metadata", "name"].map(|name| Step::Field(name.to_owned()));
    let of = |schema| Sampler::at(schema, &path);
    let patterns = Patterns::default();
    let accepts = |schema: Option<&Schema>, name: &str| {
        let value = Value::from(name);
        schema.is_none_or(|schema| kgen_schema::violations(schema, &value, &patterns).is_empty())
    };
    let candidates = of(old).or(of(new)).map(|schema| {
        let found = Sampler::new(schema, None).candidates(schema, of(new), &[]);
        let texts = found.iter().filter_map(Value::as_str).map(str::to_owned);
        texts
            .filter(|text| kgen_schema::formats::accepts("k8s-long-name", text))
            .collect::<Vec<_>>()
    });
    let mut names = vec![NAME.to_owned()];
    names.extend(candidates.unwrap_or_default());
    let is_old = |name: &&String| accepts(of(old), name);
    let both = names.iter().find(|name| is_old(name) && accepts(of(new), name));
    both.or_else(|| names.iter().find(is_old))
        .cloned()
        .unwrap_or_else(|| NAME.to_owned())
}
