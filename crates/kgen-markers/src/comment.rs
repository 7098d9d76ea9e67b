//! From comment lines to the text of a marker, with every byte's place in the source.
//!
//! Most markers are one line. A value with an open quote, back quote or bracket at the end of its line continues on the
//! next one; each byte of the joined text keeps its place in the source.

use std::ops::Range;

use std::sync::Arc;

use kgen_diagnostics::{FileId, Span};

use crate::definition::Definition;
use crate::table;
use crate::value::{ValueType, closing_quote};

/// One comment line: the text behind the slashes with one leading blank and all trailing white space removed.
#[derive(Clone, Copy, Debug)]
pub struct CommentLine<'a> {
    /// The text of the line.
    pub text: &'a str,
    /// Byte offset of its first byte in the file.
    pub offset: u32,
}

/// The text of one marker, behind its `+`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerText {
    file: FileId,
    text: String,
    /// How long the name is that the text starts with.
    name_length: usize,
    /// Where the text starts in the file.
    offset: usize,
    /// Where each further line starts in the text, and in the file. Most markers are one line.
    lines: Vec<(usize, usize)>,
}

impl MarkerText {
    fn new(file: FileId, text: &str, offset: usize) -> Self {
        Self {
            file,
            text: text.to_owned(),
            name_length: name_length(text),
            offset,
            lines: Vec::new(),
        }
    }

    fn join(&mut self, joint: char, text: &str, offset: usize) {
        self.text.push(joint);
        self.lines.push((self.text.len(), offset));
        self.text.push_str(text);
    }

    /// Returns the text, from the first letter of the name on.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the name that the text starts with, up to the first character that no name has. It may have the name of
    /// the first argument as its last segment.
    #[must_use]
    pub fn name(&self) -> &str {
        self.text
            .get(..self.name_length)
            .unwrap_or_default()
            .trim_end_matches(':')
    }

    /// Returns the place of that name.
    #[must_use]
    pub fn name_span(&self) -> Span {
        self.span(0..self.name().len())
    }

    /// Returns the place of a range of the text in the source.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Span {
        let start = self.source_offset(range.start);
        // The end belongs to the line of the last byte, not to the line that may start there.
        let end = if range.end > range.start {
            self.source_offset(range.end - 1) + 1
        } else {
            start
        };
        Span::of(self.file, start..end)
    }

    /// Returns the place of the whole text.
    #[must_use]
    pub fn whole(&self) -> Span {
        self.span(0..self.text.len())
    }

    /// Returns the same text in another version of its file; `None` if `to` does not know where a line is there.
    #[must_use]
    pub fn moved(&self, to: &dyn Fn(usize) -> Option<usize>) -> Option<Self> {
        let lines = self.lines.iter();
        Some(Self {
            offset: to(self.offset)?,
            lines: lines
                .map(|(start, offset)| Some((*start, to(*offset)?)))
                .collect::<Option<_>>()?,
            ..self.clone()
        })
    }

    /// Splits a range of the text where lines start.
    pub(crate) fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let starts = self.lines.iter().map(|(start, _)| *start);
        let mut begin = range.start;
        let cuts = starts.chain([range.end]);
        cuts.filter_map(move |cut| {
            let piece = begin..cut.min(range.end);
            (!piece.is_empty()).then(|| {
                begin = piece.end;
                piece
            })
        })
    }

    fn source_offset(&self, at: usize) -> usize {
        let index = self.lines.partition_point(|(start, _)| *start <= at);
        let line = index.checked_sub(1).and_then(|line| self.lines.get(line));
        let (start, offset) = line.copied().unwrap_or((0, self.offset));
        // The separator between two lines counts as the end of the first.
        let limit = self
            .lines
            .get(index)
            .map_or(usize::MAX, |(next, _)| next.saturating_sub(1));
        offset + at.min(limit).saturating_sub(start)
    }
}

/// Returns whether a comment line starts a marker: a `+` directly followed by a letter, after blanks.
#[must_use]
pub fn starts_marker(text: &str) -> bool {
    let mut characters = text.trim_start().chars();
    characters.next() == Some('+') && characters.next().is_some_and(|first| first.is_ascii_alphabetic())
}

/// The bytes that the name of a marker can have.
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte: u8 = 0;
    while byte < 0x80 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':');
        byte += 1;
    }
    table
};

/// Returns the length of the name at the start of a marker's text.
pub(crate) fn name_length(text: &str) -> usize {
    // Names are ASCII apart from typos, and bytes are read much faster than characters.
    let plain = text
        .bytes()
        .take_while(|byte| IN_NAME[usize::from(*byte)])
        .count();
    match text.as_bytes().get(plain) {
        Some(byte) if !byte.is_ascii() => text
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')))
            .unwrap_or(text.len()),
        _ => plain,
    }
}

/// More lines than anybody needs for one value; a forgotten quote must not swallow a file.
const LINE_LIMIT: usize = 128;

/// Reads the marker that starts at the first of `lines`, and says how many lines it takes.
///
/// Inside quotes, lines are joined by a line break, elsewhere by one blank. If the value is not closed before the
/// lines or the next known marker begins, the marker is its first line only, and [`parse`](crate::parse) reports it.
#[must_use]
pub fn read_marker(file: FileId, lines: &[CommentLine<'_>]) -> (Arc<MarkerText>, usize) {
    let (text, used) = join_lines(file, lines);
    (Arc::new(text), used)
}

fn join_lines(file: FileId, lines: &[CommentLine<'_>]) -> (MarkerText, usize) {
    let Some(first) = lines.first() else {
        return (MarkerText::new(file, "", 0), 0);
    };
    let trimmed = first.text.trim_start();
    let behind_plus = trimmed.strip_prefix('+').unwrap_or(trimmed);
    let offset = first.offset as usize + (first.text.len() - behind_plus.len());
    let marker = MarkerText::new(file, behind_plus.trim_end(), offset);
    let Some(shape) = Shape::of(&marker) else {
        return (marker, 1);
    };

    if shape.open_at_end(marker.text()).is_none() {
        return (marker, 1);
    }
    let mut joined = marker.clone();
    let mut used = 1;
    while let Some(joint) = shape.open_at_end(joined.text()) {
        let Some(line) = lines
            .get(used)
            .filter(|line| used < LINE_LIMIT && !starts_known_marker(line.text))
        else {
            return (marker, 1);
        };
        let text = if joint == ' ' {
            line.text.trim_start()
        } else {
            line.text
        };
        joined.join(joint, text, line.offset as usize + (line.text.len() - text.len()));
        used += 1;
    }
    (joined, used)
}

fn starts_known_marker(line: &str) -> bool {
    let behind_plus = line.trim_start().get(1..).unwrap_or_default();
    starts_marker(line) && table::find(behind_plus).is_some()
}

/// Where the value of a marker starts, and what it can contain.
struct Shape {
    from: usize,
    /// `[` opens a list.
    brackets: bool,
    /// Everything is JSON.
    json: bool,
}

impl Shape {
    fn of(marker: &MarkerText) -> Option<Self> {
        let from = marker.name_length;
        let name = marker.text.get(..from).unwrap_or_default();
        let definition: &Definition = table::find_name(name)?.definition;
        let value = definition.value().map(|argument| argument.value);
        let json = value == Some(ValueType::Json);
        Some(Self {
            from,
            brackets: json || value == Some(ValueType::Any),
            json,
        })
    }

    /// Returns the separator before the next line, if a quote or bracket is still open.
    fn open_at_end(&self, text: &str) -> Option<char> {
        let mut rest = text.get(self.from..).unwrap_or_default();
        // Most values have nothing to close.
        if !rest.bytes().any(|byte| matches!(byte, b'"' | b'`' | b'{' | b'[')) {
            return None;
        }
        let mut brackets = Vec::new();
        let mut value_starts = false;
        // Letters since the last comma: the name of an argument, if `=` follows.
        let mut word_only = true;
        while let Some(next) = rest.chars().next() {
            let free = value_starts || self.json || brackets.last() == Some(&'[');
            let mut length = next.len_utf8();
            match next {
                '"' | '`' => match closing_quote(rest, next) {
                    Some(quoted) => length = quoted,
                    None if free => return Some('\n'),
                    None => {}
                },
                '{' if free => brackets.push('{'),
                '[' if free && self.brackets => brackets.push('['),
                '}' | ']' => {
                    brackets.pop();
                }
                _ => {}
            }
            let named = next == '=' && brackets.is_empty() && word_only;
            value_starts = match next {
                '{' | '[' => free && brackets.last() == Some(&next),
                ',' | ';' | '(' => true,
                ':' => !brackets.is_empty(),
                _ if next.is_whitespace() => value_starts,
                _ => named,
            };
            word_only = match next {
                ',' => true,
                '+' | ':' | '-' | '_' => word_only,
                _ => word_only && !named && (next.is_alphanumeric() || next.is_whitespace()),
            } || (named && rest.starts_with("=+"));
            rest = rest.get(length..).unwrap_or_default();
        }
        if brackets.is_empty() { None } else { Some(' ') }
    }
}
