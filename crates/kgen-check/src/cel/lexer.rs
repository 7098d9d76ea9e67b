//! From the text of an expression to its tokens, after the lexer rules of `cel-go`.

use super::literal;

/// Why an expression is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The byte in the expression.
    pub(super) offset: usize,
    /// One line, without a full stop.
    pub(super) message: String,
}

impl Refusal {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self {
            offset,
            message: message.into(),
        }
    }

    /// The message with the place in the expression.
    pub(super) fn text(&self, what: &str, expression: &str) -> String {
        let place = place_in(expression, self.offset);
        format!("the {what} cannot be parsed: {} at {place}", self.message)
    }
}

/// A place in an expression, as line (if there are several) and column.
pub(super) fn place_in(expression: &str, offset: usize) -> String {
    let before = expression.get(..offset).unwrap_or(expression);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    if expression.contains('\n') {
        format!("line {line}, column {column}")
    } else {
        format!("column {column}")
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name.
    Identifier,
    /// A name in back quotes.
    EscapedIdentifier,
    /// A whole number without a sign.
    Integer,
    /// A whole number with a `u` behind it.
    Unsigned,
    /// A number with a fraction or an exponent.
    Float,
    /// A text or bytes in quotes.
    Quoted,
    /// A word that is no name, or a sign.
    Symbol(&'static str),
    /// Nothing more.
    End,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) offset: usize,
}

const KEYWORDS: [&str; 4] = ["false", "in", "null", "true"];

/// Longer signs come first, because the longest match counts.
const SIGNS: [&str; 24] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":",
    "+", "*", "/", "%",
];

/// All tokens, the last of which is the end.
pub(super) fn tokens(source: &str) -> Result<Vec<Token<'_>>, Refusal> {
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
        let (kind, length) = token(rest).map_err(|refusal| Refusal {
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

/// How many bytes of blanks and comments come first.
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

fn token(rest: &str) -> Result<(Kind, usize), Refusal> {
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
            return Err(Refusal::new(
                0,
                "a name in back quotes is not closed or has characters that names cannot have",
            ));
        }
        return Ok((Kind::EscapedIdentifier, length + 2));
    }
    if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
        return Ok((Kind::Symbol(sign), sign.len()));
    }
    let letter = rest.chars().next().unwrap_or_default();
    let hint = match letter {
        '=' => "; comparing is written `==`",
        '&' => "; the logical and is written `&&`",
        '|' => "; the logical or is written `||`",
        _ => "",
    };
    Err(Refusal::new(
        0,
        format!("`{}` means nothing here{hint}", letter.escape_debug()),
    ))
}
