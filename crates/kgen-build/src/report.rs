//! What a run found and did.

use std::collections::BTreeSet;
use std::path::PathBuf;

use kgen_diagnostics::{Allowance, Code, Files, Problem, Problems};

use crate::keep_going::SetAside;
use crate::plan::Plan;

/// Problems, and the files that they point into.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The files, for excerpts.
    pub files: Files,
    /// What was found, errors and others.
    pub problems: Problems,
    /// Warnings and notes that the user allows.
    pub allowances: Vec<Allowance>,
}

impl Findings {
    /// A single problem that points into no file.
    #[must_use]
    pub fn of(problem: Problem) -> Self {
        let mut findings = Self::default();
        findings.problems.push(problem);
        findings
    }
}

/// What a run found and did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What is wrong or worth saying, by the source it came from.
    pub findings: Vec<Findings>,
    /// What the disk has and what it should have; empty if an error stopped the run before.
    pub plan: Plan,
    /// Whether the plan was carried out.
    pub written: bool,
    /// Artifacts that go to standard output, one after the other.
    pub standard_output: String,
    /// Every file that had a say in the result, sorted.
    pub files_read: Vec<PathBuf>,
    /// The broken kinds of each set, in a run that keeps going.
    pub(crate) set_aside: Vec<SetAside>,
    /// How many kinds have no errors.
    pub(crate) clean_kinds: usize,
}

/// How a run ended, in the three cases that an exit code can tell.
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
    /// A run that problems stopped before it began.
    #[must_use]
    pub fn stopped_by(findings: Vec<Findings>) -> Self {
        Self {
            findings,
            ..Self::default()
        }
    }

    /// Removes the problems that the user allows, and help that is given already.
    pub(crate) fn allow(mut self) -> Self {
        for findings in &mut self.findings {
            findings.problems.allow(&findings.allowances);
            findings.problems.help_once(Code::DangerousType, &findings.files);
        }
        self
    }

    /// Adds the problems of broken kinds to those of their sets.
    pub(crate) fn add_set_aside(&mut self) {
        for (findings, aside) in self.findings.iter_mut().zip(&mut self.set_aside) {
            findings.problems.extend(std::mem::take(&mut aside.problems));
        }
    }

    /// Whether a kind is set aside because of its errors.
    pub(crate) fn has_set_aside(&self) -> bool {
        self.set_aside.iter().any(|aside| !aside.kinds.is_empty())
    }

    /// The kinds that were left out because of their errors, by name; only a run that keeps going leaves some out.
    #[must_use]
    pub fn broken_kinds(&self) -> Vec<&str> {
        let kinds = self.set_aside.iter().flat_map(|aside| &aside.kinds);
        let kinds: BTreeSet<&str> = kinds.map(String::as_str).collect();
        kinds.into_iter().collect()
    }

    /// Whether there is an error. It stopped the run, unless [`kept_going`](Self::kept_going).
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.findings
            .iter()
            .any(|findings| findings.problems.has_errors())
    }

    /// Whether the run went on without the kinds that have errors.
    #[must_use]
    pub fn kept_going(&self) -> bool {
        self.has_set_aside() && !(self.plan.changes.is_empty() && self.standard_output.is_empty())
    }

    /// How many kinds have no errors, if the run came so far.
    #[must_use]
    pub fn clean_kinds(&self) -> usize {
        self.clean_kinds
    }

    /// How the run ended. What the disk lacks is no problem of a run that writes, or only shows what it would write.
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

/// What one problem makes of a run.
fn verdict(problem: &Problem) -> Verdict {
    match problem.code {
        _ if !problem.is_error() => Verdict::Fine,
        Code::Usage | Code::Configuration | Code::Io | Code::Unreadable => Verdict::Failure,
        _ => Verdict::Problems,
    }
}
