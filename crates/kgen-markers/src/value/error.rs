//! What is wrong with a value, at a range of the text that was read.

use std::ops::Range;

use kgen_diagnostics::{Code, Problem, Span};

/// A mistake in a value or in the arguments around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What sort of mistake.
    pub code: Code,
    /// Which bytes of the text.
    pub range: Range<usize>,
    /// One line, without a full stop at its end.
    pub message: String,
    /// What stands beside the underlined bytes; may be empty.
    pub label: String,
    /// What to do about it, a line each.
    pub help: Vec<String>,
}

impl Error {
    /// A mistake at `range`.
    #[must_use]
    pub fn new(code: Code, range: Range<usize>, message: impl Into<String>) -> Self {
        // A value over several lines may be quoted in it.
        let message = message.into().replace(['\n', '\r'], " ");
        Self {
            code,
            range,
            message,
            label: String::new(),
            help: Vec::new(),
        }
    }

    /// A value of the wrong type or form.
    #[must_use]
    pub fn value(range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Code::MarkerValue, range, message)
    }

    /// An argument that is unknown, missing or repeated.
    #[must_use]
    pub fn argument(range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Code::MarkerArgument, range, message)
    }

    /// Text that has no meaning where it stands.
    #[must_use]
    pub fn text(range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Code::MarkerText, range, message)
    }

    /// A quote or bracket without its partner.
    #[must_use]
    pub fn unclosed(range: Range<usize>, what: &str) -> Self {
        Self::new(Code::UnclosedValue, range, format!("this {what} is never closed")).help(format!(
            "add the closing {what}; a value may go on over several comment lines"
        ))
    }

    /// Puts a text beside the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a line that says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The same as a problem at a place of the source.
    pub fn at(self, span: Span) -> Problem {
        let problem = Problem::error(self.code, span, self.message).label(self.label);
        self.help.into_iter().fold(problem, Problem::help)
    }
}
