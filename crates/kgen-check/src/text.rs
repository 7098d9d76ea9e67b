//! Words for messages: near misses, fields, and values as they would be written.

use kgen_diagnostics::{Fix, Near, Span, words};
use serde_json::Value;

/// How much of a value a message shows.
const SHOWN_CHARACTERS: usize = 60;

/// Returns the candidate that `word` was probably meant to be. The first of equals by name wins.
fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Near<'a>> {
    let mut sorted: Vec<&str> = candidates.into_iter().collect();
    sorted.sort_unstable();
    kgen_diagnostics::nearest(word, sorted)
}

/// Returns the question about a word that does not exist, if another one is near.
pub(super) fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, candidates).map(|near| format!("did you mean `{}`?", near.word))
}

/// Returns the fix that replaces `word`, if it is written at `span`, by the nearest candidate. Returns `None` if none
/// is near.
pub(super) fn meant<'a>(
    span: Span,
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<Fix> {
    nearest(word, candidates).map(|near| Fix::near(span, near).only_for(word))
}

/// Returns the fix that replaces the only mention of `word` within `span`, such as in a marker, by the nearest candidate.
pub(super) fn meant_within<'a>(
    span: Span,
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<Fix> {
    nearest(word, candidates).map(|near| Fix::near_mention(span, word, near))
}

/// Returns the advice about a name that does not exist: the nearest name, or the existing ones.
pub(super) fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    did_you_mean(word, candidates.iter().copied()).or_else(|| list(candidates))
}

/// Returns the names that exist, unless they are too many to read.
pub(super) fn list(candidates: Vec<&str>) -> Option<String> {
    match candidates.as_slice() {
        [only] => Some(format!("the only field is `{only}`")),
        several => (1..=12)
            .contains(&several.len())
            .then(|| format!("the fields are {}", words::all_of(several.iter().copied()))),
    }
}

/// Explains why a field does not exist although the source has it.
pub(super) fn disabled(name: &str, condition: &str) -> String {
    format!("`{name}` needs `{condition}`, which is false")
}

/// Explains how to get a field that only exists under a condition.
pub(super) fn disabled_help(condition: &str) -> String {
    let feature = condition
        .strip_prefix("feature = \"")
        .and_then(|rest| rest.strip_suffix('"'))
        .filter(|feature| !feature.contains('"'));
    match feature {
        Some(feature) => {
            format!("enable the feature with `--features {feature}`, or with `features` in kgen.toml")
        }
        None => "enable features with `--features`, or with `features` in kgen.toml".to_owned(),
    }
}

/// Returns a value as JSON, shortened where it is long.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN_CHARACTERS {
        return text;
    }
    let head: String = text.chars().take(SHOWN_CHARACTERS).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_found_and_strangers_are_not() {
        let meant = |word, candidates: &[&'static str]| did_you_mean(word, candidates.iter().copied());
        assert_eq!(
            meant("lst", &["get", "list"]).as_deref(),
            Some("did you mean `list`?")
        );
        assert_eq!(meant("zebra", &["get", "list"]), None);
        assert_eq!(
            suggestion("zebra", ["a", "b"]).as_deref(),
            Some("the fields are `a` and `b`")
        );
        assert_eq!(suggestion("zebra", []), None);
    }

    #[test]
    fn long_values_are_shortened() {
        assert_eq!(shown(&Value::from("x")), "\"x\"");
        assert_eq!(
            shown(&Value::from("é".repeat(100))).chars().count(),
            SHOWN_CHARACTERS + 1
        );
    }
}
