//! Words for messages: near misses and lists.

use kgen_diagnostics::{Fix, Near, Span};

/// Returns the candidate that `word` was probably meant to be, whatever the case of its letters.
fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<Near<'a>> {
    let mut sorted = candidates.to_vec();
    sorted.sort_unstable();
    kgen_diagnostics::nearest(word, sorted)
}

/// Returns the question beside a word that does not exist; empty if no word is near.
pub(crate) fn did_you_mean(word: &str, candidates: &[&str]) -> String {
    nearest(word, candidates)
        .map(|near| format!("did you mean `{}`?", near.word))
        .unwrap_or_default()
}

/// Returns the fix that replaces `word`, if it is written at `span`, by the nearest candidate. Returns `None` if none
/// is near.
pub(crate) fn meant(span: Span, word: &str, candidates: &[&str]) -> Option<Fix> {
    nearest(word, candidates).map(|near| Fix::near(span, near).only_for(word))
}

/// Joins words to `a`, `b` and `c`.
pub(crate) fn all_of(words: &[&str]) -> String {
    joined(words, "and")
}

/// Joins words to `a`, `b` or `c`.
pub(crate) fn one_of(words: &[&str]) -> String {
    joined(words, "or")
}

fn joined(words: &[&str], last_separator: &str) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} {last_separator} {last}", first.join(", ")),
        words => words.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_found_and_strangers_are_not() {
        assert_eq!(did_you_mean("GET", &["get", "list"]), "did you mean `get`?");
        assert_eq!(did_you_mean("lst", &["get", "list"]), "did you mean `list`?");
        assert_eq!(did_you_mean("frobnicate", &["get", "list"]), "");
        assert_eq!(did_you_mean("wach", &["watch"]), "did you mean `watch`?");
        assert_eq!(did_you_mean("zebra", &["watch"]), "");
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(all_of(&["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(one_of(&["a", "b"]), "`a` or `b`");
        assert_eq!(one_of(&["a"]), "`a`");
    }
}
