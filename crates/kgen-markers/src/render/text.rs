//! For the terminal.

use std::fmt::Write;

use super::{Selection, by_family, status_sentence};
use crate::definition::Definition;
use crate::table::items_name;

/// Returns the selected markers for the terminal: a list by family, or one marker in full.
#[must_use]
pub fn render_text(selection: &Selection) -> String {
    if let (true, [definition]) = (selection.in_full, selection.markers.as_slice()) {
        return full(definition);
    }
    let mut text = String::new();
    for (family, markers) in by_family(selection) {
        if !text.is_empty() {
            text.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} ({})", family.title, family.word);
        let width = markers
            .iter()
            .map(|definition| definition.name.len())
            .max()
            .unwrap_or_default();
        for definition in markers {
            let _ = writeln!(text, "  +{:width$}  {}", definition.name, definition.summary());
        }
    }
    text
}

fn full(definition: &Definition) -> String {
    let mut text = format!("{}\n\n{}\n", definition.syntax(), definition.summary());
    let details = definition.details();
    if !details.is_empty() {
        let _ = write!(text, "\n{details}\n");
    }
    if let Some(status) = status_sentence(definition) {
        let _ = write!(text, "\n{status}\n");
    }
    if !definition.arguments.is_empty() {
        text.push_str("\nArguments:\n");
        let width = definition
            .arguments
            .iter()
            .map(|argument| argument.name().len())
            .max()
            .unwrap_or_default();
        for argument in definition.arguments {
            let optional = if argument.optional { ", optional" } else { "" };
            let _ = writeln!(
                text,
                "  {:width$}  {} ({}{optional})",
                argument.name(),
                argument.help(),
                argument.value
            );
        }
    }
    let _ = write!(text, "\nAllowed {}.\n", definition.places());
    if definition.repeatable && definition.targets.len() == 1 {
        text.push_str("May be repeated.\n");
    }
    if let Some(items) = items_name(definition) {
        let _ = writeln!(text, "For the items of a list: +{items}");
    }
    text.push_str("\nExample:\n");
    for line in definition.example().lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}
