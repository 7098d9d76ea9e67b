//! The report of a run: its problems and its changes.

use std::collections::BTreeSet;
use std::path::PathBuf;

use kgen_diagnostics::{Allowance, Code, Files, Problem, Problems, Span};

use crate::configuration::Configuration;
use crate::keep_going::SetAside;
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
    /// The broken kinds of each set, in a run that keeps going.
    pub(crate) set_aside: Vec<SetAside>,
    /// How many kinds have no errors.
    pub(crate) clean_kinds: usize,
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
    /// Returns the report of a run that problems stopped before it began.
    #[must_use]
    pub fn stopped_by(findings: Vec<Findings>) -> Self {
        Self {
            findings,
            ..Self::default()
        }
    }

    /// Removes the problems that the user allows, and reports the markers that allow nothing.
    ///
    /// A run of some generators only reports markers for problems that these generators would have reported.
    pub(crate) fn allow(mut self, configuration: &Configuration) -> Self {
        // An error hides the warnings of later stages.
        let is_complete = !self.has_errors();
        // If several sets read a file, a marker counts as used if one of them uses it.
        let (mut settled, mut unused) = (BTreeSet::new(), Vec::new());
        for (index, findings) in self.findings.iter_mut().enumerate() {
            let without_effect = findings.problems.allow(&findings.allowances);
            findings.problems.help_once(Code::DangerousType, &findings.files);
            let would_report = |code| match code {
                Code::DeprecatedMarker => configuration.deprecations,
                _ if configuration.is_whole_project() => true,
                _ => configuration
                    .sets
                    .get(index)
                    .is_some_and(|set| set.reports_all(code)),
            };
            for allowance in &findings.allowances {
                let Some(marker) = allowance.marker else { continue };
                let place = (findings.files.name(marker.file).to_owned(), marker.start);
                // Only `kgen lint` and `kgen diff` can tell whether theirs have an effect.
                let is_of_others = allowance.code.is_lint() || allowance.code.is_change();
                if without_effect.contains(&allowance) && !is_of_others {
                    if !is_read_twice(marker, &findings.files) && would_report(allowance.code) {
                        unused.push((place, index, allowance.code, marker));
                    }
                } else {
                    settled.insert(place);
                }
            }
        }
        for (place, index, code, marker) in unused {
            let Some(findings) = self.findings.get_mut(index) else {
                continue;
            };
            if is_complete && settled.insert(place) {
                findings.problems.push(unused_allowance(code, marker));
                findings.problems.allow(&findings.allowances);
            }
        }
        self
    }

    /// Adds the problems of broken kinds to those of their sets.
    pub(crate) fn add_set_aside(&mut self) {
        for (findings, aside) in self.findings.iter_mut().zip(&mut self.set_aside) {
            findings.problems.extend(std::mem::take(&mut aside.problems));
        }
    }

    /// Returns whether a kind is set aside because of its errors.
    pub(crate) fn has_set_aside(&self) -> bool {
        self.set_aside.iter().any(|aside| !aside.kinds.is_empty())
    }

    /// Returns the kinds that were left out because of their errors, by name; only a run that keeps going leaves some
    /// out.
    #[must_use]
    pub fn broken_kinds(&self) -> Vec<&str> {
        let kinds = self.set_aside.iter().flat_map(|aside| &aside.kinds);
        let kinds: BTreeSet<&str> = kinds.map(String::as_str).collect();
        kinds.into_iter().collect()
    }

    /// Returns whether an error stopped the run.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.findings
            .iter()
            .any(|findings| findings.problems.has_errors())
    }

    /// Returns whether the run went on without the kinds that have errors.
    #[must_use]
    pub fn kept_going(&self) -> bool {
        self.has_set_aside() && !(self.plan.changes.is_empty() && self.standard_output.is_empty())
    }

    /// Returns the number of kinds without errors, if the run came so far.
    #[must_use]
    pub fn clean_kinds(&self) -> usize {
        self.clean_kinds
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

/// Returns whether the file of a marker is the module of two crates. Each has its own copy, and the problems may be in the other.
fn is_read_twice(marker: Span, files: &Files) -> bool {
    let name = files.name(marker.file);
    files
        .iter()
        .any(|(id, file)| id != marker.file && file.name() == name)
}

fn unused_allowance(code: Code, marker: Span) -> Problem {
    Problem::warning(
        Code::UnusedAllowance,
        marker,
        format!("there is no `{code}` problem here to allow"),
    )
    .help("remove the marker")
}

/// Returns the outcome of a run with one problem.
fn verdict(problem: &Problem) -> Verdict {
    match problem.code {
        _ if !problem.is_error() => Verdict::Fine,
        Code::Usage | Code::Configuration | Code::Io | Code::Unreadable => Verdict::Failure,
        _ => Verdict::Problems,
    }
}
