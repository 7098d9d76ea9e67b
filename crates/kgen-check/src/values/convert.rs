//! The model's schemas in the form that `kgen-schema` evaluates.

use std::sync::Arc;

use kgen_model::{JsonType, ListType, Number, Schema};
use kgen_schema::{AdditionalProperties, Limits};
use serde_json::Value;

/// Converts a schema as far as it describes the values.
///
/// A type that many fields share is written out for each of them, so a whole schema can be large. Only the properties that
/// one of the values has are converted.
pub(super) fn convert(schema: &Schema, values: &[&Value]) -> kgen_schema::Schema {
    let all = |parts: &[Schema]| parts.iter().map(|part| convert(part, values)).collect();
    let mut properties = std::collections::BTreeMap::new();
    for (name, property) in &schema.properties {
        let within: Vec<_> = values.iter().filter_map(|value| value.get(name)).collect();
        if !within.is_empty() {
            properties.insert(name.clone(), Arc::new(convert(property, &within)));
        }
    }
    let additional_properties = schema.additional_properties.as_ref().map(|other| {
        let entries = values.iter().filter_map(|value| value.as_object()).flatten();
        let others = entries.filter(|(name, _)| !schema.properties.contains_key(*name));
        let within: Vec<_> = others.map(|(_, value)| value).collect();
        AdditionalProperties::Schema(Arc::new(convert(other, &within)))
    });
    let items = schema.items.as_ref().map(|expected| {
        let within: Vec<_> = values
            .iter()
            .filter_map(|value| value.as_array())
            .flatten()
            .collect();
        Arc::new(convert(expected, &within))
    });
    kgen_schema::Schema {
        json_type: schema.json_type.map(json_type),
        format: schema.format().map(str::to_owned),
        nullable: schema.nullable,
        properties,
        required: schema.required.iter().cloned().collect(),
        additional_properties,
        items,
        limits: limits(schema),
        all_of: all(&schema.constraints.all_of),
        any_of: all(&schema.any_of),
        one_of: all(&schema.one_of),
        not: schema.not.as_ref().map(|not| Arc::new(convert(not, values))),
        preserve_unknown_fields: schema.preserve_unknown_fields,
        embedded_resource: schema.embedded_resource,
        int_or_string: schema.int_or_string,
        list_type: match schema.list_type {
            Some(ListType::Map) => kgen_schema::ListType::Map,
            Some(ListType::Set) => kgen_schema::ListType::Set,
            Some(ListType::Atomic) | None => kgen_schema::ListType::Atomic,
        },
        list_map_keys: schema.list_map_keys.to_vec(),
        ..kgen_schema::Schema::default()
    }
}

fn limits(schema: &Schema) -> Limits {
    let constraints = &schema.constraints;
    Limits {
        enumeration: constraints.enumeration.clone().unwrap_or_default(),
        minimum: constraints.minimum.map(Number::as_f64),
        maximum: constraints.maximum.map(Number::as_f64),
        exclusive_minimum: constraints.exclusive_minimum,
        exclusive_maximum: constraints.exclusive_maximum,
        multiple_of: constraints.multiple_of.map(Number::as_f64),
        min_length: constraints.min_length,
        max_length: constraints.max_length,
        pattern: constraints.pattern.clone(),
        min_items: constraints.min_items,
        max_items: constraints.max_items,
        // The API server does not accept it.
        unique_items: false,
        min_properties: constraints.min_properties,
        max_properties: constraints.max_properties,
    }
}

/// Converts a type.
pub(crate) fn json_type(json_type: JsonType) -> kgen_schema::JsonType {
    match json_type {
        JsonType::Array => kgen_schema::JsonType::Array,
        JsonType::Boolean => kgen_schema::JsonType::Boolean,
        JsonType::Integer => kgen_schema::JsonType::Integer,
        JsonType::Number => kgen_schema::JsonType::Number,
        JsonType::Object => kgen_schema::JsonType::Object,
        JsonType::String => kgen_schema::JsonType::String,
    }
}
