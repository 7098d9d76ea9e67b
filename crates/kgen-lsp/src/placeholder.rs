//! The values that a completed marker starts with: those of its example, unless the node says that others fit.
//!
//! The example of a marker is about a field of the example. Here are the markers whose values depend on the node: values of its
//! type, names of its fields, paths of its kind.

use std::sync::Arc;

use kgen_markers::cel_field;
use kgen_model::{JsonType, Schema};
use serde_json::{Map, Value, json};

use crate::index::walk;

/// How deeply sample values are nested.
const MOST_LEVELS: usize = 16;

/// The value of an argument.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Placeholder {
    /// The value of the example fits.
    Example,
    Text(String),
    /// No value fits the node, so the marker does not, either.
    Nothing,
}

impl Placeholder {
    fn of(text: Option<String>) -> Self {
        text.map_or(Self::Nothing, Self::Text)
    }
}

/// The facts about the node of a marker.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    pub(crate) schema: &'a Schema,
    /// The schema of the whole object, if the node is part of one kind.
    pub(crate) kind: Option<&'a Arc<Schema>>,
}

/// Returns the value of an argument of a marker.
pub(crate) fn of(name: &str, key: &str, node: Node<'_>) -> Placeholder {
    let schema = node.schema;
    let last = name.rsplit(':').next().unwrap_or_default();
    match (last, key) {
        ("default" | "example", _) => match sample(schema, MOST_LEVELS) {
            Some(value) => Placeholder::Text(value.to_string()),
            // The example is a text.
            None if is_type(schema, JsonType::Object) => Placeholder::Nothing,
            None => Placeholder::Example,
        },
        ("Type", _) if name.starts_with("kubebuilder:") => match schema.json_type {
            Some(json_type) => Placeholder::Text(json_type.word().to_owned()),
            None => Placeholder::Example,
        },
        ("Pattern", _) if schema.constraints.enumeration.is_some() => Placeholder::Text("`.+`".to_owned()),
        ("Enum", _) => enumeration(schema),
        ("XValidation" | "cel", "rule") => rule(schema),
        ("AtMostOneOf" | "AtLeastOneOf" | "ExactlyOneOf", _) => fields_for_one_of(schema),
        ("OneOf" | "AnyOf" | "AllOf" | "Not", _) => parts(schema, last),
        ("listMapKey", _) => Placeholder::of(map_key(schema)),
        ("listType", _) => Placeholder::Text(list_type(schema).to_owned()),
        ("printcolumn", "JSONPath" | "type") if node.kind.is_some() => {
            let found = find(node, |path, schema| {
                column_type(schema).is_some() && in_spec(path)
            });
            let found = found.and_then(|(path, schema)| Some((path, column_type(&schema)?)));
            // Every object has this one.
            let age = || (".metadata.creationTimestamp".to_owned(), "date");
            let (path, column_type) = found.unwrap_or_else(age);
            Placeholder::Text(if key == "type" {
                column_type.to_owned()
            } else {
                path
            })
        }
        (_, "JSONPath") => path(node, |path, schema| is_plain(schema) && in_spec(path)),
        ("scale", "specpath") => path(node, |path, schema| {
            in_spec(path) && is_type(schema, JsonType::Integer)
        }),
        ("scale", "statuspath") => path(node, |path, schema| {
            in_status(path) && is_type(schema, JsonType::Integer)
        }),
        ("scale", "selectorpath") => path(node, |path, schema| {
            in_status(path) && is_type(schema, JsonType::String)
        }),
        _ => Placeholder::Example,
    }
}

/// Returns a small value that a schema accepts; `None` if that is not obvious.
fn sample(schema: &Schema, left: usize) -> Option<Value> {
    let left = left.checked_sub(1)?;
    let constraints = &schema.constraints;
    if let Some(known) = &schema.default {
        return Some(known.clone());
    }
    if let Some(values) = &constraints.enumeration {
        return values.first().cloned();
    }
    let is_open = constraints.rules.is_empty() && schema.one_of.is_empty() && schema.any_of.is_empty();
    if !is_open || schema.not.is_some() {
        return None;
    }
    if schema.int_or_string {
        return Some(json!(1));
    }
    match schema.json_type? {
        JsonType::Boolean => Some(json!(true)),
        JsonType::String => {
            let is_free = constraints.pattern.is_none()
                && constraints.format.is_none()
                && schema.implied_format.is_none();
            let length = usize::try_from(constraints.min_length.unwrap_or(1).max(1)).ok()?;
            (is_free && length < 64).then(|| json!("a".repeat(length)))
        }
        JsonType::Integer | JsonType::Number => number(schema),
        JsonType::Array => {
            let length = constraints.min_items.unwrap_or_default();
            match (length, &schema.items) {
                (0, _) => Some(json!([])),
                (1, Some(items)) => Some(json!([sample(items, left)?])),
                _ => None,
            }
        }
        JsonType::Object => {
            let mut fields = Map::new();
            for name in &schema.required {
                fields.insert(name.clone(), sample(schema.properties.get(name)?, left)?);
            }
            let least = usize::try_from(constraints.min_properties.unwrap_or_default()).ok()?;
            (fields.len() >= least && !schema.embedded_resource).then_some(Value::Object(fields))
        }
    }
}

fn number(schema: &Schema) -> Option<Value> {
    let constraints = &schema.constraints;
    let is_limited =
        constraints.minimum.is_some() || constraints.maximum.is_some() || constraints.multiple_of.is_some();
    (!is_limited).then(|| json!(1)).or_else(|| {
        // The bounds are numbers in their own notation, so only the obvious ones are compared.
        let bound = |text: Option<String>| text.and_then(|text| text.parse::<i64>().ok());
        let least = bound(constraints.minimum.as_ref().map(ToString::to_string));
        let most = bound(constraints.maximum.as_ref().map(ToString::to_string));
        if constraints.multiple_of.is_some() {
            return None;
        }
        match (least, most) {
            (Some(least), Some(most)) if least < most => Some(json!(least + 1)),
            (Some(least), None) => Some(json!(least.checked_add(1)?)),
            (None, Some(most)) => Some(json!(most.checked_sub(1)?)),
            _ => None,
        }
    })
}

fn enumeration(schema: &Schema) -> Placeholder {
    let known = schema.constraints.enumeration.as_ref();
    let words = |values: &[Value]| {
        let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        values.iter().map(word).collect::<Vec<_>>().join(";")
    };
    match (known, schema.json_type) {
        (Some(known), _) => Placeholder::Text(words(known)),
        (None, Some(JsonType::String)) => Placeholder::Example,
        (None, Some(JsonType::Integer | JsonType::Number)) => Placeholder::Text("1;2".to_owned()),
        (None, Some(JsonType::Boolean)) => Placeholder::Text("true".to_owned()),
        (None, _) => Placeholder::Nothing,
    }
}

fn rule(schema: &Schema) -> Placeholder {
    let text = match schema.json_type {
        _ if schema.int_or_string || schema.preserve_unknown_fields => None,
        Some(JsonType::Boolean) => Some("self".to_owned()),
        Some(JsonType::Integer) => Some("self >= 0".to_owned()),
        Some(JsonType::Number) => Some("self >= 0.0".to_owned()),
        Some(JsonType::String) if schema.implied_format.is_none() => Some("self != ''".to_owned()),
        Some(JsonType::Array) => Some("self.size() < 10".to_owned()),
        Some(JsonType::Object) if schema.additional_properties.is_some() => {
            Some("self.size() < 10".to_owned())
        }
        Some(JsonType::Object) => {
            let field = schema.properties.keys().next();
            field.map(|field| format!("has(self.{})", cel_field(field)))
        }
        _ => None,
    };
    match text {
        Some(text) => Placeholder::Text(format!("\"{text}\"")),
        None => Placeholder::Example,
    }
}

fn fields_for_one_of(schema: &Schema) -> Placeholder {
    let optional = schema
        .properties
        .keys()
        .filter(|name| !schema.required.contains(*name));
    let fields: Vec<&str> = optional.take(2).map(String::as_str).collect();
    Placeholder::of((fields.len() == 2).then(|| fields.join(";")))
}

/// Returns schemas that narrow the value.
fn parts(schema: &Schema, name: &str) -> Placeholder {
    if let Some(values) = &schema.constraints.enumeration {
        // Every value of the list must be accepted.
        return match (name, values.as_slice()) {
            ("Not", _) => Placeholder::Text(json!({"enum": [""]}).to_string()),
            ("OneOf" | "AnyOf", [first, others @ ..]) if !others.is_empty() => {
                Placeholder::Text(json!([{"enum": [first]}, {"enum": others}]).to_string())
            }
            _ => Placeholder::Text(json!([{"enum": values}]).to_string()),
        };
    }
    let pair = match schema.json_type {
        _ if schema.int_or_string => None,
        Some(JsonType::String) => Some([json!({"minLength": 5}), json!({"pattern": "^x"})]),
        Some(JsonType::Integer | JsonType::Number) => Some([json!({"minimum": 5}), json!({"maximum": 1})]),
        Some(JsonType::Array) => Some([json!({"minItems": 5}), json!({"maxItems": 1})]),
        Some(JsonType::Object) if schema.additional_properties.is_some() => {
            Some([json!({"minProperties": 5}), json!({"maxProperties": 1})])
        }
        Some(JsonType::Object) => {
            let mut fields = schema.properties.keys();
            let part = |field: &String| json!({"required": [field]});
            fields
                .next()
                .zip(fields.next())
                .map(|(one, other)| [part(one), part(other)])
        }
        _ => None,
    };
    let shown = pair.map(|[one, other]| match name {
        "Not" => one.to_string(),
        _ => json!([one, other]).to_string(),
    });
    Placeholder::of(shown)
}

/// Returns the field of the items by which they can be told apart.
fn map_key(schema: &Schema) -> Option<String> {
    let items = schema.items.as_ref()?;
    let mut keys = items.required.iter();
    let key = keys.find(|name| items.properties.get(*name).is_some_and(|field| is_plain(field)));
    key.cloned()
}

fn list_type(schema: &Schema) -> &'static str {
    match schema.items.as_deref() {
        Some(items) if is_plain(items) => "set",
        _ => "atomic",
    }
}

fn is_plain(schema: &Schema) -> bool {
    matches!(
        schema.json_type,
        Some(JsonType::String | JsonType::Integer | JsonType::Boolean)
    ) && !schema.int_or_string
}

fn is_type(schema: &Schema, json_type: JsonType) -> bool {
    schema.json_type == Some(json_type) && !schema.int_or_string
}

/// Returns the type of a column for a value.
fn column_type(schema: &Schema) -> Option<&'static str> {
    match schema.json_type? {
        _ if schema.int_or_string => None,
        JsonType::String => Some("string"),
        JsonType::Integer => Some("integer"),
        JsonType::Number => Some("number"),
        JsonType::Boolean => Some("boolean"),
        JsonType::Array | JsonType::Object => None,
    }
}

fn in_spec(path: &str) -> bool {
    path.starts_with(".spec.") && !path.contains('*')
}

fn in_status(path: &str) -> bool {
    path.starts_with(".status.") && !path.contains('*')
}

fn path(node: Node<'_>, is_wanted: impl Fn(&str, &Schema) -> bool) -> Placeholder {
    if node.kind.is_none() {
        return Placeholder::Example;
    }
    Placeholder::of(find(node, is_wanted).map(|(path, _)| path))
}

/// Returns the first value of the kind that is wanted, with its path.
fn find(node: Node<'_>, is_wanted: impl Fn(&str, &Schema) -> bool) -> Option<(String, Arc<Schema>)> {
    let mut found = None;
    walk(node.kind?, &mut String::new(), &mut |path, schema| {
        if found.is_none() && is_wanted(path, schema) {
            found = Some((path.to_owned(), Arc::clone(schema)));
        }
    });
    found
}
