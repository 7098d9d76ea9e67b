//! The descriptors of a kind: how catalogs and consoles show its fields.

use kgen_model::{Descriptor, DescriptorPart, JsonType, Schema};
use serde_json::{Map, Value, json};

use crate::json::set;
use crate::options::Descriptors;
use crate::owned::words;

/// The deepest field that is looked at; types that contain themselves would never end.
const DEEPEST: usize = 32;

/// A descriptor with its place in the list.
struct Entry {
    order: i64,
    path: String,
    value: Value,
}

/// Returns the descriptors of the fields of `spec` or `status`: in the order of the markers, otherwise by path.
pub(crate) fn list(schema: &Schema, part: DescriptorPart, wanted: Descriptors) -> Vec<Value> {
    let mut entries = Vec::new();
    for (name, field) in &schema.properties {
        let before = entries.len();
        collect(name, name, field, part, 0, &mut entries);
        let is_marked = entries
            .get(before..)
            .into_iter()
            .flatten()
            .any(|entry| entry.path == *name);
        if !is_marked && wanted == Descriptors::All {
            entries.push(entry(name, name, field, part, &[]));
        }
    }
    entries.sort_by(|left, right| (left.order, &left.path).cmp(&(right.order, &right.path)));
    entries.into_iter().map(|entry| entry.value).collect()
}

/// Adds the marked fields at and below a field.
fn collect(
    name: &str,
    path: &str,
    field: &Schema,
    part: DescriptorPart,
    depth: usize,
    entries: &mut Vec<Entry>,
) {
    let marked: Vec<&Descriptor> = field
        .descriptors
        .iter()
        .filter(|found| found.part == part)
        .collect();
    if !marked.is_empty() {
        entries.push(entry(name, path, field, part, &marked));
    }
    if depth == DEEPEST {
        return;
    }
    for (inner, schema) in &field.properties {
        collect(
            inner,
            &format!("{path}.{inner}"),
            schema,
            part,
            depth + 1,
            entries,
        );
    }
    for (inner, schema) in field.items.iter().flat_map(|items| &items.properties) {
        // The form of operator-sdk: the first item stands for all.
        collect(
            inner,
            &format!("{path}[0].{inner}"),
            schema,
            part,
            depth + 1,
            entries,
        );
    }
}

/// Returns the descriptor of a field. Several markers are combined like in operator-sdk: the first name and all hints.
fn entry(name: &str, path: &str, field: &Schema, part: DescriptorPart, marked: &[&Descriptor]) -> Entry {
    let mut value = Map::new();
    let display = marked.iter().find_map(|found| found.display_name.as_deref());
    let display = display.or(field.title.as_deref());
    set(
        &mut value,
        "displayName",
        display.map_or_else(|| words(name), str::to_owned),
    );
    set(
        &mut value,
        "description",
        field.description.clone().unwrap_or_default(),
    );
    set(&mut value, "path", path);
    let stated: Vec<Value> = marked
        .iter()
        .flat_map(|found| &found.x_descriptors)
        .map(|hint| json!(hint))
        .collect();
    let hints = if stated.is_empty() {
        obvious(name, field, part)
    } else {
        stated
    };
    set(&mut value, "x-descriptors", hints);
    Entry {
        order: marked.iter().find_map(|found| found.order).unwrap_or(i64::MAX),
        path: path.to_owned(),
        value: Value::Object(value),
    }
}

/// Returns the hints that are obvious from the name and the schema of a field.
fn obvious(name: &str, field: &Schema, part: DescriptorPart) -> Vec<Value> {
    let is = |json_type: JsonType| field.json_type == Some(json_type);
    let is_secret_name = is(JsonType::String) && name.ends_with("ecretName");
    let is_spec = part == DescriptorPart::Spec;
    let found = if !is_spec && name == "conditions" && is(JsonType::Array) {
        "urn:alm:descriptor:io.kubernetes.conditions"
    } else if is_secret_name {
        "urn:alm:descriptor:io.kubernetes:Secret"
    } else if is(JsonType::Boolean) && is_spec {
        "urn:alm:descriptor:com.tectonic.ui:booleanSwitch"
    } else if is(JsonType::Integer) && is_spec && name == "replicas" {
        "urn:alm:descriptor:com.tectonic.ui:podCount"
    } else {
        return Vec::new();
    };
    vec![json!(found)]
}
