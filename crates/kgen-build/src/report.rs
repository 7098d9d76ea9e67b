//! The report of a run: its problems and its changes.

use std::path::PathBuf;

use kgen_diagnostics::{Allowance, Code, Files, Problem, Problems};

use crate::plan::Plan;

/// Problems, and the files that they point into.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The files, for excerpts.
    pub files: Files,
    /// The problems, including warnings and notes.
    pub problems: Problems,
    /// Warnings and notes that the user allows.
    pub allowances: Vec<Allowance>,
}

impl Findings {
    /// Returns a single problem without a place.
    #[must_use]
    pub fn of(problem: Problem) -> Self {
        let mut findings = Self::default();
        findings.problems.push(problem);
        findings
    }
}

/// The report of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The problems, by their source.
    pub findings: Vec<Findings>,
    /// The plan; empty if an error stopped the run before.
    pub plan: Plan,
    /// Whether the plan was carried out.
    pub written: bool,
    /// Artifacts that go to standard output, one after the other.
    pub standard_output: String,
    /// Every file that affected the result, sorted.
    pub files_read: Vec<PathBuf>,
}

/// The three outcomes of a run, which correspond to exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Done, or clean.
    Fine,
    /// The input has errors, or generated files do not match it.
    Problems,
    /// The run was not possible: command line, configuration, or disk.
    Failure,
}

impl Report {
    pub(crate) fn stopped_by(findings: Findings) -> Self {
        Self {
            findings: vec![findings],
            ..Self::default()
        }
    }

    /// Removes the problems that the user allows.
    pub(crate) fn allow(mut self) -> Self {
        for findings in &mut self.findings {
            findings.problems.allow(&findings.allowances);
        }
        self
    }

    /// Returns whether an error stopped the run.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.findings
            .iter()
            .any(|findings| findings.problems.has_errors())
    }

    /// Returns the outcome of the run. Missing files do not matter to a run that writes, or only shows what it would
    /// write.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.findings
            .iter()
            .flat_map(|findings| findings.problems.iter())
            .map(verdict)
            .max()
            .unwrap_or(Verdict::Fine)
    }
}

/// Returns the outcome of a run with one problem.
fn verdict(problem: &Problem) -> Verdict {
    match problem.code {
        _ if !problem.is_error() => Verdict::Fine,
        Code::Usage | Code::Configuration | Code::Io | Code::Unreadable => Verdict::Failure,
        _ => Verdict::Problems,
    }
}
