//! The nearest of some words, for "did you mean".

/// How many letters two words differ by; swapped neighbours count once, and case does not count.
pub(crate) fn distance(left: &str, right: &str) -> usize {
    let (left, right) = (left.to_lowercase(), right.to_lowercase());
    // Most names share a long beginning, which need not be measured.
    let same = left
        .chars()
        .zip(right.chars())
        .take_while(|(left, right)| left == right);
    let shared: usize = same.map(|(shared, _)| shared.len_utf8()).sum();
    let rest = |text: &str| text.get(shared..).unwrap_or_default().to_owned();
    strsim::osa_distance(&rest(&left), &rest(&right))
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
