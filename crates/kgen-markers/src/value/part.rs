//! Parts of combinations as JSON: schemas that narrow a value without saying what it is.

use std::sync::Arc;

use kgen_model::{ExternalDocumentation, JsonType, ListType, MapType, Number, Rule, Schema};
use serde_json::Value as JsonValue;

use super::{Error, Parser, Value, ValueType, written};

/// One schema within a combination.
#[derive(Clone, Debug)]
pub(crate) struct Part(pub(crate) Schema);

/// The schemas of a combination.
#[derive(Clone, Debug)]
pub(crate) struct Parts(pub(crate) Vec<Schema>);

impl Value for Part {
    const TYPE: ValueType = ValueType::Json;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        let found = parser.json_with_nulls()?;
        match part(&found.value) {
            Ok(schema) => Ok(Self(schema)),
            Err(message) => Err(Error::value(found.range, message)),
        }
    }

    fn write(&self) -> Option<String> {
        Some(written::json(&JsonValue::Object(self.0.to_json(&|_| None))))
    }
}

impl Value for Parts {
    const TYPE: ValueType = ValueType::Json;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        let found = parser.json_with_nulls()?;
        match parts(&found.value) {
            Ok(schemas) if schemas.is_empty() => {
                Err(Error::value(found.range, "a combination needs a schema"))
            }
            Ok(schemas) => Ok(Self(schemas)),
            Err(message) => Err(Error::value(found.range, message)),
        }
    }

    fn write(&self) -> Option<String> {
        let parts = self
            .0
            .iter()
            .map(|part| JsonValue::Object(part.to_json(&|_| None)));
        Some(written::json(&parts.collect()))
    }
}

/// The contents of a value without a type.
#[derive(Clone, Debug)]
pub(crate) struct Contents(pub(crate) Schema);

impl Value for Contents {
    const TYPE: ValueType = ValueType::Json;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        let found = parser.json_with_nulls()?;
        match contents(&found.value) {
            Ok(schema) => Ok(Self(schema)),
            Err(message) => Err(Error::value(found.range, message)),
        }
    }

    fn write(&self) -> Option<String> {
        let json = self.0.to_json(&|text| Some(text.to_owned()));
        Some(written::json(&JsonValue::Object(json)))
    }
}

/// Reads the contents of a value.
fn contents(value: &JsonValue) -> Result<Schema, String> {
    let entries = value
        .as_object()
        .ok_or("write a schema as JSON, such as `{\"properties\": {\"a\": {\"type\": \"string\"}}}`")?;
    let schema = whole(value)?;
    if entries.is_empty() || schema != contents_of(&schema) {
        return Err("state bounds, `properties`, `required`, `additionalProperties` or `items`".to_owned());
    }
    Ok(schema)
}

/// Returns the keywords that the contents of a value without a type can have.
pub(crate) fn contents_of(schema: &Schema) -> Schema {
    Schema {
        properties: schema.properties.clone(),
        required: schema.required.clone(),
        additional_properties: schema.additional_properties.clone(),
        items: schema.items.clone(),
        constraints: schema.constraints.bounds().into(),
        ..Schema::default()
    }
}

/// Reads a schema that says what its value is.
fn whole(value: &JsonValue) -> Result<Schema, String> {
    let entries = value.as_object().ok_or("write a schema as a JSON object")?;
    let mut schema = Schema::default();
    for (key, value) in entries {
        whole_keyword(&mut schema, key, value)?;
    }
    Ok(schema)
}

/// Reads a keyword that only a whole schema can have, or one that parts of combinations have, too.
fn whole_keyword(schema: &mut Schema, key: &str, value: &JsonValue) -> Result<(), String> {
    let wrong = |expected: &str| format!("`{key}` must be {expected}");
    let flag = || value.as_bool().ok_or_else(|| wrong("true or false"));
    let word = || value.as_str().ok_or_else(|| wrong("a string"));
    match key {
        "properties" => {
            for (name, property) in value.as_object().ok_or_else(|| wrong("an object"))? {
                schema.properties.insert(name.clone(), Arc::new(whole(property)?));
            }
        }
        "items" => schema.items = Some(Arc::new(whole(value)?)),
        "additionalProperties" => schema.additional_properties = Some(Arc::new(whole(value)?)),
        "default" => schema.default = Some(value.clone()),
        "example" => schema.example = Some(Box::new(value.clone())),
        "nullable" => schema.nullable = flag()?,
        "externalDocs" => schema.external_documentation = Some(Box::new(external_documentation(value)?)),
        "x-kubernetes-preserve-unknown-fields" => schema.preserve_unknown_fields = flag()?,
        "x-kubernetes-embedded-resource" => schema.embedded_resource = flag()?,
        "x-kubernetes-int-or-string" => schema.int_or_string = flag()?,
        "x-kubernetes-list-type" => {
            schema.list_type = Some(ListType::from_word(word()?).ok_or_else(|| wrong("a list type"))?);
        }
        "x-kubernetes-map-type" => {
            schema.map_type = Some(MapType::from_word(word()?).ok_or_else(|| wrong("a map type"))?);
        }
        "x-kubernetes-list-map-keys" => {
            let keys = value.as_array().ok_or_else(|| wrong("a list of strings"))?;
            let keys: Option<Vec<_>> = keys.iter().map(|key| key.as_str().map(str::to_owned)).collect();
            schema.list_map_keys = keys.ok_or_else(|| wrong("a list of strings"))?.into();
        }
        "x-kubernetes-validations" => {
            let rules = value.as_array().ok_or_else(|| wrong("a list of rules"))?;
            schema.constraints.rules = rules.iter().map(rule).collect::<Result<_, _>>()?;
        }
        _ => keyword(schema, key, value)?,
    }
    Ok(())
}

fn external_documentation(value: &JsonValue) -> Result<ExternalDocumentation, String> {
    let mut documentation = ExternalDocumentation {
        url: String::new(),
        description: None,
    };
    for (key, value) in value.as_object().ok_or("`externalDocs` must be an object")? {
        let text = value.as_str().map(str::to_owned);
        let text = || text.ok_or_else(|| format!("`{key}` must be a string"));
        match key.as_str() {
            "url" => documentation.url = text()?,
            "description" => documentation.description = Some(text()?),
            _ => return Err(format!("`externalDocs` cannot have `{key}`")),
        }
    }
    Ok(documentation)
}

fn rule(value: &JsonValue) -> Result<Rule, String> {
    let mut rule = Rule::default();
    for (key, value) in value.as_object().ok_or("write a rule as a JSON object")? {
        let text = value.as_str().map(str::to_owned);
        let text = || text.ok_or_else(|| format!("`{key}` must be a string"));
        match key.as_str() {
            "rule" => rule.rule = text()?,
            "message" => rule.message = Some(text()?),
            "messageExpression" => rule.message_expression = Some(text()?),
            "reason" => rule.reason = Some(text()?),
            "fieldPath" => rule.field_path = Some(text()?),
            "optionalOldSelf" => {
                let flag = value.as_bool();
                rule.optional_old_self = Some(flag.ok_or("`optionalOldSelf` must be true or false")?);
            }
            _ => return Err(format!("a rule cannot have `{key}`")),
        }
    }
    if rule.rule.is_empty() {
        return Err("a rule needs `rule`".to_owned());
    }
    Ok(rule)
}

/// Reads the schemas of a list.
fn parts(value: &JsonValue) -> Result<Vec<Schema>, String> {
    let list = value
        .as_array()
        .ok_or("write a list of schemas as JSON, such as `[{\"required\": [\"a\"]}]`")?;
    list.iter().map(part).collect()
}

/// Reads a schema, or says why it cannot be part of a combination.
fn part(value: &JsonValue) -> Result<Schema, String> {
    let entries = value.as_object().ok_or("write a schema as a JSON object")?;
    let mut schema = Schema::default();
    for (key, value) in entries {
        keyword(&mut schema, key, value)?;
    }
    Ok(schema)
}

fn keyword(schema: &mut Schema, key: &str, value: &JsonValue) -> Result<(), String> {
    let wrong = |expected: &str| format!("`{key}` must be {expected}");
    let text = || value.as_str().map(str::to_owned).ok_or_else(|| wrong("a string"));
    let flag = || value.as_bool().ok_or_else(|| wrong("true or false"));
    let number = || {
        Number::from_json(value)
            .map(Some)
            .ok_or_else(|| wrong("a number"))
    };
    let size = || value.as_i64().map(Some).ok_or_else(|| wrong("an integer"));
    let own = &mut schema.constraints;
    match key {
        "format" => own.format = Some(text()?),
        "pattern" => own.pattern = Some(text()?),
        "enum" => own.enumeration = Some(value.as_array().cloned().ok_or_else(|| wrong("a list"))?),
        "minimum" => own.minimum = number()?,
        "maximum" => own.maximum = number()?,
        "multipleOf" => own.multiple_of = number()?,
        "exclusiveMinimum" => own.exclusive_minimum = flag()?,
        "exclusiveMaximum" => own.exclusive_maximum = flag()?,
        "minLength" => own.min_length = size()?,
        "maxLength" => own.max_length = size()?,
        "minItems" => own.min_items = size()?,
        "maxItems" => own.max_items = size()?,
        "minProperties" => own.min_properties = size()?,
        "maxProperties" => own.max_properties = size()?,
        "uniqueItems" => own.unique_items = flag()?,
        "allOf" => own.all_of = parts(value)?,
        "anyOf" => schema.any_of = parts(value)?.into(),
        "oneOf" => schema.one_of = parts(value)?.into(),
        "not" => schema.not = Some(Arc::new(part(value)?)),
        "items" => schema.items = Some(Arc::new(part(value)?)),
        "additionalProperties" => schema.additional_properties = Some(Arc::new(part(value)?)),
        "properties" => {
            for (name, property) in value.as_object().ok_or_else(|| wrong("an object"))? {
                schema.properties.insert(name.clone(), Arc::new(part(property)?));
            }
        }
        "required" => {
            let names = value.as_array().ok_or_else(|| wrong("a list of strings"))?;
            for name in names {
                let name = name.as_str().ok_or_else(|| wrong("a list of strings"))?;
                schema.required.insert(name.to_owned());
            }
        }
        // The check of structural schemas decides where these are possible.
        "type" => {
            let json_type = value.as_str().and_then(JsonType::from_word);
            schema.json_type = Some(json_type.ok_or_else(|| wrong("a type"))?);
        }
        "title" => schema.title = Some(text()?.into()),
        "description" => schema.description = Some(text()?),
        "x-kubernetes-validations" => return Err(format!("`{key}` cannot be part of a combination")),
        _ => return Err(format!("a part of a combination cannot have `{key}`")),
    }
    Ok(())
}
