//! Converts keywords to a schema of the model. Keywords that Kubernetes does not support are left out, as in kube.

use std::sync::Arc;

use kgen_model::{ExternalDocumentation, JsonType, ListType, MapType, Number, Rule, Schema};
use serde_json::Value;

use super::written::Written;
use crate::shape::conventions::Conventions;

/// Returns the schema of some keywords, or an error if a keyword has an invalid value.
pub(super) fn schema(written: &Written, conventions: Conventions) -> Result<Schema, ()> {
    match written {
        Written::Schema(schema) => Ok(Schema::clone(schema)),
        // `true` takes any value.
        Written::Scalar(Value::Bool(true)) => Ok(Schema::anything()),
        Written::Object(entries) => {
            let mut schema = Schema::default();
            for (key, value) in entries {
                apply(&mut schema, key, value, conventions)?;
            }
            if conventions.forgets_types_of_branches() {
                for branches in [&mut schema.any_of, &mut schema.one_of] {
                    if !branches.is_empty() {
                        branches.iter_mut().for_each(forget_type);
                    }
                }
            }
            // An empty schema accepts any value; the API server requires an explicit statement of that.
            if entries.is_empty() {
                schema.preserve_unknown_fields = true;
            }
            Ok(schema)
        }
        _ => Err(()),
    }
}

/// Removes the type of a branch that says nothing about parts of the value, as kube does.
fn forget_type(branch: &mut Schema) {
    let bounds = &branch.constraints;
    let is_scalar = !matches!(branch.json_type, Some(JsonType::Object | JsonType::Array));
    if is_scalar && bounds.enumeration.is_none() && branch.any_of.is_empty() && branch.one_of.is_empty() {
        branch.json_type = None;
        branch.description = None;
        branch.default = None;
    }
}

/// Sets one keyword.
pub(super) fn apply(
    schema: &mut Schema,
    key: &str,
    value: &Written,
    conventions: Conventions,
) -> Result<(), ()> {
    let text = || value.text().map(str::to_owned).ok_or(());
    let json = || value.to_json().ok_or(());
    let flag = || value.boolean().ok_or(());
    let number = || {
        value
            .to_json()
            .as_ref()
            .and_then(Number::from_json)
            .map(Some)
            .ok_or(())
    };
    let length = || {
        let number = value.to_json().as_ref().and_then(whole_number);
        number.map(Some).ok_or(())
    };
    let nested = |value: &Written| self::schema(value, conventions);
    let nested_list = || {
        let list = value.list().ok_or(())?;
        list.iter().map(nested).collect::<Result<Vec<_>, _>>()
    };
    let own = &mut schema.constraints;
    match key {
        "type" => set_type(schema, value)?,
        "format" => {
            own.format = None;
            schema.implied_format = None;
            set_format(schema, text()?, conventions);
        }
        "title" => schema.title = Some(text()?.into()),
        "description" => schema.description = Some(text()?),
        "default" => schema.default = Some(json()?),
        "example" => schema.example = Some(Box::new(json()?)),
        "enum" => {
            let mut values: Vec<Value> = match json()? {
                Value::Array(values) => values,
                _ => return Err(()),
            };
            if values.contains(&Value::Null) {
                schema.nullable = true;
                if !conventions.keeps_stated_keywords() {
                    values.retain(|value| !value.is_null());
                }
            }
            own.enumeration = Some(values);
        }
        "const" => own.enumeration = Some(vec![json()?]),
        "pattern" => own.pattern = Some(text()?),
        "minimum" => own.minimum = number()?,
        "maximum" => own.maximum = number()?,
        // A flag in OpenAPI 3.0, a bound of its own in later drafts of JSON Schema.
        "exclusiveMinimum" => match value.boolean() {
            Some(flag) => own.exclusive_minimum = flag,
            None => (own.minimum, own.exclusive_minimum) = (number()?, true),
        },
        "exclusiveMaximum" => match value.boolean() {
            Some(flag) => own.exclusive_maximum = flag,
            None => (own.maximum, own.exclusive_maximum) = (number()?, true),
        },
        "multipleOf" => own.multiple_of = number()?,
        "minLength" => own.min_length = length()?,
        "maxLength" => own.max_length = length()?,
        "minItems" => own.min_items = length()?,
        "maxItems" => own.max_items = length()?,
        "minProperties" => own.min_properties = length()?,
        "maxProperties" => own.max_properties = length()?,
        "items" => schema.items = Some(Arc::new(nested(value)?)),
        "properties" => {
            for (name, property) in value.entries().ok_or(())? {
                schema.properties.insert(name, Arc::new(nested(&property)?));
            }
        }
        "required" => schema.required = texts(value)?.into_iter().collect(),
        "additionalProperties" => match value.boolean() {
            Some(true) => schema.preserve_unknown_fields = true,
            Some(false) => {}
            None => schema.additional_properties = Some(Arc::new(nested(value)?)),
        },
        "anyOf" => schema.any_of = nested_list()?.into(),
        "oneOf" => schema.one_of = nested_list()?.into(),
        "allOf" => own.all_of = nested_list()?,
        "not" => schema.not = Some(Arc::new(nested(value)?)),
        "nullable" => schema.nullable = flag()?,
        "x-kubernetes-preserve-unknown-fields" => schema.preserve_unknown_fields = flag()?,
        "x-kubernetes-embedded-resource" => schema.embedded_resource = flag()?,
        "x-kubernetes-int-or-string" => schema.int_or_string = flag()?,
        "x-kubernetes-list-type" => {
            let word = text()?;
            let types = [ListType::Atomic, ListType::Map, ListType::Set];
            schema.list_type = Some(types.into_iter().find(|known| known.word() == word).ok_or(())?);
        }
        "x-kubernetes-list-map-keys" => schema.list_map_keys = texts(value)?.into(),
        "x-kubernetes-map-type" => {
            let word = text()?;
            let types = [MapType::Atomic, MapType::Granular];
            schema.map_type = Some(types.into_iter().find(|known| known.word() == word).ok_or(())?);
        }
        "x-kubernetes-validations" => {
            own.rules = value
                .list()
                .ok_or(())?
                .iter()
                .map(rule)
                .collect::<Result<_, _>>()?;
        }
        "externalDocs" => {
            let part = |name: &str| {
                let entries = value.entries()?;
                let (_, text) = entries.into_iter().find(|(key, _)| key == name)?;
                text.text().map(str::to_owned)
            };
            schema.external_documentation = Some(Box::new(ExternalDocumentation {
                url: part("url").ok_or(())?,
                description: part("description"),
            }));
        }
        // No reference is possible in a definition.
        "$ref" => return Err(()),
        _ => {}
    }
    Ok(())
}

/// Takes a keyword away.
pub(super) fn remove(schema: &mut Schema, key: &str) -> Result<(), ()> {
    match key {
        "title" => schema.title = None,
        "description" => schema.description = None,
        "default" => schema.default = None,
        "format" => {
            schema.implied_format = None;
            schema.constraints.format = None;
        }
        "nullable" => schema.nullable = false,
        "pattern" => schema.constraints.pattern = None,
        "enum" => schema.constraints.enumeration = None,
        "minimum" => schema.constraints.minimum = None,
        "maximum" => schema.constraints.maximum = None,
        "oneOf" => schema.one_of.clear(),
        "anyOf" => schema.any_of.clear(),
        "required" => schema.required.clear(),
        "additionalProperties" => schema.additional_properties = None,
        "items" => schema.items = None,
        "properties" => schema.properties.clear(),
        "$schema" | "$id" | "examples" => {}
        _ => return Err(()),
    }
    Ok(())
}

fn set_type(schema: &mut Schema, value: &Written) -> Result<(), ()> {
    let words = match value.text() {
        Some(word) => vec![word.to_owned()],
        None => texts(value)?,
    };
    let (null, words): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word == "null");
    schema.nullable |= !null.is_empty();
    schema.json_type = match words.as_slice() {
        [] => None,
        [word] => Some(JsonType::from_word(word).ok_or(())?),
        // A structural schema can have only one type, except for this pair.
        [first, second]
            if matches!(
                (first.as_str(), second.as_str()),
                ("integer", "string") | ("string", "integer")
            ) =>
        {
            schema.int_or_string = true;
            None
        }
        _ => return Err(()),
    };
    Ok(())
}

/// Integers have one of two formats; the API server warns of any other.
fn set_format(schema: &mut Schema, format: String, conventions: Conventions) {
    let known = match format.as_str() {
        _ if conventions.keeps_stated_keywords() => None,
        "int8" | "int16" | "uint8" | "uint16" => Some("int32"),
        "uint32" | "uint64" | "uint" | "int" => Some("int64"),
        _ => None,
    };
    if known.is_some() && format.starts_with('u') && schema.constraints.minimum.is_none() {
        schema.constraints.minimum = Some(Number::Integer(0));
    }
    schema.constraints.format = Some(known.map_or(format, str::to_owned));
}

fn whole_number(value: &Value) -> Option<i64> {
    match Number::from_json(value)? {
        Number::Integer(value) => Some(value),
        Number::Float(_) => None,
    }
}

fn texts(value: &Written) -> Result<Vec<String>, ()> {
    let list = value.list().ok_or(())?;
    list.iter()
        .map(|text| text.text().map(str::to_owned).ok_or(()))
        .collect()
}

fn rule(value: &Written) -> Result<Rule, ()> {
    let mut rule = Rule::default();
    for (key, value) in value.entries().ok_or(())? {
        let text = value.text().map(str::to_owned);
        match key.as_str() {
            "rule" => rule.rule = text.ok_or(())?,
            "message" => rule.message = text,
            "messageExpression" => rule.message_expression = text,
            "reason" => rule.reason = text,
            "fieldPath" => rule.field_path = text,
            "optionalOldSelf" => rule.optional_old_self = value.boolean(),
            _ => {}
        }
    }
    Ok(rule)
}
