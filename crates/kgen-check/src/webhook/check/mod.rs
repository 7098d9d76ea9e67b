//! Reports the parts of the complete entry that an API server would reject, at their source.
//!
//! The rules are those of `pkg/apis/admissionregistration/validation` in Kubernetes; CEL expressions are parsed, not
//! compiled. There is one file per part of the entry.

mod client;
mod conditions;
mod rules;
mod selectors;
mod settings;

use kgen_diagnostics::{Code, Fix, Problem, Problems, Span, words};
use serde_json::{Map, Value};

use super::places::Places;

/// Checks a finished entry.
pub(super) fn check(entry: &Map<String, Value>, places: &Places<'_>, problems: &mut Problems) {
    let mut report = Report { places, problems };
    settings::check(entry, &mut report);
    client::check(entry, &mut report);
    rules::check(entry, &mut report);
    selectors::check(entry, &mut report);
    conditions::check(entry, &mut report);
}

/// Reports problems at the source of the wrong part.
struct Report<'a> {
    places: &'a Places<'a>,
    problems: &'a mut Problems,
}

impl Report<'_> {
    /// Reports an error about the part at `path`.
    fn error(&mut self, path: &[&str], message: impl Into<String>, help: impl Into<String>) {
        self.error_at(self.places.report(path), message, help);
    }

    /// Reports an error at a place; does nothing without a place.
    fn error_at(&mut self, span: Option<Span>, message: impl Into<String>, help: impl Into<String>) {
        self.problems
            .extend(span.map(|span| Problem::error(Code::Webhook, span, message).help(help)));
    }

    /// Reports an unknown word.
    fn unknown_word(&mut self, span: Option<Span>, what: &str, word: &str, known: &[&str]) {
        let problem = |span| {
            let problem = Problem::error(Code::Webhook, span, format!("`{word}` is not a valid {what}"))
                .help(format!("write {}", words::one_of(known.iter().copied())));
            let fix = crate::text::meant(span, word, known.iter().copied());
            fix.into_iter().fold(problem, Problem::with_fix)
        };
        self.problems.extend(span.map(problem));
    }

    /// Reports a warning about the part at `path`, with the fix for that place if there is one.
    fn warning(
        &mut self,
        path: &[&str],
        message: String,
        fix: impl FnOnce(Span) -> Option<Fix>,
        help: String,
    ) {
        let problem = |span| {
            let problem = Problem::warning(Code::Webhook, span, message).help(help);
            fix(span).into_iter().fold(problem, Problem::with_fix)
        };
        self.problems.extend(self.places.report(path).map(problem));
    }
}

/// Returns the text under a key; empty if there is none.
fn text<'a>(object: &'a Map<String, Value>, key: &str) -> &'a str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the items of the list under a key.
fn list<'a>(object: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    object
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Returns the texts of the list under a key.
fn texts<'a>(object: &'a Map<String, Value>, key: &str) -> Vec<&'a str> {
    list(object, key)
        .iter()
        .map(|item| item.as_str().unwrap_or_default())
        .collect()
}

/// Returns the object under a key.
fn object<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a Map<String, Value>> {
    object.get(key).and_then(Value::as_object)
}
