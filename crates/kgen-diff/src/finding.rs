//! One difference between two states, and everything that is known about it.

use kgen_diagnostics::{Code, Severity, Span};
use serde_json::Value;

/// How much a change matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Any other change.
    Compatible,
    /// Everything that was accepted before still is, but a reader may find something that it does not know.
    Risky,
    /// An object, update or request that was accepted before is refused, loses data, or changes meaning.
    Breaking,
}

impl Level {
    /// Returns the word on the command line and in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        }
    }

    /// Returns the level of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Compatible, Self::Risky, Self::Breaking]
            .into_iter()
            .find(|level| level.word() == word)
    }

    /// Returns the severity of problems of this level.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::Compatible => Severity::Note,
            Self::Risky => Severity::Warning,
            Self::Breaking => Severity::Error,
        }
    }
}

/// The sum of all findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict(pub Option<Level>);

impl Verdict {
    /// Returns the verdict of some levels.
    #[must_use]
    pub fn of(levels: impl Iterator<Item = Level>) -> Self {
        Self(levels.max())
    }

    /// Returns the word in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.0.map_or("none", Level::word)
    }
}

/// An object that proves a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Witness {
    /// The old state accepts this object, and the new one refuses it.
    Object(Value),
    /// The old state accepts the change from the first object to the second, and the new one refuses it.
    Update(Value, Value),
}

/// The values that both states read back from one object.
#[derive(Clone, Debug, PartialEq)]
pub struct Reads {
    /// The old state.
    pub old: Value,
    /// The new state.
    pub new: Value,
}

/// One difference between two states of an API.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The change.
    pub code: Code,
    /// How much it matters.
    pub level: Level,
    /// The group.
    pub group: String,
    /// The kind; empty for RBAC rules.
    pub kind: String,
    /// The version; `None` if the change is about all versions.
    pub version: Option<String>,
    /// The path of the value, such as `.spec.ports[*].name`.
    pub path: String,
    /// One line.
    pub message: String,
    /// The text beside the place: what was there before.
    pub label: String,
    /// The place in the new state; `None` for something that was removed.
    pub new: Option<Span>,
    /// The place in the old state.
    pub old: Option<Span>,
    /// Places in the new state whose markers may allow the finding, the nearest one first.
    pub around: Vec<Span>,
    /// The proof.
    pub witness: Option<Witness>,
    /// The message of the new state's API server.
    pub says: Option<String>,
    /// The values that both states read back.
    pub reads: Option<Reads>,
    /// The node that must not change, so that stored objects can be updated.
    pub ratchets_at: Option<String>,
    /// Whether a witness was looked for and not found.
    pub unproved: bool,
    /// The advice, one line each.
    pub help: Vec<String>,
}
