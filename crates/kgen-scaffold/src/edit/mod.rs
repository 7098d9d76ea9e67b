//! Lines added to files of the user, as text at the place that parsing finds. Everything else stays as it is, to the letter.

pub(crate) mod kustomization;
pub(crate) mod rust;

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// It has the lines already.
    Unchanged,
    /// The whole new text.
    Changed(String),
    /// There is no place for them; the reason.
    NoPlace(String),
    /// The file cannot be read as what it should be, and nobody should build on it; the reason.
    Broken(String),
}

/// How lines end in `text`.
fn line_ending(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// `text` with `lines` put in at `offset`, which is the start of a line or the end of the text.
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
