//! Objects that are a type of Kubernetes as an older version had it.
//!
//! Every property must exist in the type with the same type, and nothing may be stricter. Merge keys and defaults came with
//! newer versions, so they may differ.

use std::collections::BTreeSet;

use kgen_model::Schema;
use serde_json::{Map, Value};

use crate::kubernetes::{KubernetesType, KubernetesTypes, Place};

/// A type that has all properties of an object.
pub(crate) struct Compatible {
    pub(crate) found: &'static KubernetesType,
    /// The paths of the fields that the type has in addition.
    pub(crate) additional: Vec<String>,
}

/// Returns the type that fits an object best.
pub(crate) fn find(types: &'static KubernetesTypes, place: &Place<'_>) -> Option<Compatible> {
    let schema = place.schema;
    if schema.properties.len() < 2 {
        return None;
    }
    let mut fitting: Vec<Compatible> = Vec::new();
    for found in types.of_newest() {
        let Some(theirs) = found.schema() else { continue };
        let mut additional = Vec::new();
        let count = theirs["properties"].as_object().map_or(0, Map::len);
        if schema.properties.len() * 2 >= count && fits(schema, &theirs, types, "", &mut additional) {
            fitting.push(Compatible { found, additional });
        }
    }
    let best = place.best(fitting.iter().map(|fitting| fitting.found));
    fitting.retain(|fitting| {
        best.iter().any(|best| std::ptr::eq(*best, fitting.found)) && place.is_meant(fitting.found)
    });
    fitting.sort_by_key(|fitting| (fitting.additional.len(), fitting.found.path));
    fitting.into_iter().next()
}

fn fits(
    schema: &Schema,
    theirs: &Value,
    types: &'static KubernetesTypes,
    path: &str,
    additional: &mut Vec<String>,
) -> bool {
    if let Some(name) = theirs.get("$type").and_then(Value::as_str) {
        let named = types.of_newest().find(|known| known.path == name);
        return named
            .and_then(KubernetesType::schema)
            .is_some_and(|theirs| fits(schema, &theirs, types, path, additional));
    }
    let Some(theirs) = theirs.as_object() else {
        return false;
    };
    if !has_same_values(schema, theirs, path.is_empty()) {
        return false;
    }
    let inner = [
        (&schema.items, "items", "[]"),
        (&schema.additional_properties, "additionalProperties", "{}"),
    ];
    for (ours, key, suffix) in inner {
        let fit = match (ours, theirs.get(key)) {
            (None, None) => true,
            (Some(ours), Some(theirs)) => fits(ours, theirs, types, &format!("{path}{suffix}"), additional),
            _ => false,
        };
        if !fit {
            return false;
        }
    }
    let none = Map::new();
    let properties = theirs
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    let required: BTreeSet<&str> = theirs
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, property) in &schema.properties {
        let Some(theirs) = properties.get(name) else {
            return false;
        };
        let has_default = property.default.is_some() || theirs.get("default").is_some();
        if schema.required.contains(name) != required.contains(name.as_str()) && !has_default {
            return false;
        }
        if !fits(property, theirs, types, &format!("{path}.{name}"), additional) {
            return false;
        }
    }
    for name in properties
        .keys()
        .filter(|name| !schema.properties.contains_key(*name))
    {
        if required.contains(name.as_str()) {
            return false;
        }
        additional.push(format!("{path}.{name}").trim_start_matches('.').to_owned());
    }
    schema
        .required
        .iter()
        .all(|name| schema.properties.contains_key(name))
}

/// Returns whether two schemas allow the same values, apart from what is inside of them. A field can add constraints to the
/// outermost one.
fn has_same_values(schema: &Schema, theirs: &Map<String, Value>, is_outermost: bool) -> bool {
    const IGNORED: &[&str] = &[
        "default",
        "description",
        "example",
        "externalDocs",
        "items",
        "additionalProperties",
        "properties",
        "required",
        "title",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-list-type",
        "x-kubernetes-map-type",
    ];
    let own = Schema {
        properties: Default::default(),
        items: None,
        additional_properties: None,
        constraints: if is_outermost {
            Default::default()
        } else {
            schema.constraints.clone()
        },
        nullable: schema.nullable && !is_outermost,
        ..schema.clone()
    };
    let mut ours = own.to_json(&|_| None);
    let mut theirs = theirs.clone();
    // A list of unique items refuses values that the other accepts.
    let is_set = |map: &Map<String, Value>| {
        map.get("x-kubernetes-list-type")
            .is_some_and(|list| list == "set")
    };
    if is_set(&ours) != is_set(&theirs) {
        return false;
    }
    for key in IGNORED {
        ours.remove(*key);
        theirs.remove(*key);
    }
    ours == theirs
}
