//! For the reference page.

use std::fmt::Write;

use super::{Selection, by_family, status_sentence};
use crate::definition::Definition;
use crate::table::items_name;

/// Returns the selected markers as Markdown: one heading per family, one section per marker.
#[must_use]
pub fn render_markdown(selection: &Selection) -> String {
    let mut text = String::new();
    for (family, markers) in by_family(selection) {
        if !text.is_empty() {
            text.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "## {}", family.title);
        for definition in markers {
            section(definition, &mut text);
        }
    }
    text
}

fn section(definition: &Definition, text: &mut String) {
    let _ = write!(text, "\n### `{}`\n\n{}\n", definition.name, definition.summary());
    let details = definition.details();
    if !details.is_empty() {
        let _ = write!(text, "\n{details}\n");
    }
    if let Some(status) = status_sentence(definition) {
        let _ = write!(text, "\n**{status}**\n");
    }
    let _ = write!(text, "\nAllowed {}.", definition.places());
    if let Some(items) = items_name(definition) {
        let _ = write!(text, " For the items of a list: `{items}`.");
    }
    text.push('\n');
    if !definition.arguments.is_empty() {
        text.push_str("\n| argument | type | meaning |\n|---|---|---|\n");
        for argument in definition.arguments {
            let name = match argument.key {
                "=" => "value".to_owned(),
                "()" => "in parentheses".to_owned(),
                _ => format!("`{}`", argument.name()),
            };
            let optional = if argument.optional { ", optional" } else { "" };
            let help = argument.help().replace('\n', " ").replace('|', "\\|");
            let _ = writeln!(text, "| {name} | {}{optional} | {help} |", argument.value);
        }
    }
    let _ = write!(text, "\n```rust\n{}\n```\n", definition.example());
}
