//! Reads schemas from JSON, as a CRD has them below `openAPIV3Schema`.
//!
//! The API server has accepted the CRD, so only the types of the keywords are checked here. Unknown keywords are ignored.

use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;

use kgen_cel::JsonType;
use serde_json::{Map, Value};

use crate::rule::{Reason, Rule};
use crate::schema::{AdditionalProperties, Limits, ListType, Schema};

/// The deepest nesting of schemas that is read. Every other traversal follows the schema, so this limits them all.
pub const MAX_DEPTH: usize = 100;

/// Why a CRD or a schema cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    path: String,
    message: String,
}

impl ReadError {
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
        }
    }

    /// Adds a step in front of the path.
    pub(crate) fn within(mut self, step: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{step}{dot}{}", self.path);
        self
    }

    /// Returns the place of the mistake, such as `spec.versions[0].name`.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            formatter.write_str(&self.message)
        } else {
            write!(formatter, "`{}` {}", self.path, self.message)
        }
    }
}

impl Error for ReadError {}

type Outcome<T> = Result<T, ReadError>;

impl Schema {
    /// Reads a schema in the form that it has below `openAPIV3Schema`.
    ///
    /// # Errors
    ///
    /// Returns the first keyword whose value has the wrong type, or an error if the schema is nested too deeply.
    pub fn read(json: &Value) -> Result<Self, ReadError> {
        schema(json, 0)
    }
}

fn schema(json: &Value, depth: usize) -> Outcome<Schema> {
    if depth > MAX_DEPTH {
        return Err(ReadError::new(
            "",
            format!("is nested more than {MAX_DEPTH} levels deep"),
        ));
    }
    let Value::Object(keywords) = json else {
        return Err(ReadError::new("", "must be an object"));
    };
    let read = Keywords { keywords };
    let child = |json: &Value| schema(json, depth + 1);
    let json_type = match read.text("type")? {
        None | Some("") => None,
        Some(word) => {
            Some(JsonType::from_word(word).ok_or_else(|| ReadError::new("type", "is not a known type"))?)
        }
    };
    let mut properties = std::collections::BTreeMap::new();
    for (name, json) in read.object("properties")?.into_iter().flatten() {
        let property = child(json).map_err(|error| error.within(name).within("properties"))?;
        properties.insert(name.clone(), Arc::new(property));
    }
    let additional_properties = match read.get("additionalProperties") {
        None => None,
        Some(Value::Bool(allowed)) => Some(AdditionalProperties::Allowed(*allowed)),
        Some(json) => {
            let found = child(json).map_err(|error| error.within("additionalProperties"))?;
            Some(AdditionalProperties::Schema(Arc::new(found)))
        }
    };
    let list = |keyword: &str| -> Outcome<Vec<Schema>> {
        let parts = read.array(keyword)?.into_iter().flatten().enumerate();
        parts
            .map(|(index, json)| child(json).map_err(|error| error.within(&format!("{keyword}[{index}]"))))
            .collect()
    };
    let part = |keyword: &str| -> Outcome<Option<Arc<Schema>>> {
        let found = read.get(keyword).map(|json| child(json).map(Arc::new));
        found.transpose().map_err(|error| error.within(keyword))
    };
    let rules = read.array("x-kubernetes-validations")?.into_iter().flatten();
    let rules = rules.enumerate().map(|(index, json)| {
        rule(json).map_err(|error| error.within(&format!("x-kubernetes-validations[{index}]")))
    });
    let items = part("items")?;
    let other = match &additional_properties {
        Some(AdditionalProperties::Schema(other)) => Some(other),
        _ => None,
    };
    let mut within = properties.values().chain(&items).chain(other);
    let no_defaults_within = within.all(|part| part.default.is_none() && part.no_defaults_within);
    Ok(Schema {
        json_type,
        format: read.text("format")?.map(str::to_owned),
        nullable: read.flag("nullable")?,
        default: read.get("default").cloned(),
        example: read.get("example").cloned().map(Box::new),
        properties,
        required: read.texts("required")?,
        additional_properties,
        items,
        limits: limits(&read)?,
        all_of: list("allOf")?,
        any_of: list("anyOf")?,
        one_of: list("oneOf")?,
        not: part("not")?,
        preserve_unknown_fields: read.flag("x-kubernetes-preserve-unknown-fields")?,
        embedded_resource: read.flag("x-kubernetes-embedded-resource")?,
        int_or_string: read.flag("x-kubernetes-int-or-string")?,
        list_type: match read.text("x-kubernetes-list-type")? {
            Some("map") => ListType::Map,
            Some("set") => ListType::Set,
            _ => ListType::Atomic,
        },
        list_map_keys: read.texts("x-kubernetes-list-map-keys")?,
        atomic_map: read.text("x-kubernetes-map-type")? == Some("atomic"),
        rules: rules.collect::<Outcome<_>>()?,
        no_defaults_within,
    })
}

fn limits(read: &Keywords<'_>) -> Outcome<Limits> {
    Ok(Limits {
        enumeration: read.array("enum")?.cloned().unwrap_or_default(),
        minimum: read.number("minimum")?,
        maximum: read.number("maximum")?,
        exclusive_minimum: read.flag("exclusiveMinimum")?,
        exclusive_maximum: read.flag("exclusiveMaximum")?,
        multiple_of: read.number("multipleOf")?,
        min_length: read.integer("minLength")?,
        max_length: read.integer("maxLength")?,
        pattern: read
            .text("pattern")?
            .filter(|pattern| !pattern.is_empty())
            .map(str::to_owned),
        min_items: read.integer("minItems")?,
        max_items: read.integer("maxItems")?,
        unique_items: read.flag("uniqueItems")?,
        min_properties: read.integer("minProperties")?,
        max_properties: read.integer("maxProperties")?,
    })
}

fn rule(json: &Value) -> Outcome<Rule> {
    let Value::Object(keywords) = json else {
        return Err(ReadError::new("", "must be an object"));
    };
    let read = Keywords { keywords };
    let stated = |key: &str| -> Outcome<Option<String>> {
        Ok(read.text(key)?.filter(|text| !text.is_empty()).map(str::to_owned))
    };
    let mut rule = Rule::new(read.text("rule")?.unwrap_or_default());
    rule.message = stated("message")?;
    rule.message_expression = stated("messageExpression")?;
    rule.field_path = stated("fieldPath")?;
    rule.reason = read.text("reason")?.map_or(Reason::Invalid, Reason::from_word);
    rule.optional_old_self = read.flag("optionalOldSelf")?;
    Ok(rule)
}

/// The keywords of one schema. A keyword that is `null` counts as absent.
pub(crate) struct Keywords<'j> {
    pub(crate) keywords: &'j Map<String, Value>,
}

impl<'j> Keywords<'j> {
    pub(crate) fn get(&self, key: &str) -> Option<&'j Value> {
        self.keywords.get(key).filter(|value| !value.is_null())
    }

    fn expect<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl Fn(&'j Value) -> Option<T>,
    ) -> Outcome<Option<T>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match read(value) {
            Some(found) => Ok(Some(found)),
            None => Err(ReadError::new(key, format!("must be {expected}"))),
        }
    }

    pub(crate) fn text(&self, key: &str) -> Outcome<Option<&'j str>> {
        self.expect(key, "a string", Value::as_str)
    }

    pub(crate) fn flag(&self, key: &str) -> Outcome<bool> {
        Ok(self
            .expect(key, "true or false", Value::as_bool)?
            .unwrap_or_default())
    }

    fn number(&self, key: &str) -> Outcome<Option<f64>> {
        self.expect(key, "a number", Value::as_f64)
    }

    fn integer(&self, key: &str) -> Outcome<Option<i64>> {
        self.expect(key, "an integer", Value::as_i64)
    }

    pub(crate) fn array(&self, key: &str) -> Outcome<Option<&'j Vec<Value>>> {
        self.expect(key, "a list", Value::as_array)
    }

    pub(crate) fn object(&self, key: &str) -> Outcome<Option<&'j Map<String, Value>>> {
        self.expect(key, "an object", Value::as_object)
    }

    fn texts(&self, key: &str) -> Outcome<Vec<String>> {
        let all = |value: &Value| {
            let items = value.as_array()?.iter();
            items.map(|item| item.as_str().map(str::to_owned)).collect()
        };
        Ok(self.expect(key, "a list of strings", all)?.unwrap_or_default())
    }
}
