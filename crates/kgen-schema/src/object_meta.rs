//! Reads the metadata of an object as the API server does: fields it does not know are dropped, fields of another type are
//! an error, and empty fields are left out.
//!
//! Mirrors the round trip through `metav1.ObjectMeta`.

use serde_json::{Map, Value};

use crate::times;

/// The type of a field in Go.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    /// A string that is written even if it is empty.
    RequiredText,
    Integer,
    /// A pointer to an integer or a boolean, so that 0 and `false` are kept.
    OptionalInteger,
    OptionalBool,
    Time,
    TextMap,
    TextList,
    Structs(&'static str, &'static [(&'static str, Kind)]),
    Raw,
}

const OBJECT_META: &[(&str, Kind)] = &[
    ("name", Kind::Text),
    ("generateName", Kind::Text),
    ("namespace", Kind::Text),
    ("selfLink", Kind::Text),
    ("uid", Kind::Text),
    ("resourceVersion", Kind::Text),
    ("generation", Kind::Integer),
    ("creationTimestamp", Kind::Time),
    ("deletionTimestamp", Kind::Time),
    ("deletionGracePeriodSeconds", Kind::OptionalInteger),
    ("labels", Kind::TextMap),
    ("annotations", Kind::TextMap),
    (
        "ownerReferences",
        Kind::Structs("v1.OwnerReference", OWNER_REFERENCE),
    ),
    ("finalizers", Kind::TextList),
    (
        "managedFields",
        Kind::Structs("v1.ManagedFieldsEntry", MANAGED_FIELDS),
    ),
];

const OWNER_REFERENCE: &[(&str, Kind)] = &[
    ("apiVersion", Kind::RequiredText),
    ("kind", Kind::RequiredText),
    ("name", Kind::RequiredText),
    ("uid", Kind::RequiredText),
    ("controller", Kind::OptionalBool),
    ("blockOwnerDeletion", Kind::OptionalBool),
];

const MANAGED_FIELDS: &[(&str, Kind)] = &[
    ("manager", Kind::Text),
    ("operation", Kind::Text),
    ("apiVersion", Kind::Text),
    ("time", Kind::Time),
    ("fieldsType", Kind::Text),
    ("fieldsV1", Kind::Raw),
    ("subresource", Kind::Text),
];

/// The metadata that is kept, and the paths of the fields that are not.
pub(crate) struct Read {
    pub(crate) metadata: Map<String, Value>,
    pub(crate) unknown: Vec<String>,
}

/// Reads metadata.
///
/// # Errors
///
/// Returns the message of Go's JSON decoder if a field has another type.
pub(crate) fn read(metadata: &Value) -> Result<Read, String> {
    let entries = match metadata {
        Value::Object(entries) => entries,
        Value::Null => {
            return Ok(Read {
                metadata: Map::new(),
                unknown: Vec::new(),
            });
        }
        other => {
            return Err(format!(
                "json: cannot unmarshal {} into Go value of type v1.ObjectMeta",
                go_word(other)
            ));
        }
    };
    let mut unknown = Vec::new();
    let metadata = read_struct(entries, OBJECT_META, "", &mut unknown)?;
    Ok(Read { metadata, unknown })
}

/// Reads metadata and drops the fields that have another type.
pub(crate) fn read_leniently(metadata: &Value) -> Map<String, Value> {
    let entries = metadata.as_object().into_iter().flatten();
    let mut kept = Map::new();
    for (name, value) in entries {
        let single = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
        kept.extend(read(&single).map(|read| read.metadata).unwrap_or_default());
    }
    kept
}

fn read_struct(
    entries: &Map<String, Value>,
    fields: &[(&str, Kind)],
    path: &str,
    unknown: &mut Vec<String>,
) -> Result<Map<String, Value>, String> {
    let mut kept = Map::new();
    for (name, value) in entries {
        let path = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        let Some((_, kind)) = fields.iter().find(|(known, _)| known == name) else {
            unknown.push(path);
            continue;
        };
        if let Some(value) = read_field(value, *kind, &path, unknown)? {
            kept.insert(name.clone(), value);
        }
    }
    for (name, kind) in fields {
        if matches!(kind, Kind::RequiredText) && !kept.contains_key(*name) {
            kept.insert((*name).to_owned(), Value::from(""));
        }
    }
    Ok(kept)
}

/// Returns the value to keep, or `None` if it is empty.
fn read_field(
    value: &Value,
    kind: Kind,
    path: &str,
    unknown: &mut Vec<String>,
) -> Result<Option<Value>, String> {
    if value.is_null() {
        return Ok(None);
    }
    // Indices are not part of the path in Go's messages.
    let wrong = |value: &Value, path: &str, go_type: &str| {
        let mut field = String::new();
        let mut depth = 0;
        for character in path.chars() {
            match character {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ if depth == 0 => field.push(character),
                _ => {}
            }
        }
        let structure = match field.split_once('.') {
            None => "ObjectMeta",
            Some(("ownerReferences", _)) => "OwnerReference",
            Some(_) => "ManagedFieldsEntry",
        };
        Err(format!(
            "json: cannot unmarshal {} into Go struct field {structure}.{field} of type {go_type}",
            go_word(value)
        ))
    };
    Ok(match (kind, value) {
        (Kind::Raw, value) => Some(value.clone()),
        (Kind::Text, Value::String(text)) if text.is_empty() => None,
        (Kind::Text | Kind::RequiredText, Value::String(_)) => Some(value.clone()),
        (Kind::Text | Kind::RequiredText, _) => {
            let go_type = if path.ends_with("uid") {
                "types.UID"
            } else {
                "string"
            };
            return wrong(value, path, go_type);
        }
        (Kind::Integer | Kind::OptionalInteger, Value::Number(number)) if number.is_i64() => {
            let is_empty = matches!(kind, Kind::Integer) && number.as_i64() == Some(0);
            (!is_empty).then(|| value.clone())
        }
        (Kind::Integer | Kind::OptionalInteger, _) => return wrong(value, path, "int64"),
        (Kind::OptionalBool, Value::Bool(_)) => Some(value.clone()),
        (Kind::OptionalBool, _) => return wrong(value, path, "bool"),
        (Kind::Time, Value::String(text)) => match times::to_utc(text) {
            Some(time) => Some(Value::from(time)),
            None => {
                return Err(format!(
                    "parsing time \"{text}\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"{text}\" as \"2006\""
                ));
            }
        },
        (Kind::Time, _) => {
            return Err("json: cannot unmarshal a value that is not a string into a time".to_owned());
        }
        (Kind::TextMap, Value::Object(entries)) => {
            let mut kept = Map::new();
            for (key, value) in entries {
                match value {
                    Value::String(_) => kept.insert(key.clone(), value.clone()),
                    Value::Null => kept.insert(key.clone(), Value::from("")),
                    value => return wrong(value, path, "string"),
                };
            }
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        (Kind::TextMap, _) => return wrong(value, path, "map[string]string"),
        (Kind::TextList, Value::Array(items)) => {
            let mut kept = Vec::with_capacity(items.len());
            for item in items {
                match item {
                    Value::String(_) => kept.push(item.clone()),
                    Value::Null => kept.push(Value::from("")),
                    item => return wrong(item, path, "string"),
                }
            }
            (!kept.is_empty()).then_some(Value::Array(kept))
        }
        (Kind::TextList, _) => return wrong(value, path, "[]string"),
        (Kind::Structs(go_type, fields), Value::Array(items)) => {
            let mut kept = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}[{index}]");
                let empty = Map::new();
                let entries = match item {
                    Value::Object(entries) => entries,
                    Value::Null => &empty,
                    item => return wrong(item, &path, go_type),
                };
                kept.push(Value::Object(read_struct(entries, fields, &path, unknown)?));
            }
            (!kept.is_empty()).then_some(Value::Array(kept))
        }
        (Kind::Structs(go_type, _), _) => return wrong(value, path, &format!("[]{go_type}")),
    })
}

/// Returns the word for a JSON value in the messages of Go's decoder.
fn go_word(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::Number(number) if number.is_f64() => format!("number {number}"),
        Value::Number(_) => "number".to_owned(),
        Value::String(_) => "string".to_owned(),
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
    }
}
