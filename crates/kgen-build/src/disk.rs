//! The only module of this crate that uses the file system, and the only one of kgen that writes files.
//!
//! Files are written to a staging folder inside their output folder, and moved from there when all files are written. A
//! reader sees the old file or the new one, never a part, and a full or protected disk is noticed before anything is
//! replaced. `staging.rs` creates these folders and removes those of runs that were killed.

#![allow(clippy::disallowed_methods, reason = "the one file that writes")]

mod staging;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Problem};
use kgen_frontend::read_regular_file;
use kgen_threads::map_all;

use crate::plan::{ChangeAction, Plan};
use staging::{Staging, is_staging_name, remove_leftovers};

/// The longest first line that is read. It names a source file.
const LONGEST_LINE: u64 = 16 * 1024;

/// Returns the text of a file, or the reason why it cannot be read.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let bytes = read_regular_file(path).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned())
}

/// Returns the bytes of a file; `None` if it does not exist.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match read_regular_file(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns the file at a path where a folder is needed.
pub(crate) fn file_above(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|above| above.is_file())
}

/// Returns the text of a file; `None` if it does not exist.
///
/// # Errors
/// Why it cannot be read.
pub fn read_file(path: &Path) -> Result<Option<String>, String> {
    let bytes = read_if_there(path)?;
    bytes
        .map(|bytes| String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned()))
        .transpose()
}

/// Returns the names in a folder, sorted; empty if the folder does not exist.
///
/// # Errors
/// Why it cannot be read.
pub fn entries(folder: &Path) -> Result<Vec<String>, String> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| error.to_string())?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Returns whether a file of that name exists.
#[must_use]
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Returns whether a folder of that name exists.
#[must_use]
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// Returns the canonical path. Returns `None` if it does not exist.
pub(crate) fn true_name(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Returns the first line of a file. It is empty if the file cannot be read.
pub(crate) fn first_line(path: &Path) -> String {
    let mut start = Vec::new();
    let is_regular = fs::metadata(path).is_ok_and(|found| found.is_file());
    if !is_regular
        || File::open(path)
            .and_then(|file| file.take(LONGEST_LINE).read_to_end(&mut start))
            .is_err()
    {
        return String::new();
    }
    let text = String::from_utf8_lossy(&start);
    text.lines().next().unwrap_or_default().to_owned()
}

/// Returns the files in a folder, sorted; empty if the folder does not exist.
pub(crate) fn files_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(files),
        Err(error) => return Err(error.to_string()),
    };
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the files in a folder and in all folders below it, sorted. The list is empty if the folder does not exist.
///
/// # Errors
/// Returns the reason why a folder cannot be read.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for next in folders_below(folder)? {
        files.extend(files_in(&next)?);
    }
    files.sort();
    Ok(files)
}

/// Returns a folder and all folders below it, apart from staging folders: those belong to other runs, which may be
/// writing there. Links are not followed.
pub(crate) fn folders_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut folders = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        let entries = match fs::read_dir(&next) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(error.to_string()),
        };
        for entry in entries {
            let entry = entry.map_err(|error| error.to_string())?;
            let is_folder = entry.file_type().is_ok_and(|found| found.is_dir());
            if is_folder && !is_staging_name(&entry.file_name().to_string_lossy()) {
                waiting.push(entry.path());
            }
        }
        folders.push(next);
    }
    Ok(folders)
}

/// Carries out the plan.
///
/// # Errors
/// Returns an error if a file cannot be written. Before the first move, the disk is unchanged; after it, every file is
/// complete.
pub(crate) fn carry_out(plan: &Plan) -> Result<(), Problem> {
    // A file is staged beside its target, which a link can put outside of the output folders.
    let targets = plan
        .changes
        .iter()
        .filter_map(|change| behind_links(&change.path).ok());
    let beside: BTreeSet<PathBuf> = targets
        .filter_map(|target| Some(target.parent()?.to_owned()))
        .collect();
    for folder in plan.folders.union(&beside) {
        remove_leftovers(folder);
    }
    let mut staging = Staging::default();
    let mut moves = Vec::new();
    for change in &plan.changes {
        if let ChangeAction::Create { new } | ChangeAction::Update { new, .. } = &change.action {
            let failed = |error: io::Error| cannot("written", &change.name, &error);
            let target = behind_links(&change.path).map_err(failed)?;
            let staged = staging.place(&target).map_err(failed)?;
            moves.push(Move {
                staged,
                target,
                text: new,
                name: &change.name,
            });
        }
    }
    in_parallel(&moves, Move::write)?;
    in_parallel(&moves, Move::finish)?;
    for change in &plan.changes {
        if matches!(change.action, ChangeAction::Stale { .. }) {
            match fs::remove_file(&change.path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(cannot("removed", &change.name, &error));
                }
                _ => {}
            }
            // An empty folder is removed too, unless it was requested.
            if let Some(folder) = change.path.parent()
                && !plan.roots.contains(folder)
            {
                let _ = fs::remove_dir(folder);
            }
        }
    }
    Ok(())
}

/// A file on its way.
struct Move<'a> {
    staged: PathBuf,
    target: PathBuf,
    text: &'a str,
    name: &'a str,
}

impl Move<'_> {
    /// Writes the file to the staging folder.
    fn write(&self) -> io::Result<()> {
        let mut file = File::create_new(&self.staged)?;
        file.write_all(self.text.as_bytes())?;
        if let Ok(present) = fs::metadata(&self.target) {
            file.set_permissions(present.permissions())?;
        }
        Ok(())
    }

    /// Moves the complete file to its place.
    fn finish(&self) -> io::Result<()> {
        fs::rename(&self.staged, &self.target)
    }
}

/// Performs one step for all files. Returns the problem of the first file in order, regardless of the threads.
fn in_parallel<'a>(moves: &[Move<'a>], step: fn(&Move<'a>) -> io::Result<()>) -> Result<(), Problem> {
    let results = map_all(moves, step);
    for (result, failed) in results.into_iter().zip(moves) {
        result.map_err(|error| cannot("written", failed.name, &error))?;
    }
    Ok(())
}

fn cannot(what: &str, name: &str, error: &io::Error) -> Problem {
    let problem = Problem::general(Code::Io, format!("`{name}` cannot be {what}: {error}"));
    match error.kind() {
        ErrorKind::PermissionDenied => {
            problem.help("make the folder writable, or write to another folder with `output:dir=…`")
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            problem.help("remove the file that has the name of a folder in this path")
        }
        _ => problem,
    }
}

/// Returns the file itself, if the path is a link: the link stays.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path),
        _ => Ok(path.to_owned()),
    }
}
