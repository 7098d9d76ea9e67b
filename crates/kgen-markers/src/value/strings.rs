//! Strings: double-quoted with Go's escapes, back-quoted without any, or bare.

use std::ops::Range;

use kgen_diagnostics::Code;

use super::{Error, Located, Parser, TextFix, second_marker};

impl<'a> Parser<'a> {
    /// Reads a string in any of its three forms. An empty bare one is an error unless `empty_allowed`.
    pub(super) fn string(&mut self, empty_allowed: bool) -> Result<Located<String>, Error> {
        self.skip_blanks();
        match self.peek() {
            Some('"') => self.double_quoted(),
            Some('`') => self.back_quoted(),
            _ => {
                let bare = self.bare(&[])?;
                if bare.value.is_empty() && !empty_allowed {
                    return Err(self.missing_value());
                }
                Ok(Located {
                    value: bare.value.to_owned(),
                    range: bare.range,
                })
            }
        }
    }

    /// Returns the error for a missing value: at the text in its place, or at the text before the end.
    pub(super) fn missing_value(&self) -> Error {
        let before = self.text.get(..self.at).unwrap_or_default().trim_end();
        let range = match (self.peek(), before.char_indices().next_back()) {
            (Some(next), _) => self.at..self.at + next.len_utf8(),
            (None, Some((last, _))) => last..before.len(),
            (None, None) => self.at..self.at,
        };
        Error::value(range, "a value is missing here").help("write `\"\"` for an empty string")
    }

    /// Parses a text without quotes: up to a separator, without the blanks around it. Quoted parts in its middle protect
    /// separators, and their quotes belong to the text.
    pub(super) fn bare(&mut self, more_stops: &[char]) -> Result<Located<&'a str>, Error> {
        self.skip_blanks();
        let start = self.at;
        if self.peek() == Some('\'') {
            self.refuse_single_quotes()?;
        }
        while let Some(next) = self.peek() {
            let stops = matches!(next, ',' | ';' | '}')
                || (next == ')' && self.in_parentheses)
                || more_stops.contains(&next);
            if stops {
                break;
            }
            let closing = if matches!(next, '"' | '`') {
                closing_quote(self.rest(), next)
            } else {
                None
            };
            self.at += closing.unwrap_or(next.len_utf8());
        }
        let value = self.slice(start..self.at).trim_end();
        let range = start..start + value.len();
        refuse_comment(value, start, self.text)?;
        if let Some(error) = marker_inside(value, start, self.text) {
            return Err(error);
        }
        Ok(Located { value, range })
    }

    /// Refuses single quotes, which are not quotes here, and suggests the text that works.
    pub(super) fn refuse_single_quotes(&self) -> Result<(), Error> {
        let inner = self.rest().get(1..).unwrap_or_default();
        let Some(length) = inner.find('\'') else {
            return Ok(());
        };
        let inner = inner.get(..length).unwrap_or_default();
        let fixed = if inner.contains(['"', '\\']) {
            format!("`{inner}`")
        } else {
            format!("\"{inner}\"")
        };
        let range = self.at..self.at + length + 2;
        Err(Error::new(
            Code::SingleQuotes,
            range.clone(),
            "single quotes do not quote values in a marker",
        )
        .with_fix(TextFix::replace(range, fixed).told())
        .help("use double quotes, or backticks if the value contains backslashes"))
    }

    /// Returns the error for a quote that is never closed. Where it should have been is certain only if the value is
    /// one word.
    fn unclosed_quote(&self, quote: char, what: &str) -> Error {
        let end = self.text.len();
        let inner = self.rest().get(quote.len_utf8()..).unwrap_or_default();
        let is_word = !inner.is_empty()
            && !inner.contains(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '`' | '\''))
            && !inner.ends_with(['\\', '}', ')']);
        Error::unclosed(self.at..end, what)
            .with_fix(TextFix::replace(end..end, quote.to_string()).certain_if(is_word))
    }

    pub(super) fn back_quoted(&mut self) -> Result<Located<String>, Error> {
        let start = self.at;
        let Some(length) = closing_quote(self.rest(), '`') else {
            return Err(self.unclosed_quote('`', "backtick"));
        };
        self.at = start + length;
        let value = self.slice(start + 1..self.at - 1).to_owned();
        Ok(Located {
            value,
            range: start..self.at,
        })
    }

    pub(super) fn double_quoted(&mut self) -> Result<Located<String>, Error> {
        let start = self.at;
        let Some(length) = closing_quote(self.rest(), '"') else {
            return Err(self.unclosed_quote('"', "quote"));
        };
        self.at = start + length;
        let inner = self.slice(start + 1..self.at - 1);
        let value = unescape(inner, start + 1)?;
        Ok(Located {
            value,
            range: start..self.at,
        })
    }
}

/// Returns the length of the quoted text at the start of `text`, including both quotes, or `None` if it does not end.
pub(crate) fn closing_quote(text: &str, quote: char) -> Option<usize> {
    // Quotes and backslashes are ASCII, so no byte of another character equals them, and bytes are compared faster.
    let is_end = |byte: u8| char::from(byte) == quote;
    let is_escape = |byte: u8| byte == b'\\' && quote == '"';
    let bytes = text.as_bytes();
    let mut start = 1;
    loop {
        let found = bytes
            .get(start..)?
            .iter()
            .position(|byte| is_end(*byte) || is_escape(*byte))?;
        let index = start + found;
        if bytes.get(index).copied().is_some_and(is_end) {
            return Some(index + 1);
        }
        start = index + 2;
    }
}

/// Refuses a comment after a bare value, because it would silently become part of the value.
fn refuse_comment(value: &str, start: usize, text: &str) -> Result<(), Error> {
    let blank_before = |index: usize| {
        text.get(..start + index)
            .and_then(|before| before.chars().next_back())
            .is_some_and(char::is_whitespace)
    };
    // Searching for a character is cheap, and most values have neither.
    if !value.bytes().any(|byte| matches!(byte, b'/' | b'#')) {
        return Ok(());
    }
    let comment = value
        .match_indices("//")
        .map(|(index, _)| index)
        .find(|index| blank_before(*index));
    let hash = value.match_indices('#').map(|(index, _)| index).find(|index| {
        blank_before(*index)
            && value
                .get(index + 1..)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    });
    let Some(index) = comment.into_iter().chain(hash).min() else {
        return Ok(());
    };
    Err(Error::text(
        start + index..start + value.len(),
        "a comment after the value would become part of it",
    )
    .help("move the note to a line of its own, or quote the value if the note belongs to it"))
}

/// Finds a marker after a bare value, because it would silently become part of the value.
fn marker_inside(value: &str, start: usize, text: &str) -> Option<Error> {
    // Preparing the search costs more than the search, and few values have a `+`.
    if !value.bytes().any(|byte| byte == b'+') {
        return None;
    }
    value
        .match_indices(" +")
        .find_map(|(at, _)| second_marker(text, start + at))
}

/// Replaces Go's escapes. `base` is the offset of `inner` in the whole text.
fn unescape(inner: &str, base: usize) -> Result<String, Error> {
    let mut bytes = Vec::with_capacity(inner.len());
    let mut characters = inner.char_indices();
    while let Some((index, next)) = characters.next() {
        if next != '\\' {
            let mut buffer = [0; 4];
            bytes.extend_from_slice(next.encode_utf8(&mut buffer).as_bytes());
            continue;
        }
        let rest = inner.get(index + 1..).unwrap_or_default();
        let Some((escape, length)) = escape(rest) else {
            let end = index + 1 + rest.chars().next().map_or(0, char::len_utf8);
            let unknown = unknown_escape(
                base + index..base + end,
                inner.get(index..end).unwrap_or_default(),
            );
            return Err(unknown.with_fix(double_backslashes(inner, base)));
        };
        match escape {
            Escape::Character(character) => {
                let mut buffer = [0; 4];
                bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
            }
            Escape::Byte(byte) => bytes.push(byte),
        }
        for _ in 0..rest.get(..length).map_or(0, |taken| taken.chars().count()) {
            characters.next();
        }
    }
    String::from_utf8(bytes).map_err(|_| {
        Error::value(
            base..base + inner.len(),
            "the escapes of this string are not valid UTF-8",
        )
    })
}

/// Splits a string, as it is written, into escapes and the text between them: how many bytes each part has in the value,
/// and how many in the text. Quotes have none in the value.
pub(crate) fn string_parts(written: &str) -> Vec<(usize, usize)> {
    let quote = written.chars().next().filter(|first| matches!(first, '"' | '`'));
    let is_quoted = quote.is_some_and(|quote| closing_quote(written, quote) == Some(written.len()));
    let inner = if is_quoted {
        written.get(1..written.len() - 1).unwrap_or_default()
    } else {
        written
    };
    let mut parts = Vec::new();
    parts.extend(is_quoted.then_some((0, 1)));
    let has_escapes = is_quoted && quote == Some('"');
    let mut rest = inner;
    // The text in front of `rest` that is not in a part yet.
    let mut verbatim = 0;
    while !rest.is_empty() {
        let plain = rest.find('\\').filter(|_| has_escapes).unwrap_or(rest.len());
        verbatim += plain;
        rest = rest.get(plain..).unwrap_or_default();
        let Some(behind) = rest.get(1..) else { break };
        let (length, taken) = match escape(behind) {
            Some((Escape::Character(character), taken)) => (character.len_utf8(), 1 + taken),
            Some((Escape::Byte(_), taken)) => (1, 1 + taken),
            None => {
                verbatim += 1;
                rest = behind;
                continue;
            }
        };
        parts.extend((verbatim > 0).then_some((verbatim, verbatim)));
        verbatim = 0;
        parts.push((length, taken));
        rest = rest.get(taken..).unwrap_or_default();
    }
    parts.extend((verbatim > 0).then_some((verbatim, verbatim)));
    parts
}

enum Escape {
    Character(char),
    Byte(u8),
}

/// Returns the escape behind a backslash and its length in bytes.
fn escape(rest: &str) -> Option<(Escape, usize)> {
    let character = |character| Some((Escape::Character(character), 1));
    match rest.chars().next()? {
        'a' => character('\u{7}'),
        'b' => character('\u{8}'),
        'f' => character('\u{c}'),
        'n' => character('\n'),
        'r' => character('\r'),
        't' => character('\t'),
        'v' => character('\u{b}'),
        '\\' => character('\\'),
        '"' => character('"'),
        'x' => digits(rest, 1..3, 16)
            .and_then(|code| u8::try_from(code).ok())
            .map(|byte| (Escape::Byte(byte), 3)),
        '0'..='7' => digits(rest, 0..3, 8)
            .and_then(|code| u8::try_from(code).ok())
            .map(|byte| (Escape::Byte(byte), 3)),
        'u' => digits(rest, 1..5, 16)
            .and_then(char::from_u32)
            .map(|found| (Escape::Character(found), 5)),
        'U' => digits(rest, 1..9, 16)
            .and_then(char::from_u32)
            .map(|found| (Escape::Character(found), 9)),
        _ => None,
    }
}

fn digits(text: &str, range: Range<usize>, radix: u32) -> Option<u32> {
    let digits = text.get(range)?;
    // `from_str_radix` would also take a sign.
    digits
        .chars()
        .all(|digit| digit.is_digit(radix))
        .then(|| u32::from_str_radix(digits, radix).ok())?
}

/// Returns the fix that doubles the backslash of every unknown escape, because the value is nearly always a regular
/// expression. It is certain if there is no other escape, such as `\b`, which may be meant as one of a pattern.
fn double_backslashes(inner: &str, base: usize) -> TextFix {
    let mut edits = Vec::new();
    let mut certain = true;
    let mut at = 0;
    while let Some(found) = inner.get(at..).and_then(|rest| rest.find('\\')) {
        let backslash = at + found;
        let rest = inner.get(backslash + 1..).unwrap_or_default();
        let next = rest.chars().next();
        match escape(rest) {
            Some((_, length)) => {
                certain &= matches!(next, Some('\\' | '"'));
                at = backslash + 1 + length;
            }
            None => {
                // Half of an escape with digits is a slip in that escape.
                certain &= !matches!(next, Some('x' | 'u' | 'U' | '0'..='9' | '\'') | None);
                edits.push((base + backslash..base + backslash, "\\".to_owned()));
                at = backslash + 1 + next.map_or(0, char::len_utf8);
            }
        }
    }
    TextFix::of_edits(edits).certain_if(certain)
}

fn unknown_escape(range: Range<usize>, escape: &str) -> Error {
    Error::value(range, format!("`{escape}` is not a valid escape"))
        .help("write `\\\\` for a backslash, or put the whole value in backticks")
}
