//! Files of earlier imports of the project that no longer belong to a CRD of its sources.
//!
//! Unchanged ones are removed. Edited ones are reported, because only the user knows whether they are still needed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_import::{FIRST_LINE, SourceFile};

use super::Import;
use super::record::{Keeper, Record};
use crate::plan::ChangeAction;
use crate::{disk, place, project};

/// A file below a folder, with its content.
pub(super) type StaleFile = (String, Vec<u8>);

impl Import {
    /// Returns the unchanged files in the output folder that the import no longer writes.
    pub(super) fn stale(
        &self,
        folder: &Path,
        files: &[SourceFile],
        record: &Record,
        problems: &mut Problems,
    ) -> Vec<StaleFile> {
        let of_commands = Record::read(folder, Keeper::Command);
        let written: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let mut stale = Vec::new();
        for path in disk::files_below(folder).unwrap_or_default() {
            let Some(name) = place::inside(folder, &path) else {
                continue;
            };
            let is_other = written.contains(name.as_str())
                || of_commands.knows(&name) && !record.knows(&name)
                || !name.ends_with(".rs");
            if is_other {
                continue;
            }
            let Ok(Some(content)) = disk::read_if_there(&path) else {
                continue;
            };
            if record.has(&name, &content) {
                stale.push((name, content));
            } else if content.starts_with(FIRST_LINE.as_bytes()) {
                problems.push(self.edited(&path, "no CRD of the sources has its types"));
            }
        }
        stale
    }

    /// Returns the changes that remove the files of imports to another `out`, with their records.
    pub(super) fn left_elsewhere(
        &self,
        folder: &Path,
        problems: &mut Problems,
    ) -> Vec<(PathBuf, ChangeAction)> {
        let name = Keeper::Project.file_name();
        let roots: BTreeSet<PathBuf> = self
            .searched
            .iter()
            .filter(|folder| disk::is_folder(folder))
            .flat_map(|folder| disk::files_below(folder).unwrap_or_default())
            .filter(|path| path.file_name().is_some_and(|found| found == name))
            .filter_map(|path| path.parent().map(Path::to_path_buf))
            .filter(|root| root != folder && self.is_of_project(root))
            .collect();
        let mut actions = Vec::new();
        for root in roots {
            let record = Record::read(&root, Keeper::Project);
            let mut is_clean = true;
            for path in record.paths() {
                let Ok(Some(old)) = disk::read_if_there(&root.join(path)) else {
                    continue;
                };
                if record.has(path, &old) {
                    actions.push((root.join(path), ChangeAction::Stale { old }));
                } else if old.starts_with(FIRST_LINE.as_bytes()) {
                    is_clean = false;
                    problems.push(self.edited(&root.join(path), "`out` is another folder now"));
                }
            }
            if let Some(old) = record.content().filter(|_| is_clean) {
                let old = old.to_vec();
                actions.push((root.join(name), ChangeAction::Stale { old }));
            }
        }
        actions
    }

    /// Returns whether the project of this import is the nearest one around a folder.
    fn is_of_project(&self, folder: &Path) -> bool {
        let file = project::find_project_file(folder);
        file.is_some_and(|file| file.parent() == Some(&self.working_folder))
    }

    fn edited(&self, path: &Path, why: &str) -> Problem {
        let name = place::shown(&self.working_folder, path);
        let message = format!("`{name}` was imported and then edited, but {why}");
        Problem::general(Code::Drift, message)
            .help("delete it with its `mod` line, or remove its first line to keep it as your own")
    }
}

/// Returns the modules of removed files that the file of a module declares.
pub(super) fn modules_in(module_file: &str, removed: &[StaleFile]) -> Vec<String> {
    let folder = module_file.strip_suffix("mod.rs").unwrap_or(module_file);
    let names = removed.iter().filter_map(|(path, _)| {
        let inside = path.strip_prefix(folder)?;
        let name = inside
            .strip_suffix("/mod.rs")
            .or_else(|| inside.strip_suffix(".rs"))?;
        (!name.contains('/')).then(|| name.to_owned())
    });
    names.collect()
}
