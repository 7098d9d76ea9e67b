//! The nearest of some words, for "did you mean".

/// The known word that is nearest to `word`, if it is near enough to be meant. The first of equals wins.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A long text is no misspelling, and measuring it would take long.
    if word.len() > 64 {
        return None;
    }
    // Letters only: `max-desc-len` is meant where `maxDescLen` is right, and the other way round.
    let letters = |text: &str| text.to_lowercase().replace(['-', '_'], "");
    let wanted = letters(word);
    let limit = (wanted.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&wanted, &letters(candidate)),
                candidate,
            )
        })
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Words in back quotes, separated by commas.
pub(crate) fn quoted<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words
        .into_iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
