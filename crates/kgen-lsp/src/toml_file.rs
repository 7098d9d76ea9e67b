//! `kgen.toml`: keys and their documentation, from its JSON schema.

use kgen_build::configuration_schema;
use serde_json::{Map, Value, json};

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

pub(crate) fn completion(text: &str, offset: usize) -> Vec<Value> {
    let before = text.get(..offset).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.contains(['=', '#', '"']) {
        return Vec::new();
    }
    let schema = configuration_schema();
    let table = if line.trim_start().starts_with('[') {
        String::new()
    } else {
        table_at(text, offset)
    };
    let keys = properties(&schema, &table);
    let item = |(name, key): (&String, &Value)| {
        let is_table = resolved(&schema, key).get("properties").is_some();
        let in_brackets = line.trim_start().starts_with('[');
        (is_table == in_brackets || !in_brackets).then(|| {
            json!({
                "label": name,
                "kind": 10,
                "documentation": key.get("description").cloned().unwrap_or_default(),
                "insertText": if is_table || in_brackets { name.clone() } else { format!("{name} = ") },
            })
        })
    };
    keys.iter().filter_map(item).collect()
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
