//! A schema as the JSON of `openAPIV3Schema`.
//!
//! Keys without a meaning are left out: `false`, empty lists and empty strings do not change a schema.

use serde_json::{Map, Value};

use super::{Constraints, Rule, Schema};
use crate::Number;

/// Decides what is written of a description; `None` leaves it out.
type Describe<'d> = &'d dyn Fn(&str) -> Option<String>;

impl Schema {
    /// Returns the schema as the JSON of `openAPIV3Schema`. `describe` returns what is written of a description.
    #[must_use]
    pub fn to_json(&self, describe: &dyn Fn(&str) -> Option<String>) -> Map<String, Value> {
        object(self, describe)
    }
}

fn convert(schema: &Schema, describe: Describe<'_>) -> Value {
    Value::Object(object(schema, describe))
}

fn object(schema: &Schema, describe: Describe<'_>) -> Map<String, Value> {
    let mut map = Map::new();
    if let Some(json_type) = schema.json_type {
        put(&mut map, "type", json_type.word());
    }
    put_text(&mut map, "format", schema.format());
    put_text(&mut map, "title", schema.title.as_deref());
    put_text(
        &mut map,
        "description",
        schema.description.as_deref().and_then(describe).as_deref(),
    );
    if let Some(documentation) = &schema.external_documentation {
        let mut link = Map::new();
        put_text(&mut link, "description", documentation.description.as_deref());
        put_text(&mut link, "url", Some(&documentation.url));
        put(&mut map, "externalDocs", link);
    }
    put_value(&mut map, "default", schema.default.as_ref());
    put_value(&mut map, "example", schema.example.as_deref());
    put_structure(&mut map, schema, describe);
    put_junctors(&mut map, schema, describe);
    put_flag(&mut map, "nullable", schema.nullable);
    put_extensions(&mut map, schema);
    put_constraints(&mut map, &schema.constraints);
    map
}

fn put_structure(map: &mut Map<String, Value>, schema: &Schema, describe: Describe<'_>) {
    if !schema.properties.is_empty() {
        let properties: Map<_, _> = schema
            .properties
            .iter()
            .map(|(name, property)| (name.clone(), convert(property, describe)))
            .collect();
        put(map, "properties", properties);
    }
    put_texts(map, "required", schema.required.iter());
    if let Some(values) = &schema.additional_properties {
        put(map, "additionalProperties", convert(values, describe));
    }
    if let Some(items) = &schema.items {
        put(map, "items", convert(items, describe));
    }
}

fn put_junctors(map: &mut Map<String, Value>, schema: &Schema, describe: Describe<'_>) {
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
                list.iter()
                    .map(|part| convert(part, describe))
                    .collect::<Vec<_>>(),
            );
        }
    }
    if let Some(not) = &schema.not {
        put(map, "not", convert(not, describe));
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

fn put(map: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    map.insert(key.to_owned(), value.into());
}

fn put_text(map: &mut Map<String, Value>, key: &str, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        put(map, key, text);
    }
}

fn put_texts<'a>(map: &mut Map<String, Value>, key: &str, texts: impl ExactSizeIterator<Item = &'a String>) {
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

/// Returns the value with whole floats as integers, as the API server writes it.
fn normalized(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            Number::from_json(value).map_or_else(|| value.clone(), Number::to_json_bound)
        }
        Value::Array(items) => items.iter().map(normalized).collect(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, entry)| (key.clone(), normalized(entry)))
            .collect(),
        other => other.clone(),
    }
}
