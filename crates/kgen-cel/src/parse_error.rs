//! The error for text that is not a CEL expression, and places in an expression.

use std::error::Error;
use std::fmt::{self, Display};

/// The reason why the parser rejects a text, and the place of the problem.
///
/// ```
/// use kgen_cel::{Expression, Position};
///
/// let text = "self.size = 1";
/// let error = Expression::parse(text).unwrap_err();
/// assert_eq!(error.message, "`=` is not allowed here; use `==` to compare");
/// assert_eq!(Position::of(text, error.offset).column, 11);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The offset in the text, in bytes.
    pub offset: usize,
    /// One line, without a period.
    pub message: String,
}

impl ParseError {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self {
            offset,
            message: message.into(),
        }
    }
}

impl Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (at byte {})", self.message, self.offset)
    }
}

impl Error for ParseError {}

/// A place in a text as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, which starts at 1.
    pub line: usize,
    /// The character within the line, which starts at 1.
    pub column: usize,
}

impl Position {
    /// Returns the position of a byte in `text`. An offset outside of the text, or within a character, is the end.
    ///
    /// ```
    /// use kgen_cel::Position;
    ///
    /// assert_eq!(Position::of("a &&\nbé", 7), Position { line: 2, column: 3 });
    /// ```
    pub fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let last_line = before.rsplit('\n').next().unwrap_or_default();
        Self {
            line: before.matches('\n').count() + 1,
            column: last_line.chars().count() + 1,
        }
    }
}
