//! Escapes in the parts of URLs, as Go's `net/url` writes and reads them.

use std::fmt::Write as _;

use crate::go_text::quoted;

/// A part of a URL. Each has its own set of bytes that need no escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Fragment,
    Host,
    Path,
    Query,
    User,
    Zone,
}

fn is_plain(byte: u8, part: Part) -> bool {
    if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
        return true;
    }
    let others: &[u8] = match part {
        Part::Fragment => b"!$&()*+,/:;=?@",
        Part::Host | Part::Zone => b"!\"$&'()*+,:;<=>[]",
        Part::Path => b"$&+,/:;=@",
        Part::Query => b"",
        Part::User => b"$&+,;=",
    };
    others.contains(&byte)
}

/// Replaces escapes by the bytes that they stand for.
pub(super) fn unescape(text: &str, part: Part) -> Result<Vec<u8>, String> {
    let bytes = text.as_bytes();
    let mut unescaped = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while let Some(byte) = bytes.get(place).copied() {
        match byte {
            b'%' => {
                let escape = bytes.get(place..place + 3).unwrap_or_default();
                let value = escape
                    .get(1..)
                    .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
                    .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
                let end = bytes.len().min(place + 3);
                let shown = String::from_utf8_lossy(bytes.get(place..end).unwrap_or_default());
                let refused = Err(format!("invalid URL escape {}", quoted(&shown)));
                let Some(value) = value else { return refused };
                let is_allowed = match part {
                    // A host can only have escapes of bytes beyond ASCII, and of the sign before a zone.
                    Part::Host => value >= 0x80 || value == b'%',
                    Part::Zone => value == b'%' || value == b' ' || is_plain(value, Part::Host),
                    _ => true,
                };
                if !is_allowed {
                    return refused;
                }
                unescaped.push(value);
                place += 3;
                continue;
            }
            b'+' if part == Part::Query => unescaped.push(b' '),
            _ if matches!(part, Part::Host | Part::Zone) && byte.is_ascii() && !is_plain(byte, part) => {
                let shown = quoted(&char::from(byte).to_string());
                return Err(format!("invalid character {shown} in host name"));
            }
            _ => unescaped.push(byte),
        }
        place += 1;
    }
    Ok(unescaped)
}

/// Writes bytes with as few escapes as Go does.
pub(super) fn escape(bytes: &[u8], part: Part) -> String {
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        if is_plain(*byte, part) {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Returns whether a text needs no further escapes. More bytes are allowed than [`escape`] leaves as they are.
pub(super) fn is_valid_encoded(text: &str, part: Part) -> bool {
    text.bytes()
        .all(|byte| is_plain(byte, part) || b"!$&'()*+,;=:@[]%".contains(&byte))
}
