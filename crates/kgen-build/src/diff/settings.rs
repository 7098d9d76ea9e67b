//! The tables `[diff]` and `[lint]` of `kgen.toml`.

use std::path::PathBuf;

use kgen_diagnostics::{Code, Span};
pub use kgen_diff::Level;
pub use kgen_diff::lint::LintSet;

/// `[diff]`: what `kgen diff` compares, and what it allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiffSettings {
    /// The revision to compare with, if the call names none.
    pub against: Option<String>,
    /// The paths to compare, if they are not those of the sets.
    pub paths: Vec<PathBuf>,
    /// The level from which the command fails.
    pub fail_on: Option<Level>,
    /// Findings that are allowed.
    pub allow: Vec<AllowedChange>,
}

/// An entry of `[[diff.allow]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedChange {
    /// The code.
    pub code: Code,
    /// The kind; any kind if it is missing.
    pub kind: Option<String>,
    /// The path; any path if it is missing.
    pub path: Option<String>,
    /// The last revision without the change. The entry has no effect against a later one.
    pub since: Option<String>,
    /// Why it is allowed.
    pub reason: Option<String>,
    /// Where the entry is, in the configuration file.
    pub span: Span,
}

/// `[lint]`: which lints run, and how they are reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintSettings {
    /// Whether the configuration has the table.
    pub is_stated: bool,
    /// The set of lints that run.
    pub set: LintSet,
    /// Lints that are errors.
    pub deny: Vec<Code>,
    /// Lints that are warnings, whatever the set says.
    pub warn: Vec<Code>,
    /// Lints that do not run.
    pub allow: Vec<Code>,
}
