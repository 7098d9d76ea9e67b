//! Converts a schema of the model to the JSON of `openAPIV3Schema`.
//!
//! Keys without a meaning are left out: `false`, empty lists and empty strings do not change a schema.

use kgen_model::{JsonType, Schema};
use serde_json::{Map, Value};

use super::DescriptionLimit;

/// Descriptions of properties that every object has. The API server refuses a description on `metadata`.
const API_VERSION_DESCRIPTION: &str = "The group and version of the API that this object is written for.";
const KIND_DESCRIPTION: &str = "The kind of this object, as its API names it.";

/// Returns the schema of a whole object: the properties of the kind, and those that all objects have.
pub(super) fn root(schema: &Schema, limit: DescriptionLimit) -> Value {
    let mut map = schema.to_json(&describe(limit));
    let properties = map
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(properties) = properties {
        for (name, description) in [
            ("apiVersion", API_VERSION_DESCRIPTION),
            ("kind", KIND_DESCRIPTION),
        ] {
            let mut property = Map::new();
            put_description(&mut property, Some(description), limit);
            put(&mut property, "type", JsonType::String.word());
            put(properties, name, property);
        }
        // A handwritten schema can restrict the name.
        if !properties.contains_key("metadata") {
            let mut metadata = Map::new();
            put(&mut metadata, "type", JsonType::Object.word());
            put(properties, "metadata", metadata);
        }
    }
    Value::Object(map)
}

/// Returns a schema below the root.
pub(super) fn convert(schema: &Schema, limit: DescriptionLimit) -> Value {
    Value::Object(schema.to_json(&describe(limit)))
}

/// Returns the part of a description that is written.
fn describe(limit: DescriptionLimit) -> impl Fn(&str) -> Option<String> {
    move |text| limit.apply(text).map(std::borrow::Cow::into_owned)
}

pub(super) fn put(map: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    map.insert(key.to_owned(), value.into());
}

pub(super) fn put_text(map: &mut Map<String, Value>, key: &str, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        put(map, key, text);
    }
}

pub(super) fn put_texts<'a>(
    map: &mut Map<String, Value>,
    key: &str,
    texts: impl ExactSizeIterator<Item = &'a String>,
) {
    if texts.len() > 0 {
        put(
            map,
            key,
            texts.map(|text| Value::from(text.as_str())).collect::<Vec<_>>(),
        );
    }
}

fn put_description(map: &mut Map<String, Value>, text: Option<&str>, limit: DescriptionLimit) {
    if let Some(text) = text.and_then(|text| limit.apply(text)) {
        put(map, "description", text.into_owned());
    }
}
