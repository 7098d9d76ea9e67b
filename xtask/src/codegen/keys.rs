//! docs/book/src/kgen-toml-keys.md: every key of `kgen.toml`, from the schema that `kgen-build` derives from its tables.

use std::fmt::Write;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

/// Returns the page.
pub fn page() -> Result<String> {
    let schema = kgen_build::configuration_schema();
    let set = schema
        .pointer("/oneOf/0/properties")
        .and_then(Value::as_object)
        .context("the schema has no properties")?;
    let mut text = super::header();
    text += "\
# Keys of kgen.toml

This page lists every key, with its type and its default.
[kgen.toml](kgen-toml.md) explains them with examples.

## Keys of a set

These keys are at the top of the file, or in each `[[set]]`.
";
    let plain: Map<String, Value> = set
        .iter()
        .filter(|(_, schema)| type_of(schema) != "table")
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    table(&mut text, &plain)?;
    text += "\n## `[[set]]`\n\n";
    let sets = schema
        .pointer("/oneOf/1/properties/set")
        .context("the schema has no sets")?;
    writeln!(text, "{}.\n", description(sets))?;
    text += "A file has either the keys of one set, or any number of `[[set]]` tables.\nEach of them takes all keys of this page except `[project]`, `[import]`, `[diff]` and `[lint]`.\n";
    for name in ["project", "import", "diff", "lint"] {
        section(&mut text, name, set)?;
    }
    for known in kgen_build::GENERATORS {
        section(&mut text, known.name, set)?;
    }
    Ok(text)
}

/// Writes the section of one table.
fn section(text: &mut String, name: &str, set: &Map<String, Value>) -> Result<()> {
    let schema = set.get(name).with_context(|| format!("no table `{name}`"))?;
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .with_context(|| format!("`{name}` has no keys"))?;
    write!(text, "\n## `[{name}]`\n\n{}.\n", description(schema))?;
    table(text, properties)
}

/// Writes one row per key. The column of defaults is left out if no key has one.
fn table(text: &mut String, properties: &Map<String, Value>) -> Result<()> {
    let has_defaults = properties.values().any(|schema| schema.get("default").is_some());
    text.push_str(match has_defaults {
        true => "\n| key | type | default | meaning |\n|---|---|---|---|\n",
        false => "\n| key | type | meaning |\n|---|---|---|\n",
    });
    for (name, schema) in properties {
        write!(text, "| `{name}` | {} | ", type_of(schema))?;
        if has_defaults {
            let default = schema.get("default").map(|default| format!("`{default}` "));
            write!(text, "{}| ", default.unwrap_or_default())?;
        }
        writeln!(text, "{} |", description(schema).replace('|', "\\|"))?;
    }
    Ok(())
}

/// Returns the description. `<` would begin a tag in Markdown.
fn description(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str);
    text.unwrap_or_default().replace('<', "\\<")
}

/// Returns the type in the words of TOML.
fn type_of(schema: &Value) -> String {
    let choices = |schema: &Value| {
        let values = schema.get("enum").and_then(Value::as_array)?;
        // The codes of all problems would not fit into a table.
        if values.len() > 4 {
            return None;
        }
        let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
        Some(values.join(" or "))
    };
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => "table".to_owned(),
        Some("array") => {
            let items = schema.get("items");
            if items.is_some_and(|items| type_of(items) == "table") {
                return "array of tables".to_owned();
            }
            let items = items.and_then(choices);
            format!("array of {}", items.unwrap_or_else(|| "strings".to_owned()))
        }
        Some(other) => choices(schema).unwrap_or_else(|| other.to_owned()),
        None => choices(schema).unwrap_or_default(),
    }
}
