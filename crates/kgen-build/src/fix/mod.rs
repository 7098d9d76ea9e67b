//! `kgen fix`: applies the certain fixes of problems to the source.
//!
//! Fixes are applied in memory, in rounds, because one mistake can hide another. After each round the source is read
//! again: a fix counts only if its problem is gone and no error has come in its place. Nothing is written before the
//! last round; [`Fixes::plan`] then has all changed files, to be carried out as a whole.
//!
//! [`edits`] knows how fixes become texts, [`verify`] what a round has to prove, and [`version_control`] which files
//! cannot be restored.

mod edits;
#[cfg(test)]
mod tests;
mod verify;
mod version_control;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Problem};
use kgen_frontend::{Unsaved, cargo_home, workspace_folder};

use crate::configuration::{Action, Configuration};
use crate::place;
use crate::plan::{ChangeAction, Plan};
use crate::report::{Findings, Report};
use crate::{disk, lint, pipeline};

use edits::{Candidate, Candidates};
pub use version_control::{Unrestorable, unrestorable};

/// The maximum number of rounds; the user can run the command again.
const ROUNDS: usize = 10;

/// The result of the certain fixes. Files are not written yet.
#[derive(Debug, Default)]
pub struct Fixes {
    /// The files that change, by path.
    pub files: Vec<FixedFile>,
    /// The problems of the current source that the fixes are for, with their edits. One that a fix only reveals is not here.
    pub fixable: Vec<Findings>,
    /// The report of a run with the changed files.
    pub remaining: Report,
    /// Fixes that were left out because they did not help, one note for each.
    pub failed: Findings,
}

/// A file that fixes change.
#[derive(Clone, Debug)]
pub struct FixedFile {
    /// The file.
    pub path: PathBuf,
    /// The file as messages name it.
    pub name: String,
    /// The current content.
    pub old: String,
    /// The new content.
    pub new: String,
    /// The number of problems that are fixed in it.
    pub fixed: usize,
}

impl Fixes {
    /// Returns the changes of the files, to be carried out together.
    ///
    /// # Errors
    /// Returns an error if a file has changed since the fixes were found.
    pub fn plan(&self, working_folder: &Path) -> Result<Plan, Findings> {
        let mut changes = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let changed = |reason: &str| {
                let message = format!("`{}` cannot be fixed: {reason}", file.name);
                Findings::of(Problem::general(Code::Io, message))
            };
            let present = disk::read_if_there(&file.path).map_err(|reason| changed(&reason))?;
            if present.as_deref() != Some(file.old.as_bytes()) {
                return Err(changed("it has changed since kgen read it"));
            }
            let action = ChangeAction::Update {
                old: file.old.clone().into_bytes(),
                new: file.new.clone(),
            };
            changes.push((file.path.clone(), action));
        }
        Ok(Plan::of_files(changes, working_folder))
    }
}

/// Finds the fixes of everything that a run with this configuration would report, and tries them in memory.
#[must_use]
pub fn find_fixes(configuration: &Configuration) -> Fixes {
    find_fixes_of(configuration, &|configuration| {
        let mut report = pipeline::examine(configuration);
        // A project that configures lints wants their fixes, too.
        if configuration.lint.is_stated && !report.has_errors() {
            report.findings.extend(lint::examine(configuration).findings);
        }
        report
    })
}

/// Finds the fixes of everything that `examine` reports, and tries them in memory.
pub(crate) fn find_fixes_of(
    configuration: &Configuration,
    examine: &dyn Fn(&Configuration) -> Report,
) -> Fixes {
    let mut configuration = Configuration {
        action: Action::Verify,
        deprecations: true,
        keep_going: false,
        ..configuration.clone()
    };
    let own = OwnFiles::of(&configuration);
    let mut report = examine(&configuration);
    let first = report.clone();
    let mut fixes = Fixes::default();
    let mut files: BTreeMap<PathBuf, FixedFile> = BTreeMap::new();
    let mut failed = BTreeSet::new();
    for _ in 0..ROUNDS {
        let mut candidates = edits::candidates(&report);
        candidates
            .list
            .retain(|candidate| own.include(candidate) && !failed.contains(&candidate.identity()));
        edits::drop_overlaps(&mut candidates.list);
        let after = try_round(
            &mut configuration,
            &report,
            &mut candidates,
            examine,
            |candidate, reason| {
                failed.insert(candidate.identity());
                fixes.failed.problems.push(failure(candidate, reason));
            },
        );
        let Some(after) = after else { break };
        for candidate in &candidates.list {
            count(candidate, &candidates.texts, &mut files);
        }
        report = after;
    }
    for file in files.values_mut() {
        if let Some(Unsaved::Text(text)) = configuration.unsaved.get(&file.path) {
            file.new = text.to_owned();
        }
    }
    // Two fixes can undo each other.
    files.retain(|_, file| file.old != file.new);
    fixes.files = files.into_values().collect();
    fixes.fixable = fixable(first, |candidate| {
        own.include(candidate) && !failed.contains(&candidate.identity())
    });
    fixes.remaining = report;
    fixes
}

/// Returns the problems whose certain fix is `wanted`.
fn fixable(report: Report, wanted: impl Fn(&Candidate) -> bool) -> Vec<Findings> {
    let of_findings = |mut findings: Findings| {
        let files = &findings.files;
        findings.problems.retain(|problem| {
            edits::candidate_of(problem, files).is_some_and(|candidate| wanted(&candidate))
        });
        findings
    };
    report.findings.into_iter().map(of_findings).collect()
}

/// Applies `candidates` to the unsaved texts of the configuration and drops those that do not help. Returns the report
/// of a run with them, or `None` if no candidate is left.
fn try_round(
    configuration: &mut Configuration,
    before: &Report,
    candidates: &mut Candidates,
    examine: &dyn Fn(&Configuration) -> Report,
    mut reject: impl FnMut(&Candidate, &str),
) -> Option<Report> {
    let unsaved = configuration.unsaved.clone();
    while !candidates.list.is_empty() {
        let edited = edits::apply(&candidates.list, &candidates.texts);
        configuration.unsaved = unsaved.clone();
        for (path, edited) in &edited {
            configuration.unsaved.write(path, &edited.text);
        }
        let after = examine(configuration);
        let failures = verify::failures(&candidates.list, &edited, before, &after);
        if failures.is_empty() {
            return Some(after);
        }
        let mut index = 0;
        candidates.list.retain(|candidate| {
            let failure = failures.get(&index);
            index += 1;
            if let Some(reason) = failure {
                reject(candidate, reason);
            }
            failure.is_none()
        });
    }
    configuration.unsaved = unsaved;
    None
}

/// Counts a fix that helps in the files that it changes.
fn count(candidate: &Candidate, texts: &BTreeMap<PathBuf, String>, files: &mut BTreeMap<PathBuf, FixedFile>) {
    for (index, edit) in candidate.edits.iter().enumerate() {
        let file = files.entry(edit.path.clone()).or_insert_with(|| FixedFile {
            path: edit.path.clone(),
            name: edit.name.clone(),
            old: texts.get(&edit.path).cloned().unwrap_or_default(),
            new: String::new(),
            fixed: 0,
        });
        // A fix of several edits is one fix.
        file.fixed += usize::from(index == 0);
    }
}

fn failure(candidate: &Candidate, reason: &str) -> Problem {
    let message = format!(
        "the fix for `{}` at {} was not applied: {reason}",
        candidate.code, candidate.place
    );
    Problem::note(candidate.code, message)
        .help("if the line has no other mistake, this is a bug in kgen: please report it")
}

/// Returns the number of problems of a run that [`find_fixes`] would try to fix.
#[must_use]
pub fn applicable(report: &Report, configuration: &Configuration) -> usize {
    let candidates = edits::candidates(report).list;
    if candidates.is_empty() {
        return 0;
    }
    let own = OwnFiles::of(configuration);
    candidates
        .iter()
        .filter(|candidate| own.include(candidate))
        .count()
}

/// The files that may be changed: those of the user's package or workspace.
struct OwnFiles {
    roots: Vec<PathBuf>,
    cargo_home: Option<PathBuf>,
}

impl OwnFiles {
    fn of(configuration: &Configuration) -> Self {
        let mut roots = Vec::new();
        for set in &configuration.sets {
            let here = [PathBuf::new()];
            let paths = if set.paths.is_empty() {
                &here[..]
            } else {
                &set.paths
            };
            for path in paths {
                let path = place::absolute(&set.folder, path);
                let root = workspace_folder(&path).unwrap_or(path);
                roots.extend(disk::true_name(&root));
                roots.push(root);
            }
        }
        let home = cargo_home().map(|home| place::absolute(&configuration.working_folder, &home));
        Self {
            roots,
            cargo_home: home,
        }
    }

    fn include(&self, candidate: &Candidate) -> bool {
        candidate.edits.iter().all(|edit| {
            // Writing follows a link, so the target must belong to the user.
            let path = disk::true_name(&edit.path).unwrap_or_else(|| edit.path.clone());
            let is_below = |folder: &PathBuf| path.starts_with(folder);
            self.roots.iter().any(is_below) && !self.cargo_home.iter().any(is_below)
        })
    }
}
