//! The JSON schema of `kgen.toml`, for editors, from the same tables that the reader uses.

use kgen_diagnostics::Code;
use serde_json::{Map, Value, json};

use super::keys::{KEYS, KeyValue, OUTPUT, OUTPUT_HELP, PROJECT, PROJECT_HELP, PROJECT_KEYS, SETS};
use super::tables::{
    DIFF, DIFF_HELP, DIFF_KEYS, ENTRY_KEYS, Form, IMPORT, IMPORT_HELP, IMPORT_KEYS, LINT, LINT_HELP,
    LINT_KEYS, TableKey,
};
use crate::generator::{GENERATORS, Generator};
use crate::options::{OptionDescription, OptionType, OptionValue};

/// Returns the JSON schema of `kgen.toml`.
#[must_use]
pub fn configuration_schema() -> Value {
    let set = properties();
    let mut whole = set.clone();
    for (name, table) in tables() {
        whole.insert(name.to_owned(), table);
    }
    let mut only_sets = Map::new();
    for (name, table) in tables() {
        only_sets.insert(name.to_owned(), table);
    }
    only_sets.insert(
        SETS.to_owned(),
        json!({
            "description": "Several sets, such as one per crate of a workspace",
            "type": "array",
            "minItems": 1,
            "items": { "type": "object", "additionalProperties": false, "properties": set },
        }),
    );
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "kgen.toml",
        "description": "Configuration of kgen for a project",
        "type": "object",
        "oneOf": [
            { "additionalProperties": false, "properties": whole },
            { "additionalProperties": false, "properties": only_sets, "required": [SETS] },
        ],
    })
}

/// Returns the tables that are about the whole file.
fn tables() -> [(&'static str, Value); 4] {
    [
        (PROJECT, project()),
        (DIFF, table(DIFF_HELP, DIFF_KEYS)),
        (LINT, table(LINT_HELP, LINT_KEYS)),
        (IMPORT, import()),
    ]
}

fn import() -> Value {
    let mut import = table(IMPORT_HELP, IMPORT_KEYS);
    if let Some(import) = import.as_object_mut() {
        import.insert("required".to_owned(), json!(["sources"]));
    }
    import
}

fn table(help: &str, keys: &[TableKey]) -> Value {
    let mut properties = Map::new();
    for key in keys {
        let mut schema = match key.form {
            Form::Text => json!({ "type": "string" }),
            Form::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            Form::Boolean => json!({ "type": "boolean" }),
            Form::Word(words) => json!({ "enum": words }),
            Form::Lints => {
                let codes: Vec<_> = Code::ALL
                    .iter()
                    .filter(|code| code.is_lint())
                    .map(|code| code.name())
                    .collect();
                json!({ "type": "array", "items": { "enum": codes } })
            }
            Form::Entries => {
                let mut entry = table("An intentional change", ENTRY_KEYS);
                if let Some(entry) = entry.as_object_mut() {
                    entry.insert("required".to_owned(), json!(["code"]));
                }
                json!({ "type": "array", "items": entry })
            }
        };
        describe(&mut schema, key.help);
        properties.insert(key.name.to_owned(), schema);
    }
    json!({
        "description": help,
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    })
}

/// Returns the table about the project.
fn project() -> Value {
    let mut properties = Map::new();
    for key in PROJECT_KEYS {
        let mut schema = json!({ "type": "string" });
        describe(&mut schema, key.help);
        properties.insert(key.name.to_owned(), schema);
    }
    let required: Vec<_> = PROJECT_KEYS.iter().map(|key| key.name).collect();
    json!({
        "description": PROJECT_HELP,
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "required": required,
    })
}

/// Returns the keys of a set.
fn properties() -> Map<String, Value> {
    let mut properties = Map::new();
    for key in KEYS {
        let mut schema = match key.value {
            KeyValue::Text(_) => json!({ "type": "string" }),
            KeyValue::Texts(_) => json!({ "type": "array", "items": { "type": "string" } }),
            KeyValue::Boolean(_) => json!({ "type": "boolean" }),
            KeyValue::Codes(_) => {
                let codes: Vec<_> = Code::allowed().map(Code::name).collect();
                json!({ "type": "array", "items": { "enum": codes } })
            }
        };
        describe(&mut schema, key.help);
        properties.insert(key.name.to_owned(), schema);
    }
    for known in GENERATORS {
        properties.insert(known.name.to_owned(), generator(known));
    }
    properties
}

fn generator(generator: &Generator) -> Value {
    let mut properties = Map::new();
    let output = json!({ "type": "string", "default": generator.default_folder, "description": OUTPUT_HELP });
    properties.insert(OUTPUT.to_owned(), output);
    for known in generator.options() {
        properties.insert(known.kebab_name(), option(known));
    }
    json!({
        "description": generator.help,
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    })
}

fn option(option: &OptionDescription) -> Value {
    let mut schema = match option.value {
        OptionType::Boolean => json!({ "type": "boolean" }),
        OptionType::Integer => json!({ "type": "integer" }),
        OptionType::Text | OptionType::File => json!({ "type": "string" }),
        OptionType::Word(words) => json!({ "enum": words }),
        OptionType::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        OptionType::InTable(key) => json!({
            "type": ["object", "string"],
            "additionalProperties": false,
            "properties": { key: { "type": "string" } },
        }),
        OptionType::Contact(address) => contact(address),
        OptionType::Contacts(address) => json!({ "type": "array", "items": contact(address) }),
        OptionType::Words(words) => json!({ "type": "array", "items": { "enum": words } }),
    };
    describe(&mut schema, option.help);
    if let (Some(schema), Some(default)) = (schema.as_object_mut(), option.default()) {
        let default = match default {
            OptionValue::Boolean(value) => value.into(),
            OptionValue::Integer(value) => value.into(),
            OptionValue::Text(text) => text.into(),
            OptionValue::Words(words) => words.into(),
        };
        schema.insert("default".to_owned(), default);
    }
    schema
}

fn contact(address: &str) -> Value {
    json!({
        "type": ["object", "string"],
        "additionalProperties": false,
        "properties": { "name": { "type": "string" }, address: { "type": "string" } },
    })
}

fn describe(schema: &mut Value, help: &str) {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), help.into());
    }
}
