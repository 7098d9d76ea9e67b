//! The one place of this crate that touches the file system, and the only one of kgen that writes.
//!
//! Files are written to a staging folder inside the folder where they belong, and moved from there once all of them
//! are written. A reader sees the old file or the new one, never a part, and a full or protected disk is noticed before
//! anything is replaced. `staging.rs` creates these folders and removes those of runs that were killed.

#![allow(clippy::disallowed_methods, reason = "the one file that writes")]

mod staging;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Problem};
use kgen_frontend::read_regular_file;
use kgen_threads::map_all;

use crate::plan::{ChangeAction, Plan};
use staging::{Staging, is_staging_name, remove_leftovers};

/// The longest first line that is looked at. It names a source file.
const LONGEST_LINE: u64 = 16 * 1024;

/// The text of a file, or why there is none.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let bytes = read_regular_file(path).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned())
}

/// The bytes of a file; nothing if there is no such file.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match read_regular_file(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// The file that stands where a path needs a folder.
pub(crate) fn file_above(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|above| above.is_file())
}

/// The text of a file; nothing if there is no such file.
///
/// # Errors
/// Why it cannot be read.
pub fn read_file(path: &Path) -> Result<Option<String>, String> {
    let bytes = read_if_there(path)?;
    bytes
        .map(|bytes| String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned()))
        .transpose()
}

/// The names of what a folder holds, sorted; none if there is no such folder.
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

/// Whether there is a file of that name.
#[must_use]
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// One name for a place, however it was reached. Returns `None` if it does not exist.
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

/// The files in a folder, sorted; none if there is no such folder.
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

/// Returns the files in a folder and in all folders below it, sorted; none if the folder does not exist.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
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

/// Makes the disk what the plan says.
///
/// # Errors
/// When something cannot be written. Up to the first move nothing is changed; behind it, every file is a whole one.
pub(crate) fn carry_out(plan: &Plan) -> Result<(), Problem> {
    for folder in &plan.folders {
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
            // A folder that nothing is left in goes as well, unless it is one that was asked for.
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
    /// Writes the file where it is staged.
    fn write(&self) -> io::Result<()> {
        let mut file = File::create_new(&self.staged)?;
        file.write_all(self.text.as_bytes())?;
        if let Ok(present) = fs::metadata(&self.target) {
            file.set_permissions(present.permissions())?;
        }
        Ok(())
    }

    /// Puts the finished file in its place.
    fn finish(&self) -> io::Result<()> {
        fs::rename(&self.staged, &self.target)
    }
}

/// Does one step of all moves. The problem is that of the first move in order, whichever thread met one first.
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

/// The file itself, if the path is a link to it: the link stays.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path),
        _ => Ok(path.to_owned()),
    }
}
