//! One problem, and the list of all problems of a run.

use std::borrow::Cow;

use crate::{Allowance, Code, Files, Fix, Fixes, Near, Policy, Span, fix};

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Stops the run before anything is written.
    Error,
    /// Is shown, and nothing else.
    Warning,
    /// A remark that is not a mistake.
    Note,
}

impl Severity {
    /// Returns the word in messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A second place that explains the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// The text at that place.
    pub label: String,
}

/// Something that the user should know, at a place if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Problem {
    /// The kind of problem.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// Where it is, for problems of the source.
    pub span: Option<Span>,
    /// One line, without a full stop at its end.
    pub message: String,
    /// A text beside the underlined place; may be empty. [`Problem::beside`] has the sentence about the fixes as well.
    pub label: Box<str>,
    /// The advice, one line each.
    pub help: Vec<String>,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// Edits that would repair it; each is sufficient.
    pub fixes: Fixes,
    /// Whether the API server and kube-derive accept the source as it is, so that a [`Policy`] may lower the severity.
    pub is_tolerated: bool,
}

impl Problem {
    fn new(severity: Severity, code: Code, span: Option<Span>, message: String) -> Self {
        Self {
            code,
            severity,
            span,
            message,
            label: Box::default(),
            help: Vec::new(),
            related: Vec::new(),
            fixes: Fixes::default(),
            is_tolerated: false,
        }
    }

    /// Creates an error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, Some(span), message.into())
    }

    /// Creates a warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, Some(span), message.into())
    }

    /// Creates an error that does not belong to a line, such as a folder that cannot be read.
    pub fn general(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, None, message.into())
    }

    /// Creates a warning that does not belong to a line.
    pub fn general_warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, None, message.into())
    }

    /// Creates a note that does not belong to a line and is not a mistake.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, None, message.into())
    }

    /// Puts a text beside the underlined place.
    pub fn label(mut self, label: impl Into<Box<str>>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a line that says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds a second place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push(Related {
            span,
            label: label.into(),
        });
        self
    }

    /// Adds the fix that replaces the word at `span` by a near one. People are asked whether they meant it.
    pub fn fix(self, span: Span, near: Near<'_>) -> Self {
        self.with_fix(Fix::near(span, near))
    }

    /// Adds the fix that replaces the underlined word by a near one. People are asked whether they meant it.
    pub fn meant(self, near: Near<'_>) -> Self {
        match self.span {
            Some(span) => self.fix(span, near),
            None => self.help(format!("did you mean `{}`?", near.word)),
        }
    }

    /// Adds a fix.
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Makes all fixes ones that a person has to decide about.
    pub fn with_uncertain_fixes(mut self) -> Self {
        self.fixes.doubt();
        self
    }

    /// Returns the fix that programs may apply without asking, if there is one.
    #[must_use]
    pub fn certain_fix(&self) -> Option<&Fix> {
        self.fixes.iter().find(|fix| fix.is_certain())
    }

    /// Returns the text beside the underlined place: the label, or the sentence about the fixes.
    #[must_use]
    pub fn beside(&self) -> Cow<'_, str> {
        if self.label.is_empty() {
            Cow::Owned(fix::sentence(&self.fixes))
        } else {
            Cow::Borrowed(&self.label)
        }
    }

    /// States that the API server and kube-derive accept the source as it is.
    pub fn tolerated(mut self) -> Self {
        self.is_tolerated = true;
        self
    }

    /// Returns whether this stops the run.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The problems of a run: gathered in any order, shown by place, each once.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    list: Vec<Problem>,
}

impl Problems {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&mut self, problem: Problem) {
        self.list.push(problem);
    }

    /// Adds the problem of a failed result and goes on with what the result held, if anything.
    pub fn take<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(problem) => {
                self.push(problem);
                None
            }
        }
    }

    /// Gives every problem the severity that it has under `policy` and with the markers of the source.
    ///
    /// An error that the API server tolerates is a warning where a marker allows it. [`Problems::allow`] then removes it.
    pub fn settle(&mut self, policy: Policy, allowances: &[Allowance]) {
        for problem in &mut self.list {
            problem.severity = policy.severity(problem);
            if problem.is_error() && problem.is_tolerated && is_allowed_here(problem, allowances) {
                problem.severity = Severity::Warning;
            }
        }
    }

    /// Removes the problems that the user allows, and returns the allowances that covered none of them.
    pub fn allow<'a>(&mut self, allowances: &'a [Allowance]) -> Vec<&'a Allowance> {
        let unused = allowances
            .iter()
            .filter(|allowance| !self.list.iter().any(|problem| allowance.covers(problem)))
            .collect();
        if !allowances.is_empty() {
            self.list
                .retain(|problem| !allowances.iter().any(|allowance| allowance.covers(problem)));
        }
        unused
    }

    /// Keeps some of them.
    pub fn retain(&mut self, keep: impl FnMut(&Problem) -> bool) {
        self.list.retain(keep);
    }

    /// Leaves the help with the first problem of a code, because it is the same for all of them.
    pub fn help_once(&mut self, code: Code, files: &Files) {
        let place = |problem: &Problem| {
            problem
                .span
                .map(|span| (files.name(span.file).to_owned(), span.start))
        };
        let mut same: Vec<_> = self
            .list
            .iter_mut()
            .filter(|problem| problem.code == code)
            .collect();
        let first = same.iter().map(|problem| place(problem)).min();
        for problem in &mut same {
            if Some(place(problem)) != first {
                problem.help.clear();
            }
        }
    }

    /// Returns whether a problem stops the run.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(Problem::is_error)
    }

    /// Returns the number of problems that stop the run.
    #[must_use]
    pub fn error_count(&self) -> usize {
        self.list.iter().filter(|problem| problem.is_error()).count()
    }

    /// Returns whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns how many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns all problems, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.list.iter()
    }

    /// Returns all problems by file name, place and code, each once. Problems without a place come last.
    #[must_use]
    pub fn sorted(&self, files: &Files) -> Vec<&Problem> {
        let mut list: Vec<_> = self.list.iter().collect();
        let key = |problem: &Problem| {
            let place = problem
                .span
                .map(|span| (files.name(span.file).to_owned(), span.start, span.end));
            (
                place.is_none(),
                place,
                problem.severity,
                problem.code,
                problem.message.clone(),
            )
        };
        list.sort_by_cached_key(|problem| key(problem));
        list.dedup();
        list
    }
}

/// Returns whether a marker allows the code of `problem` at its place. An entry of `kgen.toml` allows no errors.
fn is_allowed_here(problem: &Problem, allowances: &[Allowance]) -> bool {
    let mut markers = allowances.iter().filter(|allowance| allowance.place.is_some());
    markers.any(|marker| marker.code == problem.code && problem.span.is_some_and(|span| marker.reaches(span)))
}

impl Extend<Problem> for Problems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        self.list.extend(problems);
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
