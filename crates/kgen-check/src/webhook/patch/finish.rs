//! Writes the patched entry in the form of Kubernetes: without empty lists, with whole numbers without a fraction, and
//! with the fields that are always present.

use serde_json::{Map, Value, json};

use super::fields::{Field, Shape};
use super::validate::integer;

/// Returns the object with exactly the fields that are written.
pub(super) fn object(object: &Map<String, Value>, fields: &[Field]) -> Map<String, Value> {
    let written = |field: &Field| {
        let stated = object.get(field.name).filter(|value| !value.is_null());
        let value = match (stated, field.shape) {
            (Some(stated), shape) => value(stated, shape)?,
            (None, Shape::Object(fields)) if field.always => Value::Object(self::object(&Map::new(), fields)),
            (None, _) if field.always => json!(""),
            (None, _) => return None,
        };
        Some((field.name.to_owned(), value))
    };
    fields.iter().filter_map(written).collect()
}

/// Returns the value as it is written; `None` if it is omitted because it is empty.
fn value(value: &Value, shape: Shape) -> Option<Value> {
    let written = match (shape, value) {
        (Shape::Object(fields), Value::Object(inner)) => return Some(Value::Object(object(inner, fields))),
        (Shape::Objects(fields) | Shape::NamedObjects(fields), Value::Array(items)) => items
            .iter()
            .filter_map(Value::as_object)
            .map(|item| Value::Object(object(item, fields)))
            .collect(),
        (Shape::Bytes, Value::String(text)) => json!(text.replace(['\n', '\r'], "")),
        (Shape::Integer, number) => {
            return integer(number).map_or_else(|| Some(number.clone()), |number| Some(json!(number)));
        }
        (Shape::Text, text) => return Some(text.clone()),
        (_, other) => other.clone(),
    };
    let empty = match &written {
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    };
    (!empty).then_some(written)
}
