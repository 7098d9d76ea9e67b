//! Where each part of a text is written: a value in quotes may have escapes, and may go on in further comment lines.
//!
//! Code that reads a value records its parts with [`TextOrigin::push`]. Code that finds a problem within the value asks for
//! the place with [`TextOrigin::span`], or with [`TextOrigin::exact`] if it wants to replace it.

use std::ops::Range;

use crate::Span;

/// The places of the parts of a text, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextOrigin {
    parts: Vec<Part>,
}

/// A part of the text. It is written as itself if both lengths are the same; otherwise it is written as one escape.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    start: usize,
    length: usize,
    span: Span,
}

impl Part {
    fn end(&self) -> usize {
        self.start + self.length
    }

    fn is_verbatim(&self) -> bool {
        self.span.range().len() == self.length
    }
}

impl TextOrigin {
    /// Adds the next `length` bytes of the text, which are written at `span`. An escape is longer than its value.
    pub fn push(&mut self, length: usize, span: Span) {
        let start = self.parts.last().map_or(0, Part::end);
        let part = Part { start, length, span };
        match self.parts.last_mut() {
            Some(last)
                if last.is_verbatim()
                    && part.is_verbatim()
                    && last.span.file == span.file
                    && last.span.end == span.start =>
            {
                last.length += length;
                last.span = last.span.to(span);
            }
            _ => self.parts.push(part),
        }
    }

    /// Returns the place of a range of the text, or `None` if the range is not within the text. The place of an empty range
    /// is empty.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Option<Span> {
        let first = self.part_at(range.start)?;
        let start = place(first, range.start, first.span.start);
        if range.is_empty() {
            return Some(Span::new(first.span.file, start, start));
        }
        let last = self
            .parts
            .iter()
            .find(|part| part.start < range.end && range.end <= part.end())?;
        let end = place(last, range.end, last.span.end);
        Some(Span::new(first.span.file, start, end))
    }

    /// Returns the place of a range that is written as itself, without escapes and line breaks.
    #[must_use]
    pub fn exact(&self, range: Range<usize>) -> Option<Span> {
        let part = self.part_at(range.start)?;
        (part.is_verbatim() && range.end <= part.end())
            .then(|| self.span(range))
            .flatten()
    }

    /// Returns the part that has the byte at `at`, or the last one if that is the end of the text.
    fn part_at(&self, at: usize) -> Option<&Part> {
        let inside = self.parts.iter().find(|part| part.start <= at && at < part.end());
        inside.or_else(|| self.parts.last().filter(|part| part.end() == at))
    }
}

/// Returns the offset at which the byte at `at` is written. A part that is not written as itself has only one place, which is `whole`.
fn place(part: &Part, at: usize, whole: u32) -> u32 {
    if !part.is_verbatim() {
        return if at == part.end() { part.span.end } else { whole };
    }
    part.span
        .start
        .saturating_add(u32::try_from(at - part.start).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    fn span(start: u32, end: u32) -> Span {
        Span::new(FileId(0), start, end)
    }

    /// Returns the origin of `ab"cd`, written as `ab\"c`, and `d` on the next line.
    fn origin() -> TextOrigin {
        let mut origin = TextOrigin::default();
        origin.push(1, span(10, 11));
        origin.push(1, span(11, 12));
        origin.push(1, span(12, 14));
        origin.push(1, span(14, 15));
        origin.push(1, span(30, 31));
        origin
    }

    #[test]
    fn escapes_and_line_breaks_move_places() {
        let origin = origin();
        assert_eq!(origin.span(0..2), Some(span(10, 12)));
        assert_eq!(origin.span(1..3), Some(span(11, 14)));
        assert_eq!(origin.span(2..3), Some(span(12, 14)));
        assert_eq!(origin.span(3..4), Some(span(14, 15)));
        assert_eq!(origin.span(3..5), Some(span(14, 31)));
        assert_eq!(origin.span(5..5), Some(span(31, 31)));
        assert_eq!(origin.span(0..6), None);
        assert_eq!(TextOrigin::default().span(0..0), None);
    }

    #[test]
    fn only_text_that_is_written_as_itself_is_exact() {
        let origin = origin();
        assert_eq!(origin.exact(0..2), Some(span(10, 12)));
        assert_eq!(origin.exact(1..3), None);
        assert_eq!(origin.exact(2..3), None);
        assert_eq!(origin.exact(3..5), None);
        assert_eq!(origin.exact(4..5), Some(span(30, 31)));
    }
}
