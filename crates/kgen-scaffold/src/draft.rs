//! The changes that a command plans: files to create, lines to add, and advice for the user.
//!
//! An existing file is never replaced, unless the user has named it with `--force`. The command decides whether an existing
//! file is an error or was written by an earlier run of the same command.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use kgen_build::{Action, ChangeAction, Findings, Plan, Report, read_file, read_unsaved_project_file};
use kgen_diagnostics::{Code, Problem, Problems};

use crate::edit::Edit;
use crate::from::Originals;
use crate::record;

/// The planned changes and the advice of a command.
#[derive(Debug, Default)]
pub struct Scaffold {
    /// The files, by path.
    pub plan: Plan,
    /// The manual steps of the user, because no place was found for the lines.
    pub advice: Vec<Advice>,
    /// Existing files that differ from those of a new project and were kept.
    pub kept: Vec<String>,
    /// Files that the user has edited, so that a command that deletes did not remove them.
    pub left: Vec<Left>,
    /// Files in which changes of the user and of kgen contradict each other. They have conflict markers.
    pub conflicts: Vec<String>,
    /// The `kgen.toml` of the project, for [`generate`](Self::generate).
    pub project_file: PathBuf,
    /// The code that the user edits next.
    pub next: Next,
    /// Warnings and notes of the command.
    pub findings: Findings,
    /// The manifests that the generated ones must equal.
    pub originals: Originals,
}

/// A file that a command that deletes did not remove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The path of the file, as in messages.
    pub file: String,
    /// The reason why it is still there.
    pub reason: String,
}

/// The code that the user edits after a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Next {
    /// Whatever the command always leaves to the user.
    #[default]
    Usual,
    /// The types of a new kind, without a controller.
    Types,
    /// The function `reconcile` of a new controller.
    Reconcile,
    /// The types of a new version of a kind. Then its conversion can be added.
    Version {
        /// The arguments that name the version: `--group webapp --version v2 --kind Guestbook`.
        arguments: String,
        /// The version.
        version: String,
    },
    /// The translations of a conversion.
    Translations {
        /// The trait whose methods are missing.
        interface: String,
        /// The file with the implementation.
        file: String,
    },
    /// Nothing: kgen derives the whole conversion from the types.
    Conversion,
    /// Nothing: the command has removed code.
    Nothing,
}

impl Scaffold {
    /// Runs the generators on the new files in memory. Does not write any files.
    ///
    /// # Errors
    /// Returns the problems of the project's `kgen.toml`. The report contains the problems of its source.
    pub fn generate(&self, working_folder: &Path) -> Result<Report, Findings> {
        generate(&self.plan, &self.project_file, working_folder)
    }
}

/// The problems that refuse a command, with those of each set of source apart, because each has its own files.
#[derive(Clone, Debug)]
pub struct Refusal(pub Vec<Findings>);

impl From<Findings> for Refusal {
    fn from(findings: Findings) -> Self {
        Self(vec![findings])
    }
}

/// Runs the generators on planned files in memory.
pub(crate) fn generate(plan: &Plan, project_file: &Path, working_folder: &Path) -> Result<Report, Findings> {
    let mut configuration = read_unsaved_project_file(project_file, working_folder, plan.unsaved())?;
    configuration.action = Action::Show;
    Ok(kgen_build::run(&configuration))
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
    left: Vec<Left>,
    conflicts: Vec<String>,
    problems: Problems,
    next: Next,
}

struct File {
    old: Option<String>,
    /// The new text, or `None` to remove the file.
    new: Option<String>,
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
            left: Vec::new(),
            conflicts: Vec::new(),
            problems: Problems::new(),
            next: Next::default(),
        }
    }

    /// Sets the code that the user edits next.
    pub(crate) fn next(&mut self, next: Next) {
        self.next = next;
    }

    pub(crate) fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Returns the planned text of a file, or `None` if it does not exist.
    pub(crate) fn text(&mut self, path: &str) -> Option<String> {
        if let Some(file) = self.files.get(path) {
            return file.new.clone();
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
            _ => self.replace(path, text),
        }
    }

    /// Creates a file of a set of templates, and records its text for `kgen update`.
    pub(crate) fn scaffold(&mut self, set: &str, path: &str, text: String, present: Present) {
        self.create(path, text.clone(), present);
        if self.text(path).as_ref() == Some(&text) {
            self.replace(&record::path(set, path), text);
        }
    }

    /// Sets the text of a file, whatever it was.
    pub(crate) fn replace(&mut self, path: &str, text: String) {
        match (self.text(path), self.files.get_mut(path)) {
            (_, Some(file)) => file.new = Some(text),
            (old, None) => {
                self.files.insert(path.to_owned(), File { old, new: Some(text) });
            }
        }
    }

    /// Reports a file with conflict markers.
    pub(crate) fn conflict(&mut self, path: &str) {
        self.conflicts.push(path.to_owned());
    }

    /// Edits a file of the user. If that is not possible, advises the user to add `lines`.
    pub(crate) fn edit(&mut self, path: &str, lines: &str, edit: impl FnOnce(&str) -> Edit) {
        let Some(text) = self.text(path) else {
            self.advise(path, "the file does not exist", lines);
            return;
        };
        match edit(&text) {
            Edit::Unchanged => {}
            Edit::Changed(new) => self.set(path, text, Some(new)),
            Edit::NoPlace(reason) => self.advise(path, &reason, lines),
            Edit::Broken(reason) => {
                let problem = Problem::general(Code::Usage, format!("cannot edit `{path}`: {reason}"));
                self.problems.push(
                    problem.help("fix the errors that `cargo check` reports, and run the command again"),
                );
            }
        }
    }

    /// Removes a file if its text is one of `scaffolded`, so that nothing of the user is lost. Otherwise it is left.
    pub(crate) fn remove(&mut self, set: &str, path: &str, scaffolded: &[String]) {
        self.remove_empty(&record::path(set, path));
        match self.text(path) {
            None => {}
            Some(text) if scaffolded.contains(&text) => self.set(path, text, None),
            // Tests are not part of the tree of modules.
            Some(_) if path.starts_with("tests/") => self.leave(
                path,
                "you have edited it, and cargo still builds it; remove it, or make it test another kind",
            ),
            Some(_) => self.leave(path, "you have edited it"),
        }
    }

    /// Removes a file that has no content of the user, if it exists.
    pub(crate) fn remove_empty(&mut self, path: &str) {
        if let Some(text) = self.text(path) {
            self.set(path, text, None);
        }
    }

    /// Reports a file that is left to the user.
    pub(crate) fn leave(&mut self, path: &str, reason: &str) {
        let left = Left {
            file: path.to_owned(),
            reason: reason.to_owned(),
        };
        if !self.left.contains(&left) {
            self.left.push(left);
        }
    }

    /// Sets the new content of a file whose content was `text` until now.
    fn set(&mut self, path: &str, text: String, new: Option<String>) {
        match self.files.get_mut(path) {
            Some(file) => file.new = new,
            None => {
                self.files.insert(path.to_owned(), File { old: Some(text), new });
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
        Ok(Scaffold {
            plan: self.plan(working_folder),
            advice: self.advice,
            kept: self.kept.into_iter().collect(),
            left: self.left,
            conflicts: self.conflicts,
            project_file,
            next: self.next,
            findings: Findings {
                problems: self.problems,
                ..Findings::default()
            },
            originals: Originals::default(),
        })
    }

    /// Returns whether a problem was found.
    pub(crate) fn has_problems(&self) -> bool {
        self.problems.has_errors()
    }

    /// Returns the changes so far.
    pub(crate) fn plan(&self, working_folder: &Path) -> Plan {
        let changes = self.files.iter().map(|(path, file)| {
            let action = match (file.old.clone(), file.new.clone()) {
                (None, None) => ChangeAction::Same,
                (None, Some(new)) => ChangeAction::Create { new },
                (Some(old), None) => ChangeAction::Stale {
                    old: old.into_bytes(),
                },
                (Some(old), Some(new)) if old == new => ChangeAction::Same,
                (Some(old), Some(new)) => ChangeAction::Update {
                    old: old.into_bytes(),
                    new,
                },
            };
            (self.root.join(path), action)
        });
        Plan::of_files(changes, working_folder)
    }
}
