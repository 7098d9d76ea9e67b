//! The conventions of Kubernetes APIs as lints.
//!
//! `walk.rs` visits every node of the user's types once, `fields.rs` has the lints of one node, `kinds.rs` those of a
//! whole kind, and `table.rs` says which set each lint belongs to. An API that the API server refuses is an error, not a lint.

mod fields;
mod kinds;
mod table;
mod walk;

use std::collections::BTreeSet;

use kgen_diagnostics::{Code, Files, Problem, Problems, Severity, Span};
use kgen_model::Api;

pub use table::{LintSet, set_of};

/// Which lints run, and which of them are errors.
#[derive(Clone, Debug, Default)]
pub struct Lints {
    /// The set.
    pub set: LintSet,
    /// Lints that are errors.
    pub deny: Vec<Code>,
    /// Lints that run in any case.
    pub warn: Vec<Code>,
    /// Lints that do not run.
    pub allow: Vec<Code>,
}

impl Lints {
    /// Returns whether a lint runs.
    #[must_use]
    pub fn run(&self, code: Code) -> bool {
        let by_set = match self.set {
            LintSet::None => false,
            LintSet::Recommended => set_of(code) == LintSet::Recommended,
            LintSet::Strict => true,
        };
        !self.allow.contains(&code) && (by_set || self.deny.contains(&code) || self.warn.contains(&code))
    }

    /// Returns the severity of a lint.
    #[must_use]
    pub fn severity(&self, code: Code) -> Severity {
        if self.deny.contains(&code) {
            Severity::Error
        } else {
            Severity::Warning
        }
    }
}

/// Collects the findings: one per lint and place, even if a type is used in many places.
struct Report<'a> {
    lints: &'a Lints,
    files: &'a Files,
    seen: BTreeSet<(Code, Span)>,
    problems: Problems,
}

impl Report<'_> {
    fn add(&mut self, code: Code, span: Span, make: impl FnOnce(Problem) -> Problem) {
        if self.lints.run(code) && self.seen.insert((code, span)) {
            self.problems
                .push(make(Problem::warning(code, span, String::new())));
        }
    }

    /// Returns whether a place is in the user's own source, and not in that of another crate.
    fn is_own(&self, span: Span) -> bool {
        let name = self.files.name(span.file);
        !["registry/src/", "git/checkouts/"]
            .iter()
            .any(|part| name.contains(part))
    }
}

/// Returns the findings of all lints that run, as warnings. The policy of the run may make some of them errors.
#[must_use]
pub fn check(api: &Api, files: &Files, lints: &Lints) -> Problems {
    let mut report = Report {
        lints,
        files,
        seen: BTreeSet::new(),
        problems: Problems::new(),
    };
    for resource in &api.resources {
        for version in resource.versions.iter().filter(|version| !version.skipped) {
            kinds::check(version, &mut report);
            walk::walk(version, &mut report);
        }
    }
    let mut problems = report.problems;
    if lints.run(Code::RuleCost) {
        problems.extend(kgen_check::expensive_rules(api));
    }
    problems
}
