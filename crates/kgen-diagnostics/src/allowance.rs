//! Warnings and notes that the user allows: everywhere, or at an item.

use crate::{Code, Problem, Severity, Span};

/// A code that the user allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The code.
    pub code: Code,
    /// The place whose problems are allowed, or `None` for all problems.
    pub place: Option<Span>,
    /// The marker that allows it; `None` for an entry of `kgen.toml`.
    pub marker: Option<Span>,
}

impl Allowance {
    /// Allows a code everywhere.
    #[must_use]
    pub fn everywhere(code: Code) -> Self {
        Self {
            code,
            place: None,
            marker: None,
        }
    }

    /// Returns whether the problem is allowed. Errors never are.
    #[must_use]
    pub fn covers(&self, problem: &Problem) -> bool {
        problem.code == self.code
            && problem.severity != Severity::Error
            && (self.place.is_none() || problem.span.is_some_and(|span| self.reaches(span)))
    }

    /// Returns whether a place is inside the place of the allowance.
    #[must_use]
    pub fn reaches(&self, span: Span) -> bool {
        self.place
            .is_none_or(|place| span.file == place.file && place.start <= span.start && span.end <= place.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    #[test]
    fn only_warnings_of_the_code_at_the_place_are_allowed() {
        let span = |start, end| Span::new(FileId(0), start, end);
        let everywhere = Allowance::everywhere(Code::DocumentSize);
        let here = Allowance {
            place: Some(span(10, 20)),
            ..everywhere
        };
        let warning = |code, start| Problem::warning(code, span(start, start + 5), "message");
        assert!(everywhere.covers(&warning(Code::DocumentSize, 0)));
        assert!(everywhere.covers(&Problem::note(Code::DocumentSize, "message")));
        assert!(!everywhere.covers(&warning(Code::Drift, 0)));
        assert!(!everywhere.covers(&Problem::error(Code::DocumentSize, span(0, 1), "message")));
        assert!(here.covers(&warning(Code::DocumentSize, 15)));
        assert!(!here.covers(&warning(Code::DocumentSize, 16)));
        assert!(!here.covers(&Problem::note(Code::DocumentSize, "message")));
    }
}
