//! `kgen.toml`: tables, keys, values and their documentation, from its JSON schema.

use kgen_build::configuration_schema;
use serde_json::{Map, Value, json};

use crate::text::{Encoding, Text};

pub(crate) fn hover(text: &str, offset: usize) -> Value {
    let (table, key) = (table_at(text, offset), key_at(text, offset));
    let schema = configuration_schema();
    let described = key.and_then(|key| properties(&schema, &table).get(&key).cloned());
    let described = described.or_else(|| node(&schema, &table));
    let description = described
        .as_ref()
        .and_then(|found| found.get("description")?.as_str());
    match description {
        Some(description) => json!({"contents": {"kind": "markdown", "value": description}}),
        None => Value::Null,
    }
}

/// The part of the file that is being typed.
#[derive(Debug, PartialEq, Eq)]
enum Typed {
    /// The name of a table, behind this many brackets.
    Heading {
        brackets: usize,
    },
    Key,
    /// The value of a key, inside quotes or not.
    Value {
        key: String,
        quote: Option<char>,
    },
    /// A comment.
    Other,
}

/// Offers tables, keys and values.
pub(crate) fn completion(text: &Text, offset: usize, encoding: Encoding) -> Vec<Value> {
    let schema = configuration_schema();
    let (whole, table) = (text.as_str(), table_at(text.as_str(), offset));
    let (typed, start) = typed_at(whole, offset);
    let behind = whole.get(offset..).unwrap_or_default();
    let behind = behind.lines().next().unwrap_or_default();
    let range = text.to_range(start..offset, encoding);
    let item = |label: &str, new: String, description: Option<&Value>| {
        json!({
            "label": label,
            "kind": 10,
            "documentation": description.cloned().unwrap_or_default(),
            "textEdit": {"range": range, "newText": new},
        })
    };
    let description = |node: &Value| node.get("description").cloned();
    match typed {
        Typed::Other => Vec::new(),
        Typed::Heading { brackets } => {
            let closing = if behind.trim_start().starts_with(']') {
                ""
            } else {
                "]]"
            };
            let closing = closing.get(..brackets.min(closing.len())).unwrap_or_default();
            let tables = tables(&schema);
            let tables = tables.iter().filter(|table| table.is_array == (brackets > 1));
            tables
                .map(|table| {
                    let new = format!("{}{closing}", table.name);
                    item(&table.name, new, table.description.as_ref())
                })
                .collect()
        }
        Typed::Key => {
            let below = if table.is_empty() {
                String::new()
            } else {
                format!("{table}.")
            };
            let keys = properties(&schema, &table);
            keys.iter()
                .map(|(name, key)| {
                    let new = match kind_of(&schema, key) {
                        Kind::Table => format!("[{below}{name}]"),
                        Kind::Tables => format!("[[{below}{name}]]"),
                        Kind::Value => format!("{name} = "),
                    };
                    item(name, new, description(key).as_ref())
                })
                .collect()
        }
        Typed::Value { key, quote } => {
            let keys = properties(&schema, &table);
            let Some(key) = keys.get(&key) else {
                return Vec::new();
            };
            let closes = |quote: char| !behind.starts_with(quote);
            values(resolved(&schema, key))
                .iter()
                .filter_map(|value| match (value, quote) {
                    (Value::String(word), Some(quote)) => {
                        let end = closes(quote).then_some(quote);
                        let end = end.map(String::from).unwrap_or_default();
                        Some(item(word, format!("{word}{end}"), None))
                    }
                    (_, Some(_)) => None,
                    (Value::String(word), None) => Some(item(word, format!("\"{word}\""), None)),
                    (value, None) => Some(item(&value.to_string(), value.to_string(), None)),
                })
                .collect()
        }
    }
}

/// Returns what is being typed at an offset, and where it starts.
fn typed_at(text: &str, offset: usize) -> (Typed, usize) {
    let before = text.get(..offset).unwrap_or_default();
    let mut key = String::new();
    let mut depth = 0_usize;
    let mut at = 0;
    let mut typed = (Typed::Key, 0);
    for line in before
        .split_inclusive('\n')
        .chain(before.ends_with('\n').then_some(""))
    {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let code = line.get(indent..).unwrap_or_default();
        typed = (Typed::Key, at + indent);
        let mut from = 0;
        if depth == 0 {
            if code.starts_with('[') {
                let brackets = code.len() - code.trim_start_matches('[').len();
                typed = (Typed::Heading { brackets }, at + indent + brackets);
                at += line.len();
                continue;
            }
            let equals = line.find('=').filter(|_| !code.starts_with('#'));
            let Some(equals) = equals else {
                if code.starts_with('#') {
                    typed.0 = Typed::Other;
                }
                at += line.len();
                continue;
            };
            key = line.get(indent..equals).unwrap_or_default().trim().to_owned();
            from = equals + 1;
        }
        let mut start = at + from;
        let mut quote = None;
        let mut is_escaped = false;
        let mut is_comment = false;
        for (index, c) in line.char_indices().skip_while(|(index, _)| *index < from) {
            let next = at + index + c.len_utf8();
            match (quote, c) {
                (Some('"'), '\\') => {
                    is_escaped = !is_escaped;
                    continue;
                }
                (Some(open), c) if c == open && !is_escaped => (quote, start) = (None, next),
                (Some(_), _) => {}
                (None, '#') => {
                    is_comment = true;
                    break;
                }
                (None, '"' | '\'') => (quote, start) = (Some(c), next),
                (None, '[' | '{') => (depth, start) = (depth + 1, next),
                (None, ']' | '}') => (depth, start) = (depth.saturating_sub(1), next),
                (None, ',') => start = next,
                (None, c) if c.is_whitespace() => start = next,
                _ => {}
            }
            is_escaped = false;
        }
        let key = key.clone();
        typed = if is_comment {
            (Typed::Other, start)
        } else {
            (Typed::Value { key, quote }, start)
        };
        at += line.len();
    }
    typed
}

/// A table that a heading can name.
struct Table {
    name: String,
    is_array: bool,
    description: Option<Value>,
}

/// Returns the tables of the file and those in them.
fn tables(schema: &Value) -> Vec<Table> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), schema.clone())];
    while let Some((below, node)) = waiting.pop() {
        for (name, key) in keys_of(&node) {
            let name = format!("{below}{name}");
            let kind = kind_of(schema, &key);
            if kind == Kind::Value {
                continue;
            }
            waiting.push((format!("{name}."), resolved(schema, &key).clone()));
            found.push(Table {
                name,
                is_array: kind == Kind::Tables,
                description: key.get("description").cloned(),
            });
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// The form of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Value,
    Table,
    /// An array of tables.
    Tables,
}

fn kind_of(schema: &Value, key: &Value) -> Kind {
    if resolved(schema, key).get("properties").is_none() {
        Kind::Value
    } else if key.get("type").is_some_and(|word| word == "array") {
        Kind::Tables
    } else {
        Kind::Table
    }
}

/// Returns the values that a key can have, if there are few.
fn values(node: &Value) -> Vec<Value> {
    if let Some(words) = node.get("enum").and_then(Value::as_array) {
        return words.clone();
    }
    if node.get("type").is_some_and(|word| word == "boolean") {
        return vec![true.into(), false.into()];
    }
    let forms = ["oneOf", "anyOf"]
        .iter()
        .filter_map(|name| node.get(name)?.as_array());
    let mut values: Vec<Value> = forms.flatten().flat_map(values).collect();
    values.dedup();
    values
}

/// Returns the name of the table that an offset is in; empty at the start of the file.
fn table_at(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or_default();
    let heading = |line: &str| {
        let inner = line.trim().strip_prefix('[')?.trim_matches(['[', ']']);
        Some(inner.trim().to_owned())
    };
    before.lines().filter_map(heading).next_back().unwrap_or_default()
}

fn key_at(text: &str, offset: usize) -> Option<String> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..)?.lines().next()?;
    let key = line.split('=').next()?.trim().trim_matches(['[', ']']);
    (!key.is_empty()).then(|| key.to_owned())
}

fn resolved<'s>(schema: &'s Value, node: &'s Value) -> &'s Value {
    let target = node.get("$ref").and_then(Value::as_str);
    let target = target.and_then(|target| schema.pointer(target.trim_start_matches('#')));
    let target = target.unwrap_or(node);
    match target.get("items") {
        Some(items) => resolved(schema, items),
        None => target,
    }
}

fn node(schema: &Value, table: &str) -> Option<Value> {
    let mut present = schema.clone();
    for part in table.split('.').filter(|part| !part.is_empty()) {
        let inner = keys_of(&present);
        present = resolved(schema, inner.get(part)?).clone();
    }
    Some(present)
}

/// Returns the keys of a table with their schemas.
fn properties(schema: &Value, table: &str) -> Map<String, Value> {
    node(schema, table).map(|node| keys_of(&node)).unwrap_or_default()
}

/// Returns the keys of a node, of all its forms.
fn keys_of(node: &Value) -> Map<String, Value> {
    let own = node.get("properties").and_then(Value::as_object);
    let mut keys = own.cloned().unwrap_or_default();
    let forms = node.get("oneOf").and_then(Value::as_array);
    for form in forms.into_iter().flatten() {
        keys.extend(keys_of(form));
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_typed_part_of_a_file_is_known() {
        let value = |key: &str, quote| Typed::Value {
            key: key.to_owned(),
            quote,
        };
        for (marked, expected, word) in [
            ("pa|", Typed::Key, "pa"),
            ("[cr|", Typed::Heading { brackets: 1 }, "cr"),
            ("[[se|", Typed::Heading { brackets: 2 }, "se"),
            ("[crd]\n  max-d|", Typed::Key, "max-d"),
            ("all-features = t|", value("all-features", None), "t"),
            ("a = \"x\" # fin|", Typed::Other, "fin"),
            ("# a = fin|", Typed::Other, "# a = fin"),
            (
                "allow = [\n  \"a\",\n  \"docu|",
                value("allow", Some('"')),
                "docu",
            ),
            ("allow = [\"a\"]\npa|", Typed::Key, "pa"),
            ("a = '\\'\npa|", Typed::Key, "pa"),
            ("a = \"\\\"[\"\npa|", Typed::Key, "pa"),
        ] {
            let offset = marked.find('|').unwrap();
            let text = marked.replace('|', "");
            let (typed, start) = typed_at(&text, offset);
            assert_eq!(typed, expected, "{marked}");
            if typed != Typed::Other {
                assert_eq!(&text[start..offset], word, "{marked}");
            }
        }
    }
}
