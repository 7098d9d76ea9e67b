//! Warns about CRDs that `kubectl apply` cannot store, and names their largest parts.

use kgen_diagnostics::{Code, Problem};
use kgen_model::Resource;
use serde_json::Value;

/// The limit for all annotations of an object. `kubectl apply` keeps the whole manifest in an annotation.
const LIMIT: usize = 262_144;

/// The warning names at most `SHOWN` subtrees, each at least one part in `WORTH_NAMING` of the whole.
const SHOWN: usize = 5;
const WORTH_NAMING: usize = 50;

/// Returns a warning if the document is too large.
pub(super) fn check(resource: &Resource, definition: &Value, bytes: usize) -> Option<Problem> {
    if bytes <= LIMIT {
        return None;
    }
    let message = format!(
        "the CRD of `{}` has {bytes} bytes, more than the {LIMIT} that `kubectl apply` can store",
        resource.kind
    );
    let span = resource
        .versions
        .iter()
        .find(|version| !version.skipped)
        .map(|version| version.span)?;
    let mut problem = Problem::warning(Code::DocumentSize, span, message);
    for part in largest_parts(definition) {
        problem = problem.help(format!("`{}` has {} bytes as JSON", part.path, part.bytes));
    }
    Some(problem.help(
        "shorten descriptions with `crd:maxDescLen=…`, or apply the file with `kubectl apply --server-side`",
    ))
}

/// A schema within a CRD.
struct Part<'a> {
    path: String,
    schema: &'a Value,
    bytes: usize,
}

/// Returns the largest subtrees that do not contain each other. If one child makes up most of a schema, the children
/// replace the schema, so that the list leads to the parts that are worth cutting.
fn largest_parts(definition: &Value) -> Vec<Part<'_>> {
    let versions = definition
        .pointer("/spec/versions")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let mut open: Vec<_> = versions.iter().filter_map(version_part).collect();
    let total: usize = open.iter().map(|part| part.bytes).sum();
    let mut settled = Vec::new();
    while let Some(part) = open.pop() {
        let children = children(&part);
        if children.iter().any(|child| child.bytes * 2 > part.bytes) {
            open.extend(children);
        } else if part.bytes * WORTH_NAMING >= total {
            settled.push(part);
        }
    }
    settled.sort_by(|left, right| {
        right
            .bytes
            .cmp(&left.bytes)
            .then_with(|| left.path.cmp(&right.path))
    });
    settled.truncate(SHOWN);
    settled
}

fn version_part(version: &Value) -> Option<Part<'_>> {
    let name = version.get("name").and_then(Value::as_str)?;
    let schema = version.pointer("/schema/openAPIV3Schema")?;
    Some(Part {
        path: name.to_owned(),
        schema,
        bytes: json_length(schema),
    })
}

fn children<'a>(part: &Part<'a>) -> Vec<Part<'a>> {
    let named = part
        .schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let named = named.map(|(name, schema)| (format!("{}.{name}", part.path), schema));
    let nested = [("items", "[*]"), ("additionalProperties", ".*")];
    let nested = nested.into_iter().filter_map(|(key, suffix)| {
        part.schema
            .get(key)
            .map(|schema| (format!("{}{suffix}", part.path), schema))
    });
    named
        .chain(nested)
        .map(|(path, schema)| Part {
            path,
            schema,
            bytes: json_length(schema),
        })
        .collect()
}

/// Returns the length of a value as JSON without spaces. It does not build the text, because it measures a large CRD many
/// times.
fn json_length(value: &Value) -> usize {
    // The brackets, and the commas between the items.
    let around = |count: usize| 2 + count.saturating_sub(1);
    match value {
        Value::Null => "null".len(),
        Value::Bool(value) => value.to_string().len(),
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => text_length(text),
        Value::Array(list) => around(list.len()) + list.iter().map(json_length).sum::<usize>(),
        Value::Object(object) => {
            let entries = object
                .iter()
                .map(|(key, value)| text_length(key) + ":".len() + json_length(value));
            around(object.len()) + entries.sum::<usize>()
        }
    }
}

fn text_length(text: &str) -> usize {
    let escaped = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    let as_number = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\n' | b'\r' | b'\t' | 0x08 | 0x0c);
    let count = |counts: fn(&u8) -> bool| text.as_bytes().iter().filter(|byte| counts(byte)).count();
    // `\n` has two characters, `\u0001` six.
    2 + text.len() + count(escaped) + 4 * count(as_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_written_text() {
        let value = serde_json::json!({
            "a": [], "b": {}, "c": [1, -2.5, true, null], "d": {"\"\\/": "line\nbreak\u{1}\u{8}\u{c}\t\r ü"},
        });
        assert_eq!(json_length(&value), value.to_string().len());
    }
}
