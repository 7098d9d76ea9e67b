//! Adds lines to the user's files, and removes them. Parsing finds their place, and the rest of the text does not change.

pub(crate) mod kustomization;
pub(crate) mod lines;
pub(crate) mod rust;
pub(crate) mod toml;

/// The outcome of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// The file already has the lines.
    Unchanged,
    /// The whole new text.
    Changed(String),
    /// There is no place for the lines, with the reason.
    NoPlace(String),
    /// The file cannot be parsed, with the reason.
    Broken(String),
}

/// Returns the line ending of `text`.
fn line_ending(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Inserts `lines` into `text` at `offset`, which is the start of a line or the end of the text.
fn insert(text: &str, offset: usize, lines: &str) -> String {
    let ending = line_ending(text);
    let (before, after) = text.split_at(offset);
    let mut result = String::with_capacity(text.len() + lines.len() + 2);
    result.push_str(before);
    if !before.is_empty() && !before.ends_with('\n') {
        result.push_str(ending);
    }
    for line in lines.lines() {
        result.push_str(line);
        result.push_str(ending);
    }
    result.push_str(after);
    result
}

/// Removes a range of whole lines from `text`.
fn cut(text: &str, lines: std::ops::Range<usize>) -> String {
    let before = text.get(..lines.start).unwrap_or_default();
    let after = text.get(lines.end..).unwrap_or_default();
    format!("{before}{after}")
}
