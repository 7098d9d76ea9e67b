//! The changes that a command plans: files to create, lines to add, and advice for the user.
//!
//! An existing file is never replaced, unless the user has named it with `--force`. The command decides whether an existing
//! file is an error or was written by an earlier run of the same command.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use kgen_build::{Action, ChangeAction, Findings, Plan, Report, read_file, read_unsaved_project_file};
use kgen_diagnostics::{Code, Problem, Problems};

use crate::edit::Edit;

/// The planned changes and the advice of a command.
#[derive(Debug, Default)]
pub struct Scaffold {
    /// The files, by path.
    pub plan: Plan,
    /// The manual steps of the user, because no place was found for the lines.
    pub advice: Vec<Advice>,
    /// Existing files that differ from those of a new project and were kept.
    pub kept: Vec<String>,
    /// The `kgen.toml` of the project, for [`generate`](Self::generate).
    pub project_file: PathBuf,
}

impl Scaffold {
    /// Runs the generators on the new files in memory. Does not write any files.
    ///
    /// # Errors
    /// Returns the problems of the project's `kgen.toml`. The report contains the problems of its source.
    pub fn generate(&self, working_folder: &Path) -> Result<Report, Findings> {
        let unsaved = self.plan.unsaved();
        let mut configuration = read_unsaved_project_file(&self.project_file, working_folder, unsaved)?;
        configuration.action = Action::Show;
        Ok(kgen_build::run(&configuration))
    }
}

/// Lines that the user has to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The path of the file, as in messages.
    pub file: String,
    /// The reason why kgen did not add them.
    pub reason: String,
    /// The lines.
    pub lines: String,
}

/// The handling of a file that already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Present {
    /// Keep it: an earlier run wrote it, and the user can have changed it since.
    Keep,
    /// Report an error: kgen did not write it.
    Refuse,
}

/// Builds a [`Scaffold`].
pub(crate) struct Draft<'a> {
    root: &'a Path,
    force: &'a [PathBuf],
    forced: BTreeSet<PathBuf>,
    /// The new content of files, by path from the root.
    files: BTreeMap<String, File>,
    advice: Vec<Advice>,
    kept: BTreeSet<String>,
    problems: Problems,
}

struct File {
    old: Option<String>,
    new: String,
}

impl<'a> Draft<'a> {
    /// Starts a draft for the project in `root`. The files in `force` can be replaced.
    pub(crate) fn new(root: &'a Path, force: &'a [PathBuf]) -> Self {
        Self {
            root,
            force,
            forced: BTreeSet::new(),
            files: BTreeMap::new(),
            advice: Vec::new(),
            kept: BTreeSet::new(),
            problems: Problems::new(),
        }
    }

    pub(crate) fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Returns the planned text of a file, or `None` if it does not exist.
    pub(crate) fn text(&mut self, path: &str) -> Option<String> {
        if let Some(file) = self.files.get(path) {
            return Some(file.new.clone());
        }
        match read_file(&self.root.join(path)) {
            Ok(text) => text,
            Err(reason) => {
                self.problems.push(Problem::general(
                    Code::Io,
                    format!("`{path}` cannot be read: {reason}"),
                ));
                None
            }
        }
    }

    /// Creates a file.
    pub(crate) fn create(&mut self, path: &str, text: String, present: Present) {
        let old = self.text(path);
        let full = self.root.join(path);
        let forced = self.force.iter().find(|force| self.root.join(force) == full);
        if let Some(forced) = forced {
            self.forced.insert(forced.clone());
        }
        match old {
            Some(old) if old != text && forced.is_none() => match present {
                Present::Keep => {
                    self.kept.insert(path.to_owned());
                }
                Present::Refuse => self.problems.push(
                    Problem::general(Code::Usage, format!("`{path}` already exists"))
                        .help("move it elsewhere")
                        .help(format!("or replace it with `--force {path}`")),
                ),
            },
            old => {
                self.files.insert(path.to_owned(), File { old, new: text });
            }
        }
    }

    /// Edits a file of the user. If that is not possible, advises the user to add `lines`.
    pub(crate) fn edit(&mut self, path: &str, lines: &str, edit: impl FnOnce(&str) -> Edit) {
        let Some(text) = self.text(path) else {
            self.advise(path, "the file does not exist", lines);
            return;
        };
        match edit(&text) {
            Edit::Unchanged => {}
            Edit::Changed(new) => match self.files.get_mut(path) {
                Some(file) => file.new = new,
                None => {
                    self.files.insert(path.to_owned(), File { old: Some(text), new });
                }
            },
            Edit::NoPlace(reason) => self.advise(path, &reason, lines),
            Edit::Broken(reason) => {
                let problem = Problem::general(Code::Usage, format!("cannot edit `{path}`: {reason}"));
                self.problems.push(
                    problem.help("fix the errors that `cargo check` reports, and run the command again"),
                );
            }
        }
    }

    /// Advises the user to add lines.
    pub(crate) fn advise(&mut self, path: &str, reason: &str, lines: &str) {
        if let Some(advice) = self.advice.last_mut()
            && (advice.file.as_str(), advice.reason.as_str()) == (path, reason)
        {
            advice.lines.push('\n');
            advice.lines.push_str(lines);
            return;
        }
        self.advice.push(Advice {
            file: path.to_owned(),
            reason: reason.to_owned(),
            lines: lines.to_owned(),
        });
    }

    /// Returns the scaffold, or all problems.
    pub(crate) fn finish(
        mut self,
        project_file: PathBuf,
        working_folder: &Path,
    ) -> Result<Scaffold, Findings> {
        for force in self.force.iter().filter(|force| !self.forced.contains(*force)) {
            self.problems.push(
                Problem::general(
                    Code::Usage,
                    format!(
                        "`--force {}` is not a file that this command writes",
                        force.display()
                    ),
                )
                .help("use a path that `--dry-run` shows"),
            );
        }
        if self.problems.has_errors() {
            return Err(Findings {
                problems: self.problems,
                ..Findings::default()
            });
        }
        let changes = self.files.into_iter().map(|(path, file)| {
            let action = match file.old {
                None => ChangeAction::Create { new: file.new },
                Some(old) if old == file.new => ChangeAction::Same,
                Some(old) => ChangeAction::Update {
                    old: old.into_bytes(),
                    new: file.new,
                },
            };
            (self.root.join(path), action)
        });
        Ok(Scaffold {
            plan: Plan::of_files(changes, working_folder),
            advice: self.advice,
            kept: self.kept.into_iter().collect(),
            project_file,
        })
    }
}
