//! The files of an import on disk: which ones may be replaced.

use std::path::Path;

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_import::{FIRST_LINE, SourceFile};

use super::record::{Keeper, Record};
use super::{Import, modules, stale};
use crate::plan::{ChangeAction, Plan};
use crate::{disk, place};

/// Which existing files an import replaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ownership {
    /// Those that are the unchanged result of an earlier import. All others belong to the user.
    #[default]
    User,
    /// All of them.
    Force,
    /// Those of any import, because `kgen.toml` has the import.
    Project,
}

impl Import {
    /// Plans the files of a module tree. A file that must not be replaced is a problem.
    pub(super) fn plan_files(&self, folder: &Path, files: Vec<SourceFile>, problems: &mut Problems) -> Plan {
        let folder = self.working_folder.join(folder);
        let is_project = self.ownership == Ownership::Project;
        let keeper = if is_project {
            Keeper::Project
        } else {
            Keeper::Command
        };
        let mut record = Record::read(&folder, keeper);
        let mut actions = Vec::with_capacity(files.len() + 1);
        let mut removed = Vec::new();
        if is_project {
            removed = self.stale(&folder, &files, &record, problems);
            actions.extend(self.left_elsewhere(&folder, problems));
        }
        for file in files {
            let path = folder.join(&file.path);
            let old = match disk::read_if_there(&path) {
                Ok(old) => old,
                Err(reason) => {
                    let name = place::shown(&self.working_folder, &path);
                    let message = format!("cannot read `{name}`: {reason}");
                    problems.push(Problem::general(Code::Unreadable, message));
                    continue;
                }
            };
            let mut new = file.text;
            let is_edited = old.as_ref().is_some_and(|old| !record.has(&file.path, old));
            // The lines that a user adds to the file of a module make it an edited file.
            let edited = (is_project && is_edited).then(|| new.clone());
            if let Some(old) = &old
                && file.path.ends_with("mod.rs")
            {
                let gone = stale::modules_in(&file.path, &removed);
                let mut kept = modules::without(&String::from_utf8_lossy(old), &gone);
                if is_project && !is_edited {
                    kept = modules::with_first_line(&kept, &new);
                }
                new = modules::merged(&kept, &new);
            }
            if let Some(old) = &old
                && old != new.as_bytes()
                && !self.may_replace(&file.path, old, &record)
            {
                problems.push(self.refusal(&path));
            }
            record.note(&file.path, edited.as_ref().unwrap_or(&new));
            let action = match old {
                None => ChangeAction::Create { new },
                Some(old) if old == new.as_bytes() => ChangeAction::Same,
                Some(old) => ChangeAction::Update { old, new },
            };
            actions.push((path, action));
        }
        for (path, old) in removed {
            record.forget(&path);
            actions.push((folder.join(&path), ChangeAction::Stale { old }));
        }
        actions.extend(record.action(&folder));
        let mut plan = Plan::of_files(actions, &self.working_folder);
        for change in &mut plan.changes {
            change.generator = "import";
        }
        plan
    }

    fn may_replace(&self, path: &str, old: &[u8], record: &Record) -> bool {
        match self.ownership {
            Ownership::Force => true,
            Ownership::Project => old.starts_with(FIRST_LINE.as_bytes()) || path.ends_with("mod.rs"),
            // Lines are only added to the file of a module.
            Ownership::User => path.ends_with("mod.rs") || record.has(path, old),
        }
    }

    fn refusal(&self, path: &Path) -> Problem {
        let name = place::shown(&self.working_folder, path);
        if self.ownership == Ownership::Project {
            return Problem::general(
                Code::Io,
                format!("`{name}` already exists, and no import wrote it"),
            )
            .help("move it away, or set another `out` in `[import]`");
        }
        let message = format!("`{name}` already exists, and is not the unchanged result of an import");
        Problem::general(Code::Io, message).help("`--force` replaces it; your changes to it are then lost")
    }
}
