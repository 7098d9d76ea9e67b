//! Words for messages: lists, near misses, and values as they would be written.

use serde_json::Value;

/// How much of a value a message shows.
const SHOWN_CHARACTERS: usize = 60;

/// Returns the candidate that `word` was probably meant to be.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut sorted: Vec<&str> = candidates.into_iter().collect();
    sorted.sort_unstable();
    kgen_diagnostics::nearest(word, sorted).map(|near| near.word)
}

/// Returns the advice about a name that does not exist: the nearest name, or the existing ones.
pub(super) fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match nearest(word, candidates.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None => list(candidates),
    }
}

/// Returns the names that exist, unless they are too many to read.
pub(super) fn list(candidates: Vec<&str>) -> Option<String> {
    match candidates.as_slice() {
        [only] => Some(format!("the only field is `{only}`")),
        several => (1..=12)
            .contains(&several.len())
            .then(|| format!("the fields are {}", quoted_list(several.iter().copied()))),
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

/// Joins words to `a`, `b` and `c`.
pub(super) fn quoted_list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<_> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        words => words.join(", "),
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
        assert_eq!(nearest("replcas", ["replicas", "region"]), Some("replicas"));
        assert_eq!(nearest("Replicas", ["replicas"]), Some("replicas"));
        assert_eq!(nearest("zebra", ["replicas", "region"]), None);
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
