//! Semantic tokens of marker lines: names, arguments, values, and the words of rules.

use std::ops::Range;

use kgen_markers::find_marker;
use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::completion::split_arguments;
use crate::cursor::{document, is_rust, outline};
use crate::documents::Documents;

/// The types of tokens, by number.
pub(crate) const TYPES: &[&str] = &["decorator", "parameter", "string", "number", "keyword"];
const NAME: usize = 0;
const ARGUMENT: usize = 1;
const STRING: usize = 2;
const NUMBER: usize = 3;
const KEYWORD: usize = 4;

/// The words of CEL that are not names.
const WORDS: &[&str] = &["self", "oldSelf", "true", "false", "null", "in", "has"];

pub(crate) fn answer(documents: &Documents, snapshot: &Snapshot, params: &Value) -> Value {
    let Some((path, document)) = document(documents, params).filter(|(path, _)| is_rust(path)) else {
        return json!({"data": []});
    };
    let text = &document.text;
    let outline = outline(&path, document);
    let mut tokens: Vec<(Range<usize>, usize)> = Vec::new();
    for marker in &outline.markers {
        let written = marker.text.text();
        let Some((definition, length, _)) = find_marker(written) else {
            continue;
        };
        let mut add = |range: Range<usize>, kind: usize| tokens.push((marker.text.span(range).range(), kind));
        add(0..length, NAME);
        let rest = written.get(length..).unwrap_or_default();
        if rest.starts_with('=') && definition.value().is_some() {
            add_value(written, length + 1..written.len(), &mut add);
        } else if let Some(list) = rest.strip_prefix(':') {
            let mut at = length + 1;
            for part in split_arguments(list) {
                if let Some(equals) = part.find('=') {
                    add(at..at + equals, ARGUMENT);
                    add_value(written, at + equals + 1..at + part.len(), &mut add);
                }
                at += part.len() + 1;
            }
        }
    }
    tokens.sort_by_key(|(range, _)| range.start);
    let (mut line, mut column) = (0, 0);
    let mut data: Vec<usize> = Vec::with_capacity(tokens.len() * 5);
    for (range, kind) in tokens {
        let start = text.line_and_column(range.start, snapshot.encoding);
        let end = text.line_and_column(range.end, snapshot.encoding);
        // A token is on one line, and behind the one before.
        if start.0 != end.0 || start.1 >= end.1 || start < (line, column) {
            continue;
        }
        let delta = if start.0 == line {
            start.1 - column
        } else {
            start.1
        };
        data.extend([start.0 - line, delta, end.1 - start.1, kind, 0]);
        (line, column) = start;
    }
    json!({"data": data})
}

/// Adds a value: a number, a string, or the words of a rule in a string.
fn add_value(text: &str, range: Range<usize>, add: &mut impl FnMut(Range<usize>, usize)) {
    let value = text.get(range.clone()).unwrap_or_default();
    let is_number = value.parse::<f64>().is_ok();
    let mut start = range.start;
    if !is_number {
        for (at, word) in words(value) {
            if WORDS.contains(&word) {
                add(start..range.start + at, STRING);
                add(range.start + at..range.start + at + word.len(), KEYWORD);
                start = range.start + at + word.len();
            }
        }
    }
    add(start..range.end, if is_number { NUMBER } else { STRING });
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let from = rest + text.get(rest..)?.find(is_word)?;
        let tail = text.get(from..)?;
        let end = from + tail.find(|c: char| !is_word(c)).unwrap_or(tail.len());
        rest = end;
        Some((from, text.get(from..end)?))
    })
}
