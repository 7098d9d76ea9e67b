//! The specs of pods as Kubernetes' own structs, which messages about changed pods show.
//!
//! `data/structs.json` has the fields of these structs with their types, and their names in v1; the README of the crate's test
//! data says where it comes from.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

/// The structs by name: lists of fields, or the type that a name means.
static STRUCTS: LazyLock<BTreeMap<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/structs.json")).unwrap_or_default());

/// The order of the fields of `metav1.ObjectMeta` that a template can have.
const METADATA: [&str; 8] = [
    "name",
    "generateName",
    "namespace",
    "uid",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
];

/// A value of Go. The fields of structs keep their order.
pub(super) enum GoValue {
    Plain(Value),
    List(Vec<GoValue>),
    Struct(Vec<(String, GoValue)>),
}

impl GoValue {
    /// Returns an object of v1 as the struct of a type.
    pub(super) fn of(type_name: &str, value: &Value) -> Self {
        typed(type_name, Some(value), &Value::Null)
    }

    /// Returns the text of `json.MarshalIndent` with an indent of one space.
    pub(super) fn pretty(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0);
        text
    }

    fn write(&self, text: &mut String, depth: usize) {
        let (open, close, count) = match self {
            Self::Plain(value) => return text.push_str(&kgen_schema::go_json(value)),
            Self::List(items) => ('[', ']', items.len()),
            Self::Struct(fields) => ('{', '}', fields.len()),
        };
        text.push(open);
        let line = |text: &mut String, depth: usize| {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', depth));
        };
        let separator = |text: &mut String, index: usize| {
            if index > 0 {
                text.push(',');
            }
            line(text, depth + 1);
        };
        match self {
            Self::Plain(_) => {}
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    separator(text, index);
                    item.write(text, depth + 1);
                }
            }
            Self::Struct(fields) => {
                for (index, (name, value)) in fields.iter().enumerate() {
                    separator(text, index);
                    text.push_str(&kgen_schema::go_json(&Value::from(name.as_str())));
                    text.push_str(": ");
                    value.write(text, depth + 1);
                }
            }
        }
        if count > 0 {
            line(text, depth);
        }
        text.push(close);
    }
}

impl Serialize for GoValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(value) => value.serialize(serializer),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Struct(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

fn null() -> GoValue {
    GoValue::Plain(Value::Null)
}

/// Returns a value of a type of Go. `parent` is the object of v1 that the value is in.
fn typed(kind: &str, value: Option<&Value>, parent: &Value) -> GoValue {
    let value = value.filter(|value| !value.is_null());
    let or = |zero: Value| GoValue::Plain(value.cloned().unwrap_or(zero));
    if let Some(inner) = kind.strip_prefix('*') {
        // v1 has some of its fields in the spec of the pod, so it always exists.
        if inner == "PodSecurityContext" {
            return structure(inner, value.unwrap_or(&Value::Null), parent);
        }
        return value.map_or_else(null, |value| typed(inner, Some(value), parent));
    }
    if kind == "[]byte" {
        return or(Value::Null);
    }
    if let Some(inner) = kind.strip_prefix("[]") {
        let items = value.and_then(Value::as_array);
        return items.map_or_else(null, |items| {
            GoValue::List(
                items
                    .iter()
                    .map(|item| typed(inner, Some(item), parent))
                    .collect(),
            )
        });
    }
    if let Some((_, inner)) = kind.strip_prefix("map[").and_then(|rest| rest.split_once(']')) {
        let entries = value.and_then(Value::as_object);
        return entries.map_or_else(null, |entries| {
            let sorted: BTreeMap<&String, &Value> = entries.iter().collect();
            let entry =
                |(name, value): (&&String, &&Value)| ((*name).clone(), typed(inner, Some(*value), parent));
            GoValue::Struct(sorted.iter().map(entry).collect())
        });
    }
    match kind {
        "string" => or(Value::from("")),
        "bool" => or(Value::Bool(false)),
        "int32" | "int64" | "intstr.IntOrString" => or(Value::from(0)),
        "resource.Quantity" => or(Value::from("0")),
        "metav1.LabelSelector" => {
            let value = value.unwrap_or(&Value::Null);
            ordered(
                value,
                &["matchLabels", "matchExpressions", "key", "operator", "values"],
            )
        }
        name => match STRUCTS.get(name) {
            Some(Value::String(other)) => typed(other, value, parent),
            Some(_) => structure(name, value.unwrap_or(&Value::Null), parent),
            None => or(Value::Null),
        },
    }
}

/// Returns the struct of an object of v1.
fn structure(name: &str, object: &Value, parent: &Value) -> GoValue {
    let mut fields = Vec::new();
    add_fields(name, object, parent, &mut fields);
    GoValue::Struct(fields)
}

fn add_fields(name: &str, object: &Value, parent: &Value, fields: &mut Vec<(String, GoValue)>) {
    let declared = STRUCTS.get(name).and_then(Value::as_array);
    for field in declared.into_iter().flatten() {
        let part = |index: usize| field.get(index).and_then(Value::as_str).unwrap_or_default();
        let (go_name, key, kind) = (part(0), part(1), part(2));
        match (go_name, key) {
            ("", _) if kind == "metav1.ObjectMeta" => {
                let metadata = object.get("metadata").unwrap_or(&Value::Null);
                if let GoValue::Struct(metadata) = ordered(metadata, &METADATA) {
                    fields.extend(metadata);
                }
            }
            ("", _) => add_fields(kind, object, parent, fields),
            // These are fields of the pod in v1.
            (_, "") => {
                let mut key = go_name.to_owned();
                if let Some(first) = key.get_mut(..1) {
                    first.make_ascii_lowercase();
                }
                fields.push((go_name.to_owned(), typed(kind, parent.get(&key), parent)));
            }
            _ => fields.push((go_name.to_owned(), typed(kind, object.get(key), object))),
        }
    }
}

/// Returns an object whose fields have a known order, as types with names in JSON are written. Others are sorted.
fn ordered(value: &Value, order: &[&str]) -> GoValue {
    match value {
        Value::Object(entries) => {
            let position = |name: &str| {
                order
                    .iter()
                    .position(|known| *known == name)
                    .unwrap_or(order.len())
            };
            let mut sorted: Vec<(&String, &Value)> = entries.iter().collect();
            sorted.sort_by_key(|(name, _)| (position(name), *name));
            let fields = sorted.into_iter();
            GoValue::Struct(
                fields
                    .map(|(name, value)| (name.clone(), ordered(value, order)))
                    .collect(),
            )
        }
        Value::Array(items) => GoValue::List(items.iter().map(|item| ordered(item, order)).collect()),
        other => GoValue::Plain(other.clone()),
    }
}
