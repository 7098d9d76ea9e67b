//! The error for an expression that can be parsed, but not compiled: an unknown name, or types that do not match.

use std::error::Error;
use std::fmt::{self, Display};

/// The kinds of mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MistakeKind {
    /// A variable that is not declared.
    UnknownVariable,
    /// A function that does not exist.
    UnknownFunction,
    /// A field that a value does not have, or that rules cannot read.
    UnknownField,
    /// A message type that does not exist.
    UnknownType,
    /// Types that do not match, or a constant that a function does not accept.
    Type,
    /// The macros of the expression expand to more nodes than this crate handles. The API server may accept it.
    TooLarge,
}

impl MistakeKind {
    /// Returns whether a name in the expression does not refer to anything.
    pub fn is_unknown_name(self) -> bool {
        matches!(
            self,
            Self::UnknownVariable | Self::UnknownFunction | Self::UnknownField | Self::UnknownType
        )
    }
}

/// The first mistake in an expression.
///
/// ```
/// use kgen_cel::{Environment, Expression, MistakeKind, OpenApi};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"replicas": {"type": "integer"}}});
/// let environment = Environment::rule(OpenApi::new(&schema)).unwrap();
/// let mistake = Expression::parse("self.replcas > 0")?.check(&environment).unwrap_err();
/// assert_eq!(mistake.kind, MistakeKind::UnknownField);
/// assert_eq!(mistake.offset, Some(5));
/// assert_eq!(mistake.name, "replcas");
/// assert_eq!(mistake.candidates, ["replicas"]);
/// # Ok::<(), kgen_cel::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The kind of the mistake.
    pub kind: MistakeKind,
    /// The offset in the expression, in bytes; `None` if the mistake concerns the expression as a whole.
    pub offset: Option<usize>,
    /// One line, without a period.
    pub message: String,
    /// Advice on how to correct the expression.
    pub help: Option<String>,
    /// The name that is not known; empty for other mistakes.
    pub name: String,
    /// The names that would be valid in its place, so that the caller can suggest the nearest one.
    pub candidates: Vec<String>,
}

impl Mistake {
    pub(crate) fn new(kind: MistakeKind, offset: usize, message: impl Into<String>) -> Self {
        Self {
            kind,
            offset: Some(offset),
            message: message.into(),
            help: None,
            name: String::new(),
            candidates: Vec::new(),
        }
    }

    /// Returns a mistake in the types.
    pub(crate) fn types(offset: usize, message: impl Into<String>) -> Self {
        Self::new(MistakeKind::Type, offset, message)
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the unknown name and the names that would be valid.
    pub(crate) fn candidates<N: Into<String>>(
        mut self,
        name: &str,
        candidates: impl IntoIterator<Item = N>,
    ) -> Self {
        name.clone_into(&mut self.name);
        self.candidates = candidates.into_iter().map(Into::into).collect();
        self
    }
}

impl Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(formatter, "{} (at byte {offset})", self.message),
            None => formatter.write_str(&self.message),
        }
    }
}

impl Error for Mistake {}

/// Keeps the mistake that comes first in the text.
#[derive(Debug, Default)]
pub(crate) struct Mistakes(Option<Mistake>);

impl Mistakes {
    /// Returns whether a mistake at this offset comes before all others.
    fn is_first(&self, offset: Option<usize>) -> bool {
        self.0
            .as_ref()
            .is_none_or(|first| first.offset.is_none() || offset < first.offset)
    }

    pub(crate) fn add(&mut self, mistake: Mistake) {
        if self.is_first(mistake.offset) {
            self.0 = Some(mistake);
        }
    }

    pub(crate) fn first(self) -> Option<Mistake> {
        self.0
    }
}
