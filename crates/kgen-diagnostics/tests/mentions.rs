//! Fixes that replace a word inside of a longer text.

#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

use kgen_diagnostics::{Files, Fix, SourceFile, Span, nearest};

/// Returns the text of `source` after the fix of `misspelled` within all of it.
fn fixed(source: &str, misspelled: &str) -> Option<String> {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("api.rs".to_owned(), source.to_owned()));
    let near = nearest(misspelled, ["name"]).unwrap();
    let fix = Fix::near_mention(Span::of(file, 0..source.len()), misspelled, near);
    let edit = fix.edits.first().unwrap().resolve(&files)?;
    let mut text = source.to_owned();
    text.replace_range(edit.span.range(), &edit.replacement);
    Some(text)
}

#[test]
fn the_only_mention_is_replaced() {
    assert_eq!(
        fixed("+listMapKey=nmae", "nmae").as_deref(),
        Some("+listMapKey=name")
    );
    assert_eq!(fixed("key=\"nmae\"", "nmae").as_deref(), Some("key=\"name\""));
}

#[test]
fn several_mentions_or_parts_of_words_are_not_replaced() {
    assert_eq!(fixed("first=nmae,second=nmae", "nmae"), None);
    assert_eq!(fixed("key=nmaes", "nmae"), None);
    assert_eq!(fixed("key=the-nmae", "nmae"), None);
}
