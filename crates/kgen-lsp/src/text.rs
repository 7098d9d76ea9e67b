//! Positions of the protocol and bytes of a text. They are converted only here.

use std::ops::Range;

use kgen_diagnostics::line_starts;
use serde_json::{Value, json};

/// The unit in which the client counts columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units of UTF-16, the default of the protocol.
    #[default]
    Utf16,
}

impl Encoding {
    /// Returns the word of the protocol.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }

    fn width(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        }
    }
}

/// A text with the starts of its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text {
    text: String,
    starts: Vec<u32>,
}

impl Text {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let starts = line_starts(&text);
        Self { text, starts }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the line break of the text.
    pub(crate) fn line_break(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Returns the bytes of a line, with its line break.
    fn line(&self, index: usize) -> Range<usize> {
        let at = |index: usize| {
            self.starts
                .get(index)
                .map_or(self.text.len(), |start| *start as usize)
        };
        at(index)..at(index + 1)
    }

    /// Returns the text of a line without its line break, and its first byte.
    pub(crate) fn line_text(&self, index: usize) -> (usize, &str) {
        let range = self.line(index);
        let text = self.text.get(range.clone()).unwrap_or_default();
        (range.start, text.trim_end_matches(['\n', '\r']))
    }

    /// Returns the line of a byte, from zero.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        let behind = self.starts.partition_point(|start| *start as usize <= offset);
        behind.saturating_sub(1)
    }

    /// Returns the byte of a position. A position behind the end of its line is the end of the line.
    pub(crate) fn offset(&self, position: &Value, encoding: Encoding) -> usize {
        let number = |name: &str| {
            let value = position.get(name).and_then(Value::as_u64).unwrap_or_default();
            usize::try_from(value).unwrap_or(usize::MAX)
        };
        let (line, column) = (number("line"), number("character"));
        if line >= self.starts.len() {
            return self.text.len();
        }
        let (start, text) = self.line_text(line);
        if encoding == Encoding::Utf8 {
            let mut column = column.min(text.len());
            while !text.is_char_boundary(column) {
                column -= 1;
            }
            return start + column;
        }
        let mut units = 0;
        for (at, character) in text.char_indices() {
            if units + character.len_utf16() > column {
                return start + at;
            }
            units += character.len_utf16();
        }
        start + text.len()
    }

    /// Returns the bytes of a range of the protocol.
    pub(crate) fn range(&self, range: &Value, encoding: Encoding) -> Range<usize> {
        let at = |name: &str| self.offset(range.get(name).unwrap_or(&Value::Null), encoding);
        let (start, end) = (at("start"), at("end"));
        start..end.max(start)
    }

    /// Returns the line and column of a byte.
    pub(crate) fn line_and_column(&self, offset: usize, encoding: Encoding) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset);
        let start = self.line(line).start;
        (
            line,
            encoding.width(self.text.get(start..offset).unwrap_or_default()),
        )
    }

    pub(crate) fn position(&self, offset: usize, encoding: Encoding) -> Value {
        let (line, character) = self.line_and_column(offset, encoding);
        json!({"line": line, "character": character})
    }

    pub(crate) fn to_range(&self, bytes: Range<usize>, encoding: Encoding) -> Value {
        json!({
            "start": self.position(bytes.start, encoding),
            "end": self.position(bytes.end, encoding),
        })
    }

    /// Replaces a part of the text.
    pub(crate) fn replace(&mut self, bytes: Range<usize>, new: &str) {
        let mut text = std::mem::take(&mut self.text);
        let is_valid = text.is_char_boundary(bytes.start) && text.is_char_boundary(bytes.end);
        if is_valid && bytes.end <= text.len() {
            text.replace_range(bytes, new);
        }
        *self = Self::new(text);
    }
}

/// The lines that two versions of a text have in common, at the start and at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameLines {
    /// The bytes of the common lines at the start.
    head: usize,
    /// The bytes of the common lines at the end.
    tail: usize,
    old_length: usize,
    new_length: usize,
}

impl SameLines {
    pub(crate) fn of(old: &str, new: &str) -> Self {
        let bytes = |pairs: &mut dyn Iterator<Item = (&str, &str)>| -> usize {
            let same = pairs.take_while(|(old, new)| old == new);
            same.map(|(line, _)| line.len()).sum()
        };
        let head = bytes(&mut old.split_inclusive('\n').zip(new.split_inclusive('\n')));
        let (old_rest, new_rest) = (
            old.get(head..).unwrap_or_default(),
            new.get(head..).unwrap_or_default(),
        );
        let tail = bytes(
            &mut old_rest
                .split_inclusive('\n')
                .rev()
                .zip(new_rest.split_inclusive('\n').rev()),
        );
        Self {
            head,
            tail,
            old_length: old.len(),
            new_length: new.len(),
        }
    }

    /// Returns the byte of the new text for one of the old text, if it is on a common line.
    pub(crate) fn moved(&self, offset: usize) -> Option<usize> {
        if offset < self.head {
            Some(offset)
        } else if offset + self.tail >= self.old_length {
            Some(offset + self.new_length - self.old_length)
        } else {
            None
        }
    }

    /// Returns the byte of the old text before which something of the new text belongs. Between the common lines, that is the
    /// first line behind the byte that the old text has, too.
    pub(crate) fn place_in_old(&self, old: &str, new: &str, offset: usize) -> usize {
        if offset < self.head {
            return offset;
        }
        if offset + self.tail >= self.new_length {
            return offset + self.old_length - self.new_length;
        }
        let behind = new.get(offset..self.new_length - self.tail).unwrap_or_default();
        let changed = old
            .get(self.head..self.old_length - self.tail)
            .unwrap_or_default();
        for line in behind
            .split_inclusive('\n')
            .filter(|line| !line.trim().is_empty())
        {
            let mut at = self.head;
            for known in changed.split_inclusive('\n') {
                if known == line {
                    return at;
                }
                at += known.len();
            }
        }
        self.old_length - self.tail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_in_the_unit_of_the_client() {
        let text = Text::new("// ü😀x\r\ny\n");
        let position = |line: u64, character: u64| json!({"line": line, "character": character});
        assert_eq!(text.offset(&position(0, 6), Encoding::Utf16), 9);
        assert_eq!(text.offset(&position(0, 5), Encoding::Utf16), 5);
        assert_eq!(text.offset(&position(0, 9), Encoding::Utf8), 9);
        assert_eq!(text.offset(&position(0, 7), Encoding::Utf8), 5);
        assert_eq!(text.offset(&position(0, 99), Encoding::Utf16), 10);
        assert_eq!(text.offset(&position(9, 9), Encoding::Utf16), text.as_str().len());
        assert_eq!(text.position(9, Encoding::Utf16), position(0, 6));
        assert_eq!(text.position(12, Encoding::Utf16), position(1, 0));
    }

    #[test]
    fn a_change_moves_the_lines_behind_it() {
        let mut text = Text::new("a\nb\nc");
        text.replace(2..3, "x\ny");
        assert_eq!(text.as_str(), "a\nx\ny\nc");
        assert_eq!(text.line_text(3), (6, "c"));
    }

    #[test]
    fn lines_that_did_not_change_keep_their_bytes() {
        let (old, new) = ("a\nb\nc\nd\n", "a\nxyz\nc\nw\nd\n");
        let same = SameLines::of(old, new);
        assert_eq!(same.moved(0), Some(0));
        assert_eq!(same.moved(2), None);
        assert_eq!(same.moved(4), None, "only the start and the end count");
        assert_eq!(same.moved(6), Some(10));
        assert_eq!(same.place_in_old(old, new, 0), 0);
        assert_eq!(same.place_in_old(old, new, 2), 4, "before `c`");
        assert_eq!(same.place_in_old(old, new, 8), 6);
        assert_eq!(same.place_in_old(old, new, 10), 6);
        let all = SameLines::of(old, old);
        assert_eq!(all.moved(8), Some(8));
    }
}
