//! Lists of words, and numbers of things, in messages.

/// Joins words to `a`, `b` and `c`.
#[must_use]
pub fn all_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    joined(words, "and")
}

/// Joins words to `a`, `b` or `c`.
#[must_use]
pub fn one_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    joined(words, "or")
}

/// Formats a number of things, such as `1 file` or `2 files`.
#[must_use]
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 {
        format!("1 {what}")
    } else {
        format!("{count} {what}s")
    }
}

/// Returns the message about a word that is not one of the `known` ones.
#[must_use]
pub fn not_one_of<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known = quoted(known);
    match known.as_slice() {
        [only] => format!("`{word}` must be {only}"),
        several => format!("`{word}` is not one of {}", several.join(", ")),
    }
}

fn joined<'a>(words: impl IntoIterator<Item = &'a str>, last_separator: &str) -> String {
    let words = quoted(words);
    match words.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} {last_separator} {last}", first.join(", ")),
        words => words.join(", "),
    }
}

fn quoted<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(|word| format!("`{word}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(all_of(["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(one_of(["a", "b"]), "`a` or `b`");
        assert_eq!(one_of(["a"]), "`a`");
        assert_eq!(not_one_of("x", ["a", "b"]), "`x` is not one of `a`, `b`");
        assert_eq!(not_one_of("x", ["a"]), "`x` must be `a`");
    }
}
