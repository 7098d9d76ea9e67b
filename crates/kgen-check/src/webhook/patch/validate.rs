//! A patch before it is merged: fields that exist, values of their type, directives that mean something.
//!
//! The merge relies on this: below a checked patch, everything has the shape that its field has.

use kgen_diagnostics::words;
use serde_json::{Map, Value};

use super::Mistake;
use super::fields::{Field, Shape};
use crate::text;

/// Directives about the object that contains them.
const OBJECT_DIRECTIVES: &[&str] = &["$patch", "$retainKeys"];
/// Directives about a list next to them, each followed by a slash and its name.
const ORDER: &str = "$setElementOrder";
const DELETION: &str = "$deleteFromPrimitiveList";

/// Checks an object. `path` names it in messages, and is empty for the whole patch.
pub(super) fn object(patch: &Map<String, Value>, fields: &[Field], path: &str, mistakes: &mut Vec<Mistake>) {
    for (key, value) in patch {
        let path = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        if key.starts_with('$') {
            mistakes.extend(directive(key, value, fields, &path));
        } else if let Some(field) = fields.iter().find(|field| field.name == key) {
            // A `null` removes the field, whatever its type.
            if !value.is_null() {
                check(value, field.shape, &path, mistakes);
            }
        } else {
            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
            let help = format!("use one of the fields {}", words::all_of(names.iter().copied()));
            mistakes.push(
                Mistake::new(format!("there is no field `{path}`"), help)
                    .label(text::did_you_mean(key, names.iter().copied()).unwrap_or_default()),
            );
        }
    }
}

fn check(value: &Value, shape: Shape, path: &str, mistakes: &mut Vec<Mistake>) {
    let wanted = match (shape, value) {
        (Shape::Text, Value::String(_)) => return,
        (Shape::Text, _) => "a string",
        (Shape::Integer, value) if integer(value).is_some() => return,
        (Shape::Integer, _) => "an integer",
        (Shape::Bytes, Value::String(text)) if is_base64(text) => return,
        (Shape::Bytes, _) => "a Base64 string",
        (Shape::Labels, Value::Object(labels)) => return self::labels(labels, path, mistakes),
        (Shape::Labels, _) => "an object with string values",
        (Shape::Texts, Value::Array(items)) if items.iter().all(Value::is_string) => return,
        (Shape::Texts, _) => "a list of strings",
        (Shape::Objects(fields), Value::Array(items)) if items.iter().all(Value::is_object) => {
            return objects(items, fields, false, path, mistakes);
        }
        (Shape::NamedObjects(fields), Value::Array(items)) if items.iter().all(Value::is_object) => {
            return objects(items, fields, true, path, mistakes);
        }
        (Shape::Objects(_) | Shape::NamedObjects(_), _) => "a list of objects",
        (Shape::Object(fields), Value::Object(patch)) => return object(patch, fields, path, mistakes),
        (Shape::Object(_), _) => "an object",
    };
    mistakes.push(Mistake::new(
        format!("`{path}` must be {wanted}"),
        format!("replace `{value}`"),
    ));
}

fn labels(labels: &Map<String, Value>, path: &str, mistakes: &mut Vec<Mistake>) {
    for (key, value) in labels {
        let path = format!("{path}.{key}");
        if key.starts_with('$') {
            mistakes.extend(directive(key, value, &[], &path));
        } else if !value.is_null() {
            check(value, Shape::Text, &path, mistakes);
        }
    }
}

/// Items of a list. Only where items are merged by name can they hold directives.
fn objects(items: &[Value], fields: &[Field], named: bool, path: &str, mistakes: &mut Vec<Mistake>) {
    for (index, item) in items.iter().filter_map(Value::as_object).enumerate() {
        let path = format!("{path}[{index}]");
        object(item, fields, &path, mistakes);
        let replaces = item.get("$patch").is_some_and(|directive| directive == "replace");
        let name = item.get("name").and_then(Value::as_str);
        if named && !replaces && name.is_none() {
            mistakes.push(Mistake::new(
                format!("`{path}` has no `name`"),
                "add `name`; items of this list are merged by name",
            ));
        }
        let before = items
            .iter()
            .take(index)
            .filter_map(|item| item.get("name").and_then(Value::as_str));
        if let Some(name) = name.filter(|name| named && before.into_iter().any(|before| before == *name)) {
            let help = "use each name once; items of this list are merged by name";
            mistakes.push(Mistake::new(
                format!("`{path}` has the same name `{name}` as an earlier item"),
                help,
            ));
        }
        if let Some(key) = item.keys().find(|key| !named && key.starts_with('$')) {
            let help = "write the whole list, which the patch replaces";
            mistakes.push(Mistake::new(format!("`{path}.{key}` has no effect"), help));
        }
    }
}

fn directive(key: &str, value: &Value, fields: &[Field], path: &str) -> Option<Mistake> {
    let list = |prefix: &str| {
        let name = key.strip_prefix(prefix)?.strip_prefix('/')?;
        fields
            .iter()
            .find(|field| field.name == name)
            .map(|field| field.shape)
    };
    let (fits, help) = match key {
        "$patch" => (
            value == "replace" || value == "delete",
            "write `\"replace\"` or `\"delete\"`",
        ),
        "$retainKeys" => (is_texts(value), "write the list of keys to keep"),
        _ => match (list(ORDER), list(DELETION)) {
            (Some(Shape::Texts), _) => (is_texts(value), "write the list in its new order"),
            (Some(Shape::NamedObjects(_)), _) => (
                is_names(value),
                "write the list in its new order, as in `[{\"name\": \"a\"}]`",
            ),
            (_, Some(Shape::Texts)) => (is_texts(value), "write the list of strings to delete"),
            _ => return Some(unknown_directive(path, fields)),
        },
    };
    (!fits).then(|| Mistake::new(format!("`{path}` cannot have the value `{value}`"), help))
}

fn unknown_directive(path: &str, fields: &[Field]) -> Mistake {
    let list = |wanted: fn(Shape) -> bool| {
        fields
            .iter()
            .filter(move |field| wanted(field.shape))
            .map(|field| field.name)
    };
    let ordered = list(|shape| matches!(shape, Shape::Texts | Shape::NamedObjects(_)))
        .map(|name| format!("{ORDER}/{name}"));
    let deleted = list(|shape| matches!(shape, Shape::Texts)).map(|name| format!("{DELETION}/{name}"));
    let known = OBJECT_DIRECTIVES.iter().map(|known| (*known).to_owned());
    let known: Vec<String> = known.chain(ordered).chain(deleted).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let word = path.rsplit_once(".$").map_or(path, |(_, name)| name);
    Mistake::new(
        format!("`{path}` is not a directive"),
        format!(
            "use one of the directives {}",
            words::all_of(known.iter().copied())
        ),
    )
    .label(text::did_you_mean(word, known.iter().copied()).unwrap_or_default())
}

fn is_texts(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().all(Value::is_string))
}

fn is_names(value: &Value) -> bool {
    value.as_array().is_some_and(|items| {
        items
            .iter()
            .all(|item| item.get("name").is_some_and(Value::is_string))
    })
}

/// Returns the value as an integer if it is a whole number, such as `25.0`, that fits into 32 bits.
pub(super) fn integer(value: &Value) -> Option<i32> {
    if let Some(number) = value.as_i64() {
        return i32::try_from(number).ok();
    }
    let number = value.as_f64()?;
    let fits = number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX);
    // The fraction is zero and the size fits, so nothing is lost.
    #[expect(clippy::cast_possible_truncation)]
    fits.then_some(number as i32)
}

/// Returns whether a text is standard Base64 with padding; line breaks are allowed.
fn is_base64(text: &str) -> bool {
    let letters: Vec<char> = text
        .chars()
        .filter(|letter| !matches!(letter, '\n' | '\r'))
        .collect();
    let padding = letters.iter().rev().take_while(|letter| **letter == '=').count();
    let inner = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/');
    letters.len().is_multiple_of(4)
        && padding <= 2
        && letters
            .iter()
            .take(letters.len().saturating_sub(padding))
            .all(inner)
}
