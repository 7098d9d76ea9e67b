//! Limits the length of descriptions, for `maxDescLen` and for markers.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use regex_syntax::hir::{Class, HirKind};

use crate::Schema;

/// Replaces the part that was cut.
const ELLIPSIS: &str = "...";

/// The limit for descriptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescriptionLimit {
    /// Keeps descriptions unchanged.
    #[default]
    Unlimited,
    /// Keeps at most this many bytes; zero removes descriptions.
    Bytes(usize),
}

impl DescriptionLimit {
    /// Interprets the option: `None` and negative numbers keep descriptions unchanged.
    #[must_use]
    pub fn from_option(length: Option<i64>) -> Self {
        match length.map(usize::try_from) {
            Some(Ok(bytes)) => Self::Bytes(bytes),
            Some(Err(_)) | None => Self::Unlimited,
        }
    }

    /// Returns the part of `text` that is kept, or `None` if no text remains.
    #[must_use]
    pub fn apply(self, text: &str) -> Option<Cow<'_, str>> {
        let kept = match self {
            Self::Bytes(limit) if text.len() > limit => shorten(text, limit),
            Self::Unlimited | Self::Bytes(_) => Cow::Borrowed(text),
        };
        (!kept.is_empty()).then_some(kept)
    }

    /// Shortens the descriptions of a schema and of everything inside of it.
    pub fn apply_to(self, schema: &mut Schema) {
        if self == Self::Unlimited {
            return;
        }
        let text = schema.description.take();
        schema.description = text.and_then(|text| self.apply(&text).map(Cow::into_owned));
        for property in schema.properties.values_mut() {
            self.apply_to(Arc::make_mut(property));
        }
        for inner in [&mut schema.items, &mut schema.additional_properties]
            .into_iter()
            .flatten()
        {
            self.apply_to(Arc::make_mut(inner));
        }
    }
}

/// Cuts `text` after the last whole sentence within the limit, or else after the last whole word, or else anywhere. A text
/// that is cut inside a sentence ends in an ellipsis, which counts. controller-gen cuts in the same places.
fn shorten(text: &str, limit: usize) -> Cow<'_, str> {
    let head = text.get(..boundary(text, limit)).unwrap_or_default();
    let sentence_end = head
        .char_indices()
        .rev()
        .find(|(offset, letter)| *offset > 0 && ends_sentence(*letter));
    if let Some((offset, letter)) = sentence_end {
        return Cow::Borrowed(head.get(..offset + letter.len_utf8()).unwrap_or_default());
    }
    let Some(room) = limit.checked_sub(ELLIPSIS.len()).filter(|room| *room > 0) else {
        return Cow::Borrowed(head);
    };
    let word_end = head
        .char_indices()
        .rev()
        .find(|(offset, letter)| (1..=room).contains(offset) && letter.is_whitespace());
    let end = word_end.map_or_else(|| boundary(text, room), |(offset, _)| offset);
    Cow::Owned(format!("{}{ELLIPSIS}", text.get(..end).unwrap_or_default()))
}

/// Returns the last character boundary up to `limit`.
fn boundary(text: &str, limit: usize) -> usize {
    (0..=limit)
        .rev()
        .find(|offset| text.is_char_boundary(*offset))
        .unwrap_or_default()
}

/// Returns whether a character has the Unicode property `Sentence_Terminal`.
fn ends_sentence(letter: char) -> bool {
    if letter.is_ascii() {
        return matches!(letter, '.' | '!' | '?');
    }
    TERMINALS
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&letter))
}

/// The ranges of that property, from the tables of `regex_syntax`.
static TERMINALS: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let parsed = regex_syntax::parse(r"\p{Sentence_Terminal}");
    match parsed.as_ref().map(regex_syntax::hir::Hir::kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => class
            .ranges()
            .iter()
            .map(|range| (range.start(), range.end()))
            .collect(),
        _ => Vec::new(),
    }
});

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, limit: i64) -> Option<String> {
        DescriptionLimit::from_option(Some(limit))
            .apply(text)
            .map(Cow::into_owned)
    }

    #[test]
    fn nothing_and_negative_numbers_keep_everything() {
        assert_eq!(
            DescriptionLimit::from_option(None).apply("One. Two.").as_deref(),
            Some("One. Two.")
        );
        assert_eq!(kept("One. Two.", -1).as_deref(), Some("One. Two."));
        assert_eq!(kept("One. Two.", 9).as_deref(), Some("One. Two."));
    }

    #[test]
    fn zero_removes_everything() {
        assert_eq!(kept("One.", 0), None);
        assert_eq!(kept("", 5), None);
    }

    #[test]
    fn the_last_whole_sentence_wins() {
        assert_eq!(kept("One. Two! Three?", 12).as_deref(), Some("One. Two!"));
        assert_eq!(kept("これは文。これも文。", 18).as_deref(), Some("これは文。"));
    }

    #[test]
    fn else_the_last_word_and_never_over_the_limit() {
        assert_eq!(
            kept("alpha beta gamma delta", 14).as_deref(),
            Some("alpha beta...")
        );
        // The ellipsis does not fit after `beta`.
        assert_eq!(kept("alpha beta gamma delta", 12).as_deref(), Some("alpha..."));
        assert_eq!(kept("abcdefghij", 6).as_deref(), Some("abc..."));
        assert_eq!(kept("abcdefghij", 3).as_deref(), Some("abc"));
    }

    #[test]
    fn characters_stay_whole() {
        assert_eq!(kept("ééééé", 6).as_deref(), Some("é..."));
        assert_eq!(kept("ééééé", 1), None);
        for limit in 0..40 {
            let text = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich";
            assert!(kept(text, limit).is_none_or(|kept| kept.len() <= usize::try_from(limit).unwrap()));
        }
    }
}
