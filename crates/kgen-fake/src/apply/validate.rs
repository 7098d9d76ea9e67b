//! Checks that an object fits its schema, with the messages of the API server.
//!
//! Only the structure is checked: types, fields that are not declared, items that cannot be identified and, in applied
//! objects, items with the same element. The API server stops at the first undeclared field of a struct, and so does this.

use std::fmt;

use serde_json::Value;

use super::element::Element;
use super::schema::{ListShape, MapShape, Scalar, Schema, Shape, Type};

/// Checks an object.
///
/// # Errors
///
/// Returns all problems as one message.
pub(crate) fn validate(object: &Value, schema: &Schema, duplicates: Duplicates) -> Result<(), String> {
    let mut problems = Vec::new();
    let walk = Walk { duplicates };
    walk.value(object, &schema.root, &mut problems);
    match &*problems {
        [] => Ok(()),
        [problem] => Err(problem.to_string()),
        problems => {
            let lines = problems.iter().map(|problem| format!("\n  {problem}"));
            Err(format!("errors:{}", lines.collect::<String>()))
        }
    }
}

/// Whether a list may have several items with the same element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Duplicates {
    Allowed,
    Refused,
}

struct Problem {
    /// The elements on the way to the value, innermost first.
    path: Vec<String>,
    message: String,
}

impl Problem {
    fn new(message: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: String = self.path.iter().rev().map(String::as_str).collect();
        if !path.is_empty() {
            write!(formatter, "{path}: ")?;
        }
        formatter.write_str(&self.message)
    }
}

struct Walk {
    duplicates: Duplicates,
}

impl Walk {
    fn value(&self, value: &Value, type_: &Type, problems: &mut Vec<Problem>) {
        match type_.shapes().shape_of(value) {
            None => {}
            Some(Shape::Scalar(scalar)) => {
                if let Some(message) = scalar_problem(value, scalar) {
                    problems.push(Problem::new(message));
                }
            }
            Some(Shape::Map(map)) => match value {
                Value::Null => {}
                Value::Object(_) => self.map(value, map, problems),
                value => problems.push(Problem::new(format!(
                    "expected map, got &{{{}}}",
                    go_value(value)
                ))),
            },
            Some(Shape::List(list)) => match value {
                Value::Null => {}
                Value::Array(items) => self.list(items, list, problems),
                value => problems.push(Problem::new(format!(
                    "expected list, got &{{{}}}",
                    go_value(value)
                ))),
            },
        }
    }

    fn map(&self, value: &Value, map: &MapShape, problems: &mut Vec<Problem>) {
        let mut place = 0;
        for (name, value) in value.as_object().into_iter().flatten() {
            let before = problems.len();
            let type_ = map.fields.get_near(name, &mut place).map(|field| &field.type_);
            let Some(type_) = type_.or(map.entries.as_ref()) else {
                problems.push(Problem::new("field not declared in schema"));
                within(problems, before, || Element::field(name));
                return;
            };
            self.value(value, type_, problems);
            within(problems, before, || Element::field(name));
        }
    }

    fn list(&self, items: &[Value], list: &ListShape, problems: &mut Vec<Problem>) {
        let mut seen = Vec::new();
        for (item, index) in items.iter().zip(0_i64..) {
            let before = problems.len();
            let element = if list.is_atomic() {
                Element::Index(index)
            } else {
                match list.element(item) {
                    Ok(element) => element,
                    Err(message) => {
                        problems.push(Problem::new(format!("element {index}: {message}")));
                        return;
                    }
                }
            };
            if !list.is_atomic() && self.duplicates == Duplicates::Refused {
                match seen.binary_search(&element) {
                    Ok(_) => {
                        problems.push(Problem::new(format!("duplicate entries for key {element}")));
                    }
                    Err(place) => seen.insert(place, element.clone()),
                }
            }
            let before = before.max(problems.len());
            self.value(item, &list.items, problems);
            within(problems, before, || element);
        }
    }
}

/// Prefixes the problems from `before` on.
fn within(problems: &mut [Problem], before: usize, element: impl FnOnce() -> Element) {
    if let Some(new @ [_, ..]) = problems.get_mut(before..) {
        let element = element().to_string();
        for problem in new {
            problem.path.push(element.clone());
        }
    }
}

fn scalar_problem(value: &Value, scalar: Scalar) -> Option<String> {
    let fits = match (scalar, value) {
        (_, Value::Null) => true,
        (Scalar::Number, value) => value.is_number(),
        (Scalar::Text, value) => value.is_string(),
        (Scalar::Boolean, value) => value.is_boolean(),
        (Scalar::Any, value) => !value.is_array() && !value.is_object(),
    };
    (!fits).then(|| match scalar {
        Scalar::Number => format!("expected numeric (int or float), got {}", go_type(value)),
        Scalar::Text => format!(
            "expected string, got &value.valueUnstructured{{Value:{}}}",
            go_syntax(value)
        ),
        Scalar::Boolean => format!("expected boolean, got &{{{}}}", go_value(value)),
        Scalar::Any => format!("expected any scalar, got &{{{}}}", go_value(value)),
    })
}

/// Returns the type of a value as `%T` prints it.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// Prints a value as `%v` does.
fn go_value(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(go_value).collect();
            format!("[{}]", items.join(" "))
        }
        Value::Object(entries) => {
            let entries = entries.iter();
            let entries: Vec<_> = entries
                .map(|(name, value)| format!("{name}:{}", go_value(value)))
                .collect();
            format!("map[{}]", entries.join(" "))
        }
        value => super::value::printed(value),
    }
}

/// Prints a value as `%#v` does.
fn go_syntax(value: &Value) -> String {
    match value {
        Value::Null => "interface {}(nil)".to_owned(),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(go_syntax).collect();
            format!("[]interface {{}}{{{}}}", items.join(", "))
        }
        Value::Object(entries) => {
            let entries = entries.iter();
            let entries: Vec<_> = entries
                .map(|(name, value)| format!("{}:{}", kgen_schema::quoted(name), go_syntax(value)))
                .collect();
            format!("map[string]interface {{}}{{{}}}", entries.join(", "))
        }
        value => super::value::printed(value),
    }
}
