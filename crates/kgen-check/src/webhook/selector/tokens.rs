//! The tokens of a selector.

use std::ops::Range;

/// One token. `in` and `notin` are words; their meaning depends on the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    /// `,`, `(`, `)`, `!`, `=`, `==`, `!=`, `>` or `<`.
    Sign(&'a str),
    End,
}

const SIGNS: [char; 7] = ['=', '!', '(', ')', ',', '>', '<'];
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Returns all tokens with their places, including the end.
pub(super) fn tokens(text: &str) -> Vec<(Token<'_>, Range<usize>)> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches(BLANKS);
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = match first {
            _ if rest.starts_with("==") || rest.starts_with("!=") => 2,
            first if SIGNS.contains(&first) => 1,
            _ => rest
                .find(|next| SIGNS.contains(&next) || BLANKS.contains(&next))
                .unwrap_or(rest.len()),
        };
        let (taken, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let token = if SIGNS.contains(&first) {
            Token::Sign(taken)
        } else {
            Token::Word(taken)
        };
        tokens.push((token, start..start + taken.len()));
        rest = behind.trim_start_matches(BLANKS);
    }
    tokens.push((Token::End, text.len()..text.len()));
    tokens
}
