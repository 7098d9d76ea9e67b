//! Removes the fields that a schema does not describe.
//!
//! Mirrors `pruning.Prune` and `PruneNonNullableNullsWithoutDefaults` of the API server.

use serde_json::Value;

use crate::path::Segment;
use crate::schema::{AdditionalProperties, Schema};

/// The fields that every object has. The schema does not describe them.
pub const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Returns the paths of all fields of a value that the API server would remove, because the schema does not describe them.
///
/// ```
/// use kgen_schema::{Schema, Segment, unknown_fields};
/// use serde_json::json;
///
/// let schema = Schema::read(&json!({"type": "object", "properties": {"size": {"type": "integer"}}}))?;
/// let found = unknown_fields(&schema, &json!({"sise": 1}));
/// assert_eq!(found, [[Segment::Name("sise".to_owned())]]);
/// # Ok::<(), kgen_schema::ReadError>(())
/// ```
pub fn unknown_fields(schema: &Schema, value: &Value) -> Vec<Vec<Segment>> {
    let mut pruner = Pruner::new();
    pruner.prune(Some(schema), &mut value.clone(), schema.embedded_resource);
    pruner.removed
}

/// Removes unknown fields and records their paths.
pub(crate) struct Pruner {
    path: Vec<Segment>,
    removed: Vec<Vec<Segment>>,
}

impl Pruner {
    pub(crate) fn new() -> Self {
        Self {
            path: Vec::new(),
            removed: Vec::new(),
        }
    }

    /// Prunes a value. The whole object and embedded resources keep their type and metadata.
    pub(crate) fn prune(&mut self, schema: Option<&Schema>, value: &mut Value, is_resource: bool) {
        let keeps_unknown = schema.is_some_and(|schema| schema.preserve_unknown_fields);
        match value {
            Value::Object(entries) => {
                let names: Vec<String> = entries.keys().cloned().collect();
                for name in names {
                    if is_resource && META_FIELDS.contains(&name.as_str()) {
                        continue;
                    }
                    let (is_known, inner) = match schema {
                        None => (false, None),
                        Some(schema) => match (schema.properties.get(&name), &schema.additional_properties) {
                            (Some(property), _) => (true, Some(property.as_ref())),
                            (None, Some(AdditionalProperties::Schema(other))) => (true, Some(other.as_ref())),
                            (None, Some(AdditionalProperties::Allowed(_))) => (true, None),
                            (None, None) => (false, None),
                        },
                    };
                    if !is_known {
                        if !keeps_unknown {
                            self.record(&name);
                            entries.remove(&name);
                        }
                        continue;
                    }
                    if let Some(entry) = entries.get_mut(&name) {
                        self.push(&name);
                        let is_resource = inner.is_some_and(|inner| inner.embedded_resource);
                        self.prune(inner, entry, is_resource);
                        self.path.pop();
                    }
                }
            }
            Value::Array(items) => {
                let inner = schema.and_then(|schema| schema.items.as_deref());
                // In a list that keeps unknown fields, the items keep them, too.
                if keeps_unknown && inner.is_none() {
                    return;
                }
                let is_resource = inner.is_some_and(|inner| inner.embedded_resource);
                for (index, item) in items.iter_mut().enumerate() {
                    self.path.push(Segment::Index(index));
                    if keeps_unknown {
                        self.skip(inner, item, is_resource);
                    } else {
                        self.prune(inner, item, is_resource);
                    }
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    /// Prunes only the parts of a value that the schema describes.
    fn skip(&mut self, schema: Option<&Schema>, value: &mut Value, is_resource: bool) {
        let Some(schema) = schema else { return };
        match value {
            Value::Object(entries) => {
                for (name, entry) in entries.iter_mut() {
                    if is_resource && META_FIELDS.contains(&name.as_str()) {
                        continue;
                    }
                    let inner = schema.properties.get(name).map(AsRef::as_ref);
                    if inner.is_none() && schema.additional_properties.is_none() {
                        continue;
                    }
                    let inner = inner.or_else(|| schema.additional_schema());
                    self.push(name);
                    self.prune(inner, entry, inner.is_some_and(|inner| inner.embedded_resource));
                    self.path.pop();
                }
            }
            Value::Array(items) => {
                let inner = schema.items.as_deref();
                let is_resource = inner.is_some_and(|inner| inner.embedded_resource);
                for (index, item) in items.iter_mut().enumerate() {
                    self.path.push(Segment::Index(index));
                    self.skip(inner, item, is_resource);
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, name: &str) {
        self.path.push(Segment::Name(name.to_owned()));
    }

    fn record(&mut self, name: &str) {
        self.push(name);
        self.removed.push(self.path.clone());
        self.path.pop();
    }

    /// Returns the paths of the removed fields, such as `spec.ports[0].nmae`, in the order of the texts.
    pub(crate) fn into_paths(self) -> Vec<String> {
        let mut paths: Vec<_> = self.removed.iter().map(|segments| text(segments)).collect();
        paths.sort_unstable();
        paths
    }
}

/// Returns whether [`Pruner::prune`] would remove anything. It neither clones nor records anything, because most values have
/// no unknown fields.
pub(crate) fn has_unknown(schema: Option<&Schema>, value: &Value, is_resource: bool) -> bool {
    let keeps_unknown = schema.is_some_and(|schema| schema.preserve_unknown_fields);
    match value {
        Value::Object(entries) => entries.iter().any(|(name, entry)| {
            if is_resource && META_FIELDS.contains(&name.as_str()) {
                return false;
            }
            let Some(schema) = schema else { return true };
            let inner = match (schema.properties.get(name), &schema.additional_properties) {
                (Some(property), _) => Some(property.as_ref()),
                (None, Some(AdditionalProperties::Schema(other))) => Some(other.as_ref()),
                (None, Some(AdditionalProperties::Allowed(_))) => None,
                (None, None) => return !keeps_unknown,
            };
            has_unknown(inner, entry, inner.is_some_and(|inner| inner.embedded_resource))
        }),
        Value::Array(items) => {
            let inner = schema.and_then(|schema| schema.items.as_deref());
            if keeps_unknown {
                // The rules for the items of such lists are rare and long; the pruner knows them.
                let mut pruner = Pruner::new();
                pruner.prune(schema, &mut value.clone(), is_resource);
                return !pruner.removed.is_empty();
            }
            let is_resource = inner.is_some_and(|inner| inner.embedded_resource);
            items.iter().any(|item| has_unknown(inner, item, is_resource))
        }
        _ => false,
    }
}

fn text(segments: &[Segment]) -> String {
    let mut text = String::new();
    for segment in segments {
        match segment {
            Segment::Name(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            Segment::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

/// Removes `null` where the schema allows neither `null` nor a default.
pub(crate) fn remove_nulls(schema: Option<&Schema>, value: &mut Value) {
    let Some(schema) = schema else { return };
    match value {
        Value::Object(entries) => {
            entries.retain(|name, entry| {
                let inner = schema.property(name);
                let is_removed =
                    entry.is_null() && inner.is_some_and(|inner| !inner.nullable && inner.default.is_none());
                if !is_removed {
                    remove_nulls(inner, entry);
                }
                !is_removed
            });
        }
        Value::Array(items) => {
            for item in items {
                remove_nulls(schema.items.as_deref(), item);
            }
        }
        _ => {}
    }
}
