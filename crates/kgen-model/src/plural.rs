//! Finds the plural of a kind, which becomes the name of its resource in the API: `CronJob` is served as `cronjobs`.
//! Names must not change when a project moves from controller-gen, so this follows the library behind it,
//! github.com/gobuffalo/flect v1.0.3, even if the result is not correct English (`Video` becomes `videoes`).

mod words;

use words::{ACRONYMS, ENDINGS, IRREGULAR, IRREGULAR_WHOLE, OTHER_PLURALS, UNKNOWN_PLURALS};

/// Returns the lower-case plural of a kind, as controller-gen names it (`CronJob` becomes `cronjobs`).
///
/// Only the last word of the kind is inflected. Outside ASCII, which Kubernetes does not allow in kinds, words may be
/// split differently than in controller-gen.
#[must_use]
pub fn plural(kind: &str) -> String {
    lower(&mixed_case_plural(kind))
}

fn mixed_case_plural(kind: &str) -> String {
    let word = last_word(kind);
    if word.is_empty() {
        return String::new();
    }
    if let Some(plural) = irregular_plural(kind) {
        return plural.to_owned();
    }
    let lower_word = lower(&word);
    if is_irregular_plural(kind) || is_irregular_plural(&lower_word) {
        return kind.to_owned();
    }
    if let Some(plural) = irregular_plural(&lower_word) {
        return with_last_word(kind, &word, plural);
    }
    for (singular, plural) in IRREGULAR.iter().rev().chain(ENDINGS) {
        if word.ends_with(plural) {
            return with_last_word(kind, &word, &word);
        }
        if let Some(stem) = word.strip_suffix(singular) {
            return with_last_word(kind, &word, &format!("{stem}{plural}"));
        }
    }
    if lower_word.ends_with('s') {
        kind.to_owned()
    } else {
        format!("{kind}s")
    }
}

/// Replaces `word` at the end of `kind` with `plural`. If the kind does not end with the word, because it is an acronym
/// in small letters or is followed by underscores, the plural is appended: flect turns `dns` into `dnsdnses`.
fn with_last_word(kind: &str, word: &str, plural: &str) -> String {
    format!("{}{plural}", kind.strip_suffix(word).unwrap_or(kind))
}

fn irregular_plural(word: &str) -> Option<&'static str> {
    let mut words = IRREGULAR.iter().chain(IRREGULAR_WHOLE);
    words
        .find(|(singular, _)| *singular == word)
        .map(|(_, plural)| *plural)
}

fn is_irregular_plural(word: &str) -> bool {
    let mut words = IRREGULAR.iter().chain(IRREGULAR_WHOLE);
    OTHER_PLURALS.contains(&word)
        || words.any(|(_, plural)| *plural == word) && !UNKNOWN_PLURALS.contains(&word)
}

/// Returns the last word of a name in camel case or with separators: an acronym in capitals, any other as it is
/// written. Empty if there is none.
fn last_word(name: &str) -> String {
    let name = name.trim();
    if let Some(acronym) = acronym(name) {
        return acronym.to_owned();
    }
    let mut last = "";
    // The rest of the name, from the current word on.
    let mut word = name;
    let mut previous = '\0';
    for (position, character) in name.char_indices() {
        let at_character = name.get(position..).unwrap_or_default();
        let after_character = name.get(position + character.len_utf8()..).unwrap_or_default();
        let read = word.strip_suffix(at_character).unwrap_or_default();
        let next_word = if is_separator(character) {
            Some(after_character)
        } else if character.is_uppercase() {
            (!previous.is_uppercase() || acronym(read).is_some()).then_some(at_character)
        } else {
            (!is_part_of_word(character)).then_some(after_character)
        };
        if let Some(next_word) = next_word {
            if !read.is_empty() {
                last = read;
            }
            word = next_word;
        }
        previous = character;
    }
    if !word.is_empty() {
        last = word;
    }
    acronym(last).unwrap_or(last).to_owned()
}

/// Returns the acronym that equals `word`, in any case.
fn acronym(word: &str) -> Option<&'static str> {
    ACRONYMS
        .iter()
        .copied()
        .find(|acronym| acronym.eq_ignore_ascii_case(word))
}

fn is_separator(character: char) -> bool {
    matches!(character, '_' | ' ' | ':' | '-' | '/') || character.is_whitespace()
}

/// Returns whether a character is part of a word: letters, digits and punctuation are, symbols separate words.
fn is_part_of_word(character: char) -> bool {
    character.is_alphanumeric()
        || character.is_ascii_punctuation()
            && !matches!(character, '$' | '+' | '<' | '=' | '>' | '^' | '|' | '~')
}

/// Converts to lower case one character at a time, like Go.
fn lower(text: &str) -> String {
    text.chars()
        .filter_map(|character| character.to_lowercase().next())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::plural;

    /// Kinds and their plurals, one pair per line, from flect v1.0.3.
    const PAIRS: &str = include_str!("../testdata/plurals.txt");

    #[test]
    fn kinds_are_named_as_controller_gen_names_them() {
        for line in PAIRS.lines() {
            let (kind, expected) = line.split_once(' ').unwrap();
            assert_eq!(plural(kind), expected, "{kind}");
        }
    }

    #[test]
    fn odd_names_do_no_harm() {
        assert_eq!(plural(""), "");
        assert_eq!(plural(" _-"), "");
        assert_eq!(plural("Größe"), "größes");
        assert_eq!(plural("İ"), "is");
        assert_eq!(plural("日本語"), "日本語s");
        assert_eq!(plural("Foo Bar"), "foo bars");
        assert_eq!(plural("Foo😀"), "foo😀foos");
    }
}
