//! Schemas as definitions write them, read back into the model, so that examples can be plain data.

use std::sync::Arc;

use kgen_model::{JsonType, ListType, MapType, Rule, Schema};
use serde_json::Value;

use super::builder::place;

/// Returns the schema that a value of `openAPIV3Schema` describes, as far as rules are concerned.
pub(crate) fn schema(value: &Value) -> Schema {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let flag = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or_default();
    let number = |key: &str| value.get(key).and_then(Value::as_i64);
    let part = |key: &str| {
        value
            .get(key)
            .filter(|part| part.is_object())
            .map(|part| Arc::new(schema(part)))
    };
    let mut read = Schema {
        json_type: text("type").and_then(|word| {
            [
                JsonType::Array,
                JsonType::Boolean,
                JsonType::Integer,
                JsonType::Number,
                JsonType::Object,
                JsonType::String,
            ]
            .into_iter()
            .find(|known| known.word() == word)
        }),
        default: value.get("default").cloned(),
        items: part("items"),
        additional_properties: part("additionalProperties"),
        nullable: flag("nullable"),
        preserve_unknown_fields: flag("x-kubernetes-preserve-unknown-fields"),
        embedded_resource: flag("x-kubernetes-embedded-resource"),
        int_or_string: flag("x-kubernetes-int-or-string"),
        list_type: text("x-kubernetes-list-type").and_then(ListType::from_word),
        map_type: text("x-kubernetes-map-type").and_then(MapType::from_word),
        ..Schema::default()
    };
    for (name, property) in value
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        read.properties.insert(name.clone(), Arc::new(schema(property)));
    }
    let texts = |key: &str| {
        let list = value.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(|text| text.as_str().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    read.required = texts("required").into_iter().collect();
    read.list_map_keys = texts("x-kubernetes-list-map-keys").into();
    let limits = &mut *read.constraints;
    limits.format = text("format").map(str::to_owned);
    limits.enumeration = value.get("enum").and_then(Value::as_array).cloned();
    limits.max_length = number("maxLength");
    limits.max_items = number("maxItems");
    limits.max_properties = number("maxProperties");
    limits.rules = rules(value);
    read
}

fn rules(value: &Value) -> Vec<Rule> {
    let list = value.get("x-kubernetes-validations").and_then(Value::as_array);
    let rules = list.into_iter().flatten().map(|rule| {
        let text = |key: &str| rule.get(key).and_then(Value::as_str).map(str::to_owned);
        Rule {
            rule: text("rule").unwrap_or_default(),
            message: text("message"),
            message_expression: text("messageExpression"),
            reason: text("reason"),
            field_path: text("fieldPath"),
            optional_old_self: rule.get("optionalOldSelf").and_then(Value::as_bool),
            span: Some(place(9)),
            ..Rule::default()
        }
    });
    rules.collect()
}
