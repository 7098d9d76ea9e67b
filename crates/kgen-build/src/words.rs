//! Words for messages.

/// Joins words in back quotes, separated by commas.
pub(crate) fn quoted<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words
        .into_iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
