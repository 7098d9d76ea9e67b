//! The text of an error with its sources, for logs and answers.

use std::error::Error;

/// Returns the messages of `error` and of all its sources, separated by colons. A message that is part of the text before it
/// is left out, because many errors repeat their source.
pub(crate) fn with_sources(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let message = error.to_string();
        if !text.contains(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        source = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use thiserror::Error;

    use super::*;

    #[derive(Debug, Error)]
    #[error("{0}")]
    struct Said(&'static str, #[source] Option<Box<Said>>);

    fn said(messages: &[&'static str]) -> Said {
        match messages {
            [last] => Said(last, None),
            [first, rest @ ..] => Said(first, Some(Box::new(said(rest)))),
            [] => Said("", None),
        }
    }

    #[test]
    fn each_source_is_in_the_text_once() {
        let text = |messages: &[&'static str]| with_sources(&said(messages));
        assert_eq!(text(&["cannot apply"]), "cannot apply");
        assert_eq!(
            text(&["cannot apply", "forbidden", "no role"]),
            "cannot apply: forbidden: no role"
        );
        assert_eq!(
            text(&["cannot apply: forbidden", "forbidden", "no role"]),
            "cannot apply: forbidden: no role"
        );
    }
}
