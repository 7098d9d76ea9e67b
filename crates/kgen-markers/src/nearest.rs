//! The nearest of some words, for "did you mean".

/// How many letters two words differ by; swapped neighbours count once, and case does not count.
pub(crate) fn distance(left: &str, right: &str) -> usize {
    strsim::osa_distance(&left.to_lowercase(), &right.to_lowercase())
}

/// The known word that is nearest to `word`, if it is near enough to be meant. The first of equals wins.
pub(crate) fn word<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A long text is no misspelling, and measuring it would take long.
    if word.len() > 64 {
        return None;
    }
    let limit = (word.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
