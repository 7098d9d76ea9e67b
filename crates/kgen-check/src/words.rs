//! Words for messages: near misses and lists.

/// The candidate that `word` was probably meant to be, whatever the case of its letters.
pub(crate) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .iter()
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&word, &candidate.to_lowercase()),
                *candidate,
            )
        })
        .filter(|(distance, candidate)| *distance * 3 <= candidate.chars().count().max(word.chars().count()))
        .min()
        .map(|(_, candidate)| candidate)
}

/// What stands beside a word that does not exist; empty if no word is near.
pub(crate) fn did_you_mean(word: &str, candidates: &[&str]) -> String {
    nearest(word, candidates)
        .map(|near| format!("did you mean `{near}`?"))
        .unwrap_or_default()
}

/// `a`, `b` and `c`.
pub(crate) fn all_of(words: &[&str]) -> String {
    joined(words, "and")
}

/// `a`, `b` or `c`.
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
        assert_eq!(nearest("GET", &["get", "list"]), Some("get"));
        assert_eq!(nearest("lst", &["get", "list"]), Some("list"));
        assert_eq!(nearest("frobnicate", &["get", "list"]), None);
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
