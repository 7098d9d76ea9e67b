//! Scans a string once and notes everything on which its quoting style depends.

/// The properties of a string that matter for YAML.
#[derive(Clone, Copy, Default)]
pub(super) struct Shape {
    /// A newline.
    pub has_newline: bool,
    /// A line break of YAML 1.1: newline, carriage return, U+0085, U+2028 or U+2029.
    pub has_break: bool,
    /// U+2028 or U+2029, the line breaks that need no escape.
    pub has_separator: bool,
    /// A character that must be escaped: control characters including tabs, a byte order mark, and everything outside
    /// the Basic Multilingual Plane.
    pub has_unprintable: bool,
    /// A character that has a meaning in a plain scalar: an indicator at the start, `: `, ` #`.
    pub has_indicator: bool,
    pub starts_with_blank: bool,
    pub starts_with_break: bool,
    pub ends_with_blank: bool,
    /// A space before a line break.
    pub has_blank_before_break: bool,
    /// A space after a line break.
    pub has_blank_after_break: bool,
}

/// The bytes that never matter.
const IS_HARMLESS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte: u8 = 0x21;
    while byte < 0x7F {
        table[byte as usize] = !matches!(byte, b':' | b'#');
        byte += 1;
    }
    table
};

impl Shape {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut shape = Self {
            has_indicator: starts_with_indicator(bytes),
            starts_with_blank: bytes.first() == Some(&b' '),
            ends_with_blank: bytes.last() == Some(&b' '),
            ..Self::default()
        };
        let mut rest = bytes;
        let mut after_blank = false;
        let mut after_break = false;
        while let Some(harmless) = rest.iter().position(|byte| !IS_HARMLESS[usize::from(*byte)]) {
            if harmless > 0 {
                (after_blank, after_break) = (false, false);
            }
            let Some([byte, following @ ..]) = rest.get(harmless..) else {
                break;
            };
            let at_start = harmless == 0 && rest.len() == bytes.len();
            rest = following;
            let mut is_blank = false;
            let mut is_break = false;
            match *byte {
                b' ' => {
                    is_blank = true;
                    shape.has_blank_after_break |= after_break;
                }
                b':' => shape.has_indicator |= matches!(following, [] | [b' ', ..]),
                b'#' => shape.has_indicator |= after_blank,
                b'\n' => {
                    is_break = true;
                    shape.has_newline = true;
                }
                b'\r' => {
                    is_break = true;
                    shape.has_unprintable = true;
                }
                0..=0x1F | 0x7F => shape.has_unprintable = true,
                // Most characters of most texts, and the continuation bytes of the characters below.
                0x20..=0x7E | 0x80..=0xC1 => {}
                _ => match (byte, following) {
                    (0xC2, [0x85, ..]) => {
                        is_break = true;
                        shape.has_unprintable = true;
                    }
                    (0xC2, [..0xA0, ..])
                    | (0xEF, [0xBB, 0xBF, ..] | [0xBF, 0xBE..=0xBF, ..])
                    | (0xF0.., _) => {
                        shape.has_unprintable = true;
                    }
                    (0xE2, [0x80, 0xA8..=0xA9, after @ ..]) => {
                        is_break = true;
                        shape.has_separator = true;
                        rest = after;
                    }
                    _ => {}
                },
            }
            if is_break {
                shape.has_break = true;
                shape.starts_with_break |= at_start;
                shape.has_blank_before_break |= after_blank;
            }
            after_blank = is_blank;
            after_break = is_break;
        }
        shape
    }

    /// Returns whether the text may be plain, if it is not read as something other than a string.
    pub(super) fn may_be_plain(self) -> bool {
        !(self.has_indicator
            || self.has_break
            || self.has_unprintable
            || self.starts_with_blank
            || self.ends_with_blank)
    }

    /// Returns whether the text may be in single quotes, which do not have escapes.
    pub(super) fn may_be_single_quoted(self) -> bool {
        !(self.has_unprintable || self.has_blank_before_break || self.has_blank_after_break)
    }

    /// Returns whether the text may be a literal block.
    pub(super) fn may_be_literal(self) -> bool {
        !(self.has_unprintable || self.has_blank_before_break || self.ends_with_blank)
    }
}

fn starts_with_indicator(bytes: &[u8]) -> bool {
    match bytes {
        [b'-' | b'?' | b':'] | [b'-' | b'?' | b':', b' ', ..] => true,
        [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] => true,
        [first, ..] => b"#,[]{}&*!|>'\"%@`".contains(first),
        [] => false,
    }
}
