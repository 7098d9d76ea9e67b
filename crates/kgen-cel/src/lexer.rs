//! Splits an expression into tokens, after the lexer rules of `cel-go`.

use std::ops::Range;

use super::literal;
use super::parse_error::ParseError;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name.
    Identifier,
    /// A name in back quotes.
    EscapedIdentifier,
    /// An integer without a sign.
    Integer,
    /// An integer that ends with `u`.
    Unsigned,
    /// A number with a fraction or an exponent.
    Float,
    /// A string or bytes in quotes.
    Quoted,
    /// A keyword or a symbol.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) offset: usize,
}

const KEYWORDS: [&str; 4] = ["false", "in", "null", "true"];

/// Longer symbols come first, because the longest match counts.
const SIGNS: [&str; 24] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":",
    "+", "*", "/", "%",
];

/// Returns all tokens. The last one is the end.
pub(super) fn tokens(source: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    loop {
        offset += hidden(source.get(offset..).unwrap_or_default());
        let rest = source.get(offset..).unwrap_or_default();
        if rest.is_empty() {
            tokens.push(Token {
                kind: Kind::End,
                text: "",
                offset,
            });
            return Ok(tokens);
        }
        let (kind, length) = token(rest).map_err(|refusal| ParseError {
            offset: offset + refusal.offset,
            ..refusal
        })?;
        tokens.push(Token {
            kind,
            text: rest.get(..length).unwrap_or_default(),
            offset,
        });
        offset += length.max(1);
    }
}

/// Returns the range of the token at `offset`, so that a message can underline it. It is one character if no token starts
/// there, and empty at the end of the text.
///
/// ```
/// assert_eq!(kgen_cel::token_at("self.size > 1", 5), 5..9);
/// assert_eq!(kgen_cel::token_at("self.size >", 11), 11..11);
/// ```
pub fn token_at(text: &str, offset: usize) -> Range<usize> {
    let rest = text.get(offset..).unwrap_or_default();
    let character = rest.chars().next().map_or(0, char::len_utf8);
    let length = token(rest).map_or(character, |(_, length)| length.min(rest.len()));
    offset..offset + length
}

/// Returns the length of leading whitespace and comments, in bytes.
fn hidden(rest: &str) -> usize {
    let mut left = rest;
    loop {
        let trimmed = left.trim_start_matches(['\t', ' ', '\r', '\n', '\u{C}']);
        left = match trimmed.strip_prefix("//") {
            Some(comment) => comment
                .find('\n')
                .and_then(|end| comment.get(end..))
                .unwrap_or_default(),
            None => trimmed,
        };
        if left.len() == trimmed.len() {
            return rest.len() - left.len();
        }
    }
}

fn token(rest: &str) -> Result<(Kind, usize), ParseError> {
    if let Some(length) = literal::quoted(rest)? {
        return Ok((Kind::Quoted, length));
    }
    if let Some(number) = literal::number(rest) {
        return Ok(number);
    }
    let word_length = rest
        .find(|letter: char| !(letter == '_' || letter.is_ascii_alphanumeric()))
        .unwrap_or(rest.len());
    if word_length > 0 {
        let word = rest.get(..word_length).unwrap_or_default();
        let keyword = KEYWORDS.into_iter().find(|keyword| *keyword == word);
        return Ok((keyword.map_or(Kind::Identifier, Kind::Symbol), word_length));
    }
    if let Some(behind) = rest.strip_prefix('`') {
        let inner = |letter: char| letter.is_ascii_alphanumeric() || "_.-/ ".contains(letter);
        let length = behind.find(|letter| !inner(letter)).unwrap_or(behind.len());
        if length == 0 || !behind.get(length..).is_some_and(|end| end.starts_with('`')) {
            return Err(ParseError::new(
                0,
                "a name in backticks is not closed or contains an invalid character",
            ));
        }
        return Ok((Kind::EscapedIdentifier, length + 2));
    }
    if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
        return Ok((Kind::Symbol(sign), sign.len()));
    }
    let letter = rest.chars().next().unwrap_or_default();
    let hint = match letter {
        '=' => "; use `==` to compare",
        '&' => "; use `&&` for a logical and",
        '|' => "; use `||` for a logical or",
        _ => "",
    };
    Err(ParseError::new(
        0,
        format!("`{}` is not allowed here{hint}", letter.escape_debug()),
    ))
}
