//! For programs.

use serde_json::{Value, json};

use super::Selection;
use crate::definition::{Argument, Definition, Status};
use crate::table::items_name;

/// Returns the selected markers as JSON, with everything that the table says.
#[must_use]
pub fn render_json(selection: &Selection) -> String {
    let markers: Vec<_> = selection
        .markers
        .iter()
        .map(|definition| marker(definition))
        .collect();
    format!("{:#}\n", json!({ "markers": markers }))
}

fn marker(definition: &Definition) -> Value {
    let status = match definition.status {
        Status::Stable => json!({ "is": "stable" }),
        Status::Deprecated { replacement } => json!({ "is": "deprecated", "replacement": replacement }),
        Status::NoEffect { why } => json!({ "is": "no-effect", "why": why }),
        Status::Refused { why, instead } => json!({ "is": "refused", "why": why, "instead": instead }),
    };
    json!({
        "name": definition.name,
        "family": definition.family.word,
        "category": definition.family.title,
        "syntax": definition.syntax(),
        "targets": definition.targets.iter().map(|target| target.word()).collect::<Vec<_>>(),
        "summary": definition.summary(),
        "details": definition.details(),
        "arguments": definition.arguments.iter().map(argument).collect::<Vec<_>>(),
        "example": definition.example(),
        "itemsName": items_name(definition),
        "repeatable": definition.repeatable,
        "status": status,
    })
}

fn argument(argument: &Argument) -> Value {
    let place = match argument.key {
        "=" => "value",
        key if key.starts_with('(') => "parentheses",
        _ => "named",
    };
    json!({
        "name": if matches!(argument.key, "=" | "()") { "" } else { argument.name() },
        "place": place,
        "type": argument.value.to_string(),
        "optional": argument.optional,
        "help": argument.help(),
    })
}
