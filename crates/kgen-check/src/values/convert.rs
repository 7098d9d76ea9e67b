//! The model's schemas in the form that `kgen-schema` evaluates.

use std::collections::BTreeMap;
use std::sync::Arc;

use kgen_model::{JsonType, ListType, Number, Rule, Schema};
use kgen_schema::{AdditionalProperties, Limits};

/// Converts schemas. A type that many fields share is converted once.
#[derive(Default)]
pub(crate) struct Converter {
    /// By address; the schema of the model is kept, so that the address stays its own.
    shared: BTreeMap<*const Schema, (Arc<Schema>, Arc<kgen_schema::Schema>)>,
}

impl Converter {
    /// Converts a schema.
    pub(super) fn convert(&mut self, schema: &Schema) -> kgen_schema::Schema {
        let properties = schema.properties.iter();
        let properties = properties
            .map(|(name, property)| (name.clone(), self.shared(property)))
            .collect();
        let other = schema.additional_properties.as_ref();
        kgen_schema::Schema {
            json_type: schema.json_type.map(json_type),
            format: schema.format().map(str::to_owned),
            nullable: schema.nullable,
            default: schema.default.clone().filter(|default| !default.is_null()),
            example: None,
            properties,
            required: schema.required.iter().cloned().collect(),
            additional_properties: other.map(|other| AdditionalProperties::Schema(self.shared(other))),
            items: schema.items.as_ref().map(|items| self.shared(items)),
            limits: limits(schema),
            all_of: self.all(&schema.constraints.all_of),
            any_of: self.all(&schema.any_of),
            one_of: self.all(&schema.one_of),
            not: schema.not.as_ref().map(|not| self.shared(not)),
            preserve_unknown_fields: schema.preserve_unknown_fields,
            embedded_resource: schema.embedded_resource,
            int_or_string: schema.int_or_string,
            list_type: match schema.list_type {
                Some(ListType::Map) => kgen_schema::ListType::Map,
                Some(ListType::Set) => kgen_schema::ListType::Set,
                Some(ListType::Atomic) | None => kgen_schema::ListType::Atomic,
            },
            list_map_keys: schema.list_map_keys.to_vec(),
            // Only server-side apply looks at it.
            atomic_map: false,
            rules: schema.constraints.rules.iter().map(rule).collect(),
            no_defaults_within: false,
        }
    }

    fn all(&mut self, parts: &[Schema]) -> Vec<kgen_schema::Schema> {
        parts.iter().map(|part| self.convert(part)).collect()
    }

    fn shared(&mut self, schema: &Arc<Schema>) -> Arc<kgen_schema::Schema> {
        let address = Arc::as_ptr(schema);
        if let Some((_, converted)) = self.shared.get(&address) {
            return Arc::clone(converted);
        }
        let converted = Arc::new(self.convert(schema));
        let kept = (Arc::clone(schema), Arc::clone(&converted));
        self.shared.insert(address, kept);
        converted
    }
}

fn rule(rule: &Rule) -> kgen_schema::Rule {
    let mut converted = kgen_schema::Rule::new(&rule.rule);
    converted.optional_old_self = rule.optional_old_self == Some(true);
    converted
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
