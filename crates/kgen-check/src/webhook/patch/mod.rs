//! `patch=`: a strategic merge patch on the finished entry, as `kubectl patch` would apply it.
//!
//! The patch is checked against the fields of an entry ([`validate`]), merged into it ([`merge`]), and the result is
//! written as Kubernetes would write it ([`finish`]). Unknown fields in a patch are errors.

mod fields;
mod finish;
mod merge;
mod order;
mod validate;

use kgen_diagnostics::{Code, Problem, Span};
use serde_json::{Map, Value};

/// A part of a patch that is invalid.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    message: String,
    label: String,
    help: String,
}

impl Mistake {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            label: String::new(),
            help: help.into(),
        }
    }

    fn label(mut self, label: String) -> Self {
        self.label = label;
        self
    }

    /// Returns the problem at the patch.
    pub(super) fn at(self, span: Span) -> Problem {
        Problem::error(Code::Webhook, span, self.message)
            .label(self.label)
            .help(self.help)
    }
}

/// Returns the entry with the patch applied, or all mistakes in the patch.
pub(super) fn apply(
    entry: &Map<String, Value>,
    patch: &Value,
    mutating: bool,
) -> Result<Map<String, Value>, Vec<Mistake>> {
    let fields = fields::entry(mutating);
    let mut mistakes = Vec::new();
    let Some(patch) = patch.as_object() else {
        return Err(vec![Mistake::new(
            "the patch is not a JSON object",
            "write `{\"field\": value}`",
        )]);
    };
    if patch.get("$patch").is_some_and(|directive| directive == "delete") {
        return Err(vec![Mistake::new(
            "the patch deletes the whole webhook",
            "remove the marker instead",
        )]);
    }
    validate::object(patch, fields, "", &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut patched = entry.clone();
    merge::object(&mut patched, patch, fields).map_err(|mistake| vec![mistake])?;
    Ok(finish::object(&patched, fields))
}

#[cfg(test)]
mod tests;
