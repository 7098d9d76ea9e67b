//! Places in source text, as byte ranges of a file.

/// The file in a [`Files`](crate::Files) that contains a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(crate) u32);

/// A range of bytes in one file. The end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the bytes from `start` up to, not including, `end`.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self {
            file,
            start,
            end: end.max(start),
        }
    }

    /// Returns the span of a range of the standard library. Offsets beyond 4 GiB end at that limit.
    #[must_use]
    pub fn of(file: FileId, range: std::ops::Range<usize>) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self::new(file, clamp(range.start), clamp(range.end))
    }

    /// Returns the smallest span that covers both, which must be in one file; otherwise this one.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file == other.file {
            Self::new(self.file, self.start.min(other.start), self.end.max(other.end))
        } else {
            self
        }
    }

    /// Returns the byte range within the file's text.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and the place where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The text in the source.
    pub value: T,
    /// Where.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Creates a value that is written at `span`.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}
