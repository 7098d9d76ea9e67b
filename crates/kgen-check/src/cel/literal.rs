//! Numbers, texts and bytes in expressions: where they end, and what they are.

use std::borrow::Cow;

use super::lexer::{Kind, Refusal};
use super::tree::Literal;

/// The length of a text or of bytes in quotes at the start of `rest`; nothing if there are none.
pub(super) fn quoted(rest: &str) -> Result<Option<usize>, Refusal> {
    let bytes = rest.starts_with(['b', 'B']);
    let behind = rest.get(usize::from(bytes)..).unwrap_or_default();
    let raw = behind.starts_with(['r', 'R']);
    let prefix = usize::from(bytes) + usize::from(raw);
    let behind = rest.get(prefix..).unwrap_or_default();
    let Some(quote @ ('"' | '\'')) = behind.chars().next() else {
        return Ok(None);
    };
    let triple: String = [quote; 3].iter().collect();
    if behind.starts_with(&triple)
        && let Some(length) = closed(behind, &triple, raw, bytes, prefix)?
    {
        return Ok(Some(prefix + length));
    }
    match closed(behind, &quote.to_string(), raw, bytes, prefix)? {
        Some(length) => Ok(Some(prefix + length)),
        None => Err(Refusal::new(0, "a text is never closed")),
    }
}

/// The length up to and with the closing quotes. Only triple quotes go on over line breaks.
fn closed(text: &str, quotes: &str, raw: bool, bytes: bool, prefix: usize) -> Result<Option<usize>, Refusal> {
    let mut offset = quotes.len();
    while let Some(letter) = text.get(offset..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(offset..).unwrap_or_default();
        if rest.starts_with(quotes) {
            return Ok(Some(offset + quotes.len()));
        }
        match letter {
            '\n' | '\r' if quotes.len() == 1 => return Ok(None),
            '\\' if !raw => {
                offset += escape(rest, bytes).ok_or_else(|| {
                    let shown: String = rest.chars().take(2).collect();
                    Refusal::new(
                        prefix + offset,
                        format!(
                            "`{}` is no escape",
                            shown.escape_debug().to_string().replace("\\\\", "\\")
                        ),
                    )
                })?;
            }
            _ => offset += letter.len_utf8(),
        }
    }
    Ok(None)
}

/// The length of an escape at the start of `text`; nothing if it is none.
fn escape(text: &str, bytes: bool) -> Option<usize> {
    let digits = |from: usize, length: usize, radix: u32| {
        let digits = text.get(from..from + length)?;
        digits
            .chars()
            .all(|digit| digit.is_digit(radix))
            .then(|| u32::from_str_radix(digits, radix).ok())?
    };
    match text.chars().nth(1)? {
        'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '"' | '\'' | '\\' | '?' | '`' => Some(2),
        'x' | 'X' => digits(2, 2, 16).map(|_| 4),
        'u' if !bytes => digits(2, 4, 16).and_then(char::from_u32).map(|_| 6),
        'U' if !bytes => digits(2, 8, 16).and_then(char::from_u32).map(|_| 10),
        '0'..='3' => digits(1, 3, 8).map(|_| 4),
        _ => None,
    }
}

/// The sort and length of a number at the start of `rest`; nothing if there is none.
pub(super) fn number(rest: &str) -> Option<(Kind, usize)> {
    let digits = |from: usize| {
        rest.get(from..)
            .map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count())
    };
    let whole = digits(0);
    if rest.starts_with("0x") {
        let length = rest.bytes().skip(2).take_while(u8::is_ascii_hexdigit).count();
        if length > 0 {
            return Some(unsigned_or(Kind::Integer, rest, 2 + length));
        }
    }
    let mut length = whole;
    let mut kind = Kind::Integer;
    if rest.get(whole..).is_some_and(|rest| rest.starts_with('.')) && digits(whole + 1) > 0 {
        length = whole + 1 + digits(whole + 1);
        kind = Kind::Float;
    }
    if length == 0 {
        return None;
    }
    if let Some(exponent) = rest.get(length..).and_then(|rest| rest.strip_prefix(['e', 'E'])) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let digits = digits(length + 1 + sign);
        if digits > 0 {
            return Some((Kind::Float, length + 1 + sign + digits));
        }
    }
    Some(if kind == Kind::Integer {
        unsigned_or(kind, rest, length)
    } else {
        (kind, length)
    })
}

fn unsigned_or(kind: Kind, rest: &str, length: usize) -> (Kind, usize) {
    let unsigned = rest
        .get(length..)
        .is_some_and(|rest| rest.starts_with(['u', 'U']));
    if unsigned {
        (Kind::Unsigned, length + 1)
    } else {
        (kind, length)
    }
}

/// The value of a number; nothing if it cannot be represented.
pub(super) fn number_value(kind: Kind, text: &str, negative: bool) -> Option<Literal<'static>> {
    let digits = text.strip_suffix(['u', 'U']).unwrap_or(text);
    let value = match digits.strip_prefix("0x") {
        Some(hexadecimal) => parse(hexadecimal, 16),
        None => parse(digits, 10),
    };
    match kind {
        Kind::Integer => {
            let value = i128::from(value?);
            let value = if negative { -value } else { value };
            i64::try_from(value).ok().map(Literal::Int)
        }
        Kind::Unsigned => value.map(Literal::Uint),
        _ => {
            let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
            Some(Literal::Double(if negative { -value } else { value }))
        }
    }
}

/// The value of a text or of bytes in quotes, which the lexer has found to be well formed.
pub(super) fn quoted_value(token: &str) -> Literal<'_> {
    let bytes = token.starts_with(['b', 'B']);
    let behind = token.get(usize::from(bytes)..).unwrap_or_default();
    let raw = behind.starts_with(['r', 'R']);
    let behind = behind.get(usize::from(raw)..).unwrap_or_default();
    let triple = behind.len() >= 6 && (behind.starts_with("\"\"\"") || behind.starts_with("'''"));
    let quotes = if triple { 3 } else { 1 };
    let inner = behind
        .get(quotes..behind.len().saturating_sub(quotes))
        .unwrap_or_default();
    if bytes {
        return Literal::Bytes(if raw { inner.into() } else { bytes_in(inner) });
    }
    // Line breaks of all systems mean the same.
    let inner = if inner.contains('\r') {
        Cow::Owned(inner.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(inner)
    };
    Literal::Text(if raw || !inner.contains('\\') {
        inner
    } else {
        Cow::Owned(unescaped(&inner))
    })
}

/// The bytes that the inner text of a bytes literal stands for.
fn bytes_in(inner: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(letter) = rest.chars().next() {
        let length = match escape(rest, true).filter(|_| letter == '\\') {
            Some(length) => {
                let meant = escape_value(rest.get(1..length).unwrap_or_default());
                bytes.extend(meant.and_then(|meant| u8::try_from(u32::from(meant)).ok()));
                length
            }
            None => {
                bytes.extend(letter.encode_utf8(&mut [0; 4]).as_bytes());
                letter.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    bytes
}

fn unescaped(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(letter) = rest.chars().next() {
        let mut length = letter.len_utf8();
        let mut meant = letter;
        if letter == '\\'
            && let Some(escaped) = escape(rest, false)
        {
            meant = escape_value(rest.get(1..escaped).unwrap_or_default()).unwrap_or(letter);
            length = escaped;
        }
        text.push(meant);
        rest = rest.get(length..).unwrap_or_default();
    }
    text
}

/// The character that an escape stands for, without its backslash.
fn escape_value(escape: &str) -> Option<char> {
    let kind = escape.chars().next()?;
    let code = |from: usize, radix: u32| {
        u32::from_str_radix(escape.get(from..)?, radix)
            .ok()
            .and_then(char::from_u32)
    };
    match kind {
        'a' => Some('\u{7}'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{C}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\u{B}'),
        'x' | 'X' | 'u' | 'U' => code(1, 16),
        '0'..='3' => code(0, 8),
        other => Some(other),
    }
}

/// A number with any count of leading zeros.
fn parse(digits: &str, radix: u32) -> Option<u64> {
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        Some(0)
    } else {
        u64::from_str_radix(significant, radix).ok()
    }
}
