//! Converts a schema of the model to the JSON of `openAPIV3Schema`.
//!
//! Keys without a meaning are left out: `false`, empty lists and empty strings do not change a schema.

use kgen_model::{Constraints, JsonType, Rule, Schema};
use serde_json::{Map, Value};

use super::DescriptionLimit;

/// Descriptions of properties that every object has. The API server refuses a description on `metadata`.
const API_VERSION_DESCRIPTION: &str = "The group and version of the API that this object is written for.";
const KIND_DESCRIPTION: &str = "The kind of this object, as its API names it.";

/// Returns the schema of a whole object: the properties of the kind, and those that all objects have.
pub(super) fn root(schema: &Schema, limit: DescriptionLimit) -> Value {
    let mut map = object(schema, limit);
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

/// Returns any other schema.
pub(super) fn convert(schema: &Schema, limit: DescriptionLimit) -> Value {
    Value::Object(object(schema, limit))
}

fn object(schema: &Schema, limit: DescriptionLimit) -> Map<String, Value> {
    let mut map = Map::new();
    if let Some(json_type) = schema.json_type {
        put(&mut map, "type", json_type.word());
    }
    put_text(&mut map, "format", schema.format());
    put_text(&mut map, "title", schema.title.as_deref());
    put_description(&mut map, schema.description.as_deref(), limit);
    if let Some(documentation) = &schema.external_documentation {
        let mut link = Map::new();
        put_text(&mut link, "description", documentation.description.as_deref());
        put_text(&mut link, "url", Some(&documentation.url));
        put(&mut map, "externalDocs", link);
    }
    put_value(&mut map, "default", schema.default.as_ref());
    put_value(&mut map, "example", schema.example.as_deref());
    put_structure(&mut map, schema, limit);
    put_junctors(&mut map, schema, limit);
    put_flag(&mut map, "nullable", schema.nullable);
    put_extensions(&mut map, schema);
    put_constraints(&mut map, &schema.constraints);
    map
}

fn put_structure(map: &mut Map<String, Value>, schema: &Schema, limit: DescriptionLimit) {
    if !schema.properties.is_empty() {
        let properties: Map<_, _> = schema
            .properties
            .iter()
            .map(|(name, property)| (name.clone(), convert(property, limit)))
            .collect();
        put(map, "properties", properties);
    }
    put_texts(map, "required", schema.required.iter());
    if let Some(values) = &schema.additional_properties {
        put(map, "additionalProperties", convert(values, limit));
    }
    if let Some(items) = &schema.items {
        put(map, "items", convert(items, limit));
    }
}

fn put_junctors(map: &mut Map<String, Value>, schema: &Schema, limit: DescriptionLimit) {
    let lists = [
        ("allOf", &schema.constraints.all_of),
        ("anyOf", &schema.any_of),
        ("oneOf", &schema.one_of),
    ];
    for (key, list) in lists {
        if !list.is_empty() {
            put(
                map,
                key,
                list.iter().map(|part| convert(part, limit)).collect::<Vec<_>>(),
            );
        }
    }
    if let Some(not) = &schema.not {
        put(map, "not", convert(not, limit));
    }
}

fn put_extensions(map: &mut Map<String, Value>, schema: &Schema) {
    put_flag(map, "x-kubernetes-embedded-resource", schema.embedded_resource);
    put_flag(map, "x-kubernetes-int-or-string", schema.int_or_string);
    put_flag(
        map,
        "x-kubernetes-preserve-unknown-fields",
        schema.preserve_unknown_fields,
    );
    if let Some(list_type) = schema.list_type {
        put(map, "x-kubernetes-list-type", list_type.word());
    }
    put_texts(map, "x-kubernetes-list-map-keys", schema.list_map_keys.iter());
    if let Some(map_type) = schema.map_type {
        put(map, "x-kubernetes-map-type", map_type.word());
    }
}

fn put_constraints(map: &mut Map<String, Value>, constraints: &Constraints) {
    put_text(map, "pattern", constraints.pattern.as_deref());
    if let Some(values) = constraints
        .enumeration
        .as_ref()
        .filter(|values| !values.is_empty())
    {
        put(map, "enum", values.iter().map(normalized).collect::<Vec<_>>());
    }
    let numbers = [
        ("minimum", constraints.minimum),
        ("maximum", constraints.maximum),
        ("multipleOf", constraints.multiple_of),
    ];
    for (key, number) in numbers {
        if let Some(number) = number {
            put(map, key, number.to_json_bound());
        }
    }
    put_flag(map, "exclusiveMinimum", constraints.exclusive_minimum);
    put_flag(map, "exclusiveMaximum", constraints.exclusive_maximum);
    let lengths = [
        ("minLength", constraints.min_length),
        ("maxLength", constraints.max_length),
        ("minItems", constraints.min_items),
        ("maxItems", constraints.max_items),
        ("minProperties", constraints.min_properties),
        ("maxProperties", constraints.max_properties),
    ];
    for (key, length) in lengths {
        if let Some(length) = length {
            put(map, key, length);
        }
    }
    put_flag(map, "uniqueItems", constraints.unique_items);
    if !constraints.rules.is_empty() {
        put(
            map,
            "x-kubernetes-validations",
            constraints.rules.iter().map(rule).collect::<Vec<_>>(),
        );
    }
}

fn rule(rule: &Rule) -> Value {
    let mut map = Map::new();
    put(&mut map, "rule", rule.rule.as_str());
    put_text(&mut map, "message", rule.message.as_deref());
    put_text(&mut map, "messageExpression", rule.message_expression.as_deref());
    put_text(&mut map, "reason", rule.reason.as_deref());
    put_text(&mut map, "fieldPath", rule.field_path.as_deref());
    if let Some(optional) = rule.optional_old_self {
        put(&mut map, "optionalOldSelf", optional);
    }
    Value::Object(map)
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

fn put_flag(map: &mut Map<String, Value>, key: &str, flag: bool) {
    if flag {
        put(map, key, true);
    }
}

/// Adds a default or an example. To the API server, `null` is the same as no value.
fn put_value(map: &mut Map<String, Value>, key: &str, value: Option<&Value>) {
    if let Some(value) = value.filter(|value| !value.is_null()) {
        put(map, key, normalized(value));
    }
}

fn put_description(map: &mut Map<String, Value>, text: Option<&str>, limit: DescriptionLimit) {
    if let Some(text) = text.and_then(|text| limit.apply(text)) {
        put(map, "description", text.into_owned());
    }
}

/// Returns the value with whole floats as integers, as the API server writes it.
fn normalized(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => kgen_model::Number::from_json(value)
            .map_or_else(|| value.clone(), kgen_model::Number::to_json_bound),
        Value::Array(items) => items.iter().map(normalized).collect(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, entry)| (key.clone(), normalized(entry)))
            .collect(),
        other => other.clone(),
    }
}
