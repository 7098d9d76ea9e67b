//! The error of a value, at a range of the parsed text.

use std::ops::Range;

use kgen_diagnostics::{Applicability, Code, Fix, Near, Problem, Span};

/// A mistake in a value or in the arguments around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of mistake.
    pub code: Code,
    /// The cause, for callers whose text is not a comment.
    pub cause: Cause,
    /// Which bytes of the text.
    pub range: Range<usize>,
    /// One line, without a full stop at its end.
    pub message: String,
    /// A text beside the underlined bytes; may be empty.
    pub label: String,
    /// The advice, one line each.
    pub help: Vec<String>,
    /// Edits of the text that would repair it; each is sufficient.
    pub fixes: Vec<TextFix>,
}

/// A cause that [`Error::code`] does not distinguish, because the help for it depends on the place of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// Text after a complete value or marker, which is often a note. The help is about comment lines.
    TrailingText,
    /// Any other cause.
    #[default]
    Other,
}

/// A repair of a mistake, in ranges of the text that was read. It becomes a [`Fix`] when the mistake gets its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFix {
    /// Ranges, and the texts that take their place.
    pub edits: Vec<(Range<usize>, String)>,
    /// How certain it is.
    pub applicability: Applicability,
    /// How people read it.
    pub shown: Shown,
}

/// How people read a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// As a question; the replacement is a word, and quotes around the word that it replaces stay.
    Question,
    /// As an imperative.
    Imperative,
    /// Not at all, because the label or the help already says it.
    Unsaid,
    /// Not at all either; the replacement starts a comment line of its own.
    CommentLine,
}

impl TextFix {
    /// Replaces a range. The fix is certain, and the label or the help already says it.
    #[must_use]
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self::of_edits(vec![(range, text.into())])
    }

    /// Makes several edits at once. Otherwise the same as [`TextFix::replace`].
    #[must_use]
    pub fn of_edits(edits: Vec<(Range<usize>, String)>) -> Self {
        Self {
            edits,
            applicability: Applicability::MachineApplicable,
            shown: Shown::Unsaid,
        }
    }

    /// Makes it a fix that a person has to decide about, unless `certain`.
    #[must_use]
    pub fn certain_if(mut self, certain: bool) -> Self {
        if !certain {
            self.applicability = Applicability::MaybeIncorrect;
        }
        self
    }

    /// Moves the text behind `gap` to a comment line of its own.
    #[must_use]
    pub fn comment_line(gap: Range<usize>) -> Self {
        Self {
            shown: Shown::CommentLine,
            ..Self::replace(gap, "")
        }
    }

    /// Shows it as an imperative.
    #[must_use]
    pub fn told(mut self) -> Self {
        self.shown = Shown::Imperative;
        self
    }

    /// Returns the suggestion as a fix of the source. Returns `None` if an edit covers several comment lines, because it would
    /// also remove their slashes.
    fn at(self, span_of: &dyn Fn(Range<usize>) -> Span) -> Option<Fix> {
        let mut edits = Vec::with_capacity(self.edits.len());
        for (range, text) in self.edits {
            let length = range.len();
            let span = span_of(range);
            if span.range().len() != length {
                return None;
            }
            edits.push((span, text));
        }
        let mut edits = edits.into_iter();
        let (span, text) = edits.next()?;
        let first = match self.shown {
            Shown::Question => Fix::word(span, text).asked(),
            Shown::Imperative => Fix::replace(span, text).told(),
            Shown::Unsaid => Fix::replace(span, text),
            Shown::CommentLine => Fix::next_comment_line(span, text),
        };
        let fix = edits.fold(first, |fix, (span, text)| fix.and(span, text));
        Some(match self.applicability {
            Applicability::MachineApplicable => fix,
            Applicability::MaybeIncorrect => fix.uncertain(),
        })
    }
}

impl Error {
    /// Creates an error at `range`.
    #[must_use]
    pub fn new(code: Code, range: Range<usize>, message: impl Into<String>) -> Self {
        // A value over several lines may be quoted in it.
        let message = message.into().replace(['\n', '\r'], " ");
        Self {
            code,
            cause: Cause::default(),
            range,
            message,
            label: String::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Creates the error for a value of the wrong type or form.
    #[must_use]
    pub fn value(range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Code::MarkerValue, range, message)
    }

    /// Creates the error for an argument that is unknown, missing or repeated.
    #[must_use]
    pub fn argument(range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Code::MarkerArgument, range, message)
    }

    /// Creates the error for text without a meaning in its place.
    #[must_use]
    pub fn text(range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Code::MarkerText, range, message)
    }

    /// Creates the error for text after a complete value or marker.
    #[must_use]
    pub fn trailing_text(range: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            cause: Cause::TrailingText,
            ..Self::text(range, message).help("move the note to a line of its own")
        }
    }

    /// Creates the error for a quote or bracket without its partner.
    #[must_use]
    pub fn unclosed(range: Range<usize>, what: &str) -> Self {
        Self::new(Code::UnclosedValue, range, format!("this {what} is never closed")).help(format!(
            "add the closing {what}; a value may span several comment lines"
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

    /// Adds the fix that replaces the word at `range` by a near one, if there is a near one.
    #[must_use]
    pub fn near(self, range: Range<usize>, near: Option<Near<'_>>) -> Self {
        let Some(near) = near else { return self };
        let mut fix = TextFix::replace(range, near.word).certain_if(near.is_certain);
        fix.shown = Shown::Question;
        self.with_fix(fix)
    }

    /// Adds a fix.
    #[must_use]
    pub fn with_fix(mut self, fix: TextFix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Returns the error as a problem. `span_of` says where a range of the text is in the source.
    pub fn at(self, span_of: impl Fn(Range<usize>) -> Span) -> Problem {
        let problem = Problem::error(self.code, span_of(self.range), self.message).label(self.label);
        let problem = self.help.into_iter().fold(problem, Problem::help);
        let fixes = self.fixes.into_iter().filter_map(|fix| fix.at(&span_of));
        fixes.fold(problem, Problem::with_fix)
    }
}
