//! What a command is about to do: files to create, lines to add, and what the user has to do.
//!
//! A file that is there is never replaced, unless the user has named it. Whether what is there is in the way or was written by
//! an earlier run of the same command is for the command to say.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use kgen_build::{Action, ChangeAction, Findings, Plan, Report, read_file, read_unsaved_project_file};
use kgen_diagnostics::{Code, Problem, Problems};

use crate::edit::Edit;

/// What a command will write, and what it has to say.
#[derive(Debug, Default)]
pub struct Scaffold {
    /// The files, by path.
    pub plan: Plan,
    /// What the user has to do, because no place was found for it.
    pub advice: Vec<Advice>,
    /// Files that are there and were left as they are, though a new project would have others.
    pub kept: Vec<String>,
    /// The `kgen.toml` of the project, to generate what follows from all this.
    pub project_file: PathBuf,
}

impl Scaffold {
    /// Generates what follows from the new files, in memory. Nothing is written.
    ///
    /// # Errors
    /// Everything that is wrong with the `kgen.toml` of the project. What is wrong with its source is in the report.
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
    /// The file, as messages name it.
    pub file: String,
    /// Why it was not done.
    pub reason: String,
    /// The lines.
    pub lines: String,
}

/// What happens to a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Present {
    /// An earlier run wrote it, and the user may have changed it since.
    Keep,
    /// It was there before, and nobody knows what for.
    Refuse,
}

/// A scaffold in the making.
pub(crate) struct Draft<'a> {
    root: &'a Path,
    force: &'a [PathBuf],
    forced: BTreeSet<PathBuf>,
    /// The files as they will be, by their path from the root.
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
    /// A draft for the project in `root`. The files in `force` may be replaced.
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

    /// The text of a file as it will be; nothing if there is none.
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
                    Problem::general(
                        Code::Usage,
                        format!("`{path}` is in the way: it is there already"),
                    )
                    .help("move it elsewhere")
                    .help(format!("or let it be replaced with `--force {path}`")),
                ),
            },
            old => {
                self.files.insert(path.to_owned(), File { old, new: text });
            }
        }
    }

    /// Changes a file of the user. Where that cannot be done, `lines` are what the user should add.
    pub(crate) fn edit(&mut self, path: &str, lines: &str, edit: impl FnOnce(&str) -> Edit) {
        let Some(text) = self.text(path) else {
            self.advise(path, "there is no such file", lines);
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
                let problem = Problem::general(Code::Usage, format!("`{path}` cannot be added to: {reason}"));
                self.problems
                    .push(problem.help("`cargo check` shows what is wrong; mend that first"));
            }
        }
    }

    /// Tells the user to add lines.
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

    /// The whole, or everything that is wrong with it.
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
                        "`--force {}` names no file that this command writes",
                        force.display()
                    ),
                )
                .help("write the path as `--dry-run` shows it"),
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
