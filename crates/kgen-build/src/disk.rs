//! The one place of this crate that touches the file system, and the only one of kgen that writes.
//!
//! Files are written to a staging folder inside the folder where they belong, and moved from there once all of them
//! are written: whoever looks sees the old file or the new one, never half of one, and a disk that is full or
//! protected is noticed before anything is replaced. A staging folder is locked as long as its run lives, so that the
//! next run can tell what a killed one left behind from what another run is using at the moment.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use kgen_diagnostics::{Code, Problem};
use kgen_threads::map_all;

use crate::plan::{ChangeAction, Plan};

/// How the name of a staging folder starts and ends.
const STAGING: (&str, &str) = (".kgen-", ".tmp");

/// The file in a staging folder that its run keeps locked.
const LOCK: &str = "lock";

/// How often a name or folder that another run took away is tried again.
const ATTEMPTS: u32 = 100;

/// The text of a file, or why there is none.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned())
}

/// The bytes of a file; nothing if there is no such file.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::read(path) {
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

/// The first line of a file; empty if it has none or cannot be read.
pub(crate) fn first_line(path: &Path) -> String {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(256).read_to_end(&mut start));
    let text = if read.is_ok() {
        String::from_utf8_lossy(&start)
    } else {
        return String::new();
    };
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

/// The files in a folder and in all folders below it, sorted; none if there is no such folder.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        files.extend(files_in(&next)?);
        let entries = match fs::read_dir(&next) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(error.to_string()),
        };
        for entry in entries {
            let entry = entry.map_err(|error| error.to_string())?;
            // A link could lead back to where it stands.
            if entry.file_type().is_ok_and(|found| found.is_dir()) {
                waiting.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
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
        ErrorKind::PermissionDenied => problem
            .help("make the folder writable; what is generated can also go elsewhere, with `output:dir=…`"),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            problem.help("a file stands where a folder is needed")
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

/// All staging folders of a run; they vanish with it.
#[derive(Debug, Default)]
struct Staging {
    folders: BTreeMap<PathBuf, StagingFolder>,
    /// Folders that were not there before, outermost first.
    created: Vec<PathBuf>,
}

/// A folder for files on their way to the folder around it.
#[derive(Debug)]
struct StagingFolder {
    path: PathBuf,
    /// Held, never read: its lock says that the run lives.
    _lock: File,
    files: usize,
}

impl Staging {
    /// Where what will become `target` is to be written first.
    fn place(&mut self, target: &Path) -> io::Result<PathBuf> {
        let folder = target.parent().unwrap_or(Path::new("."));
        if !self.folders.contains_key(folder) {
            let staging = self.open(folder)?;
            self.folders.insert(folder.to_owned(), staging);
        }
        let Some(staging) = self.folders.get_mut(folder) else {
            return Err(ErrorKind::NotFound.into());
        };
        let path = staging.path.join(staging.files.to_string());
        staging.files += 1;
        Ok(path)
    }

    /// A locked staging folder in `folder`, which is created if need be.
    fn open(&mut self, folder: &Path) -> io::Result<StagingFolder> {
        let mut attempt = 0;
        loop {
            match self.try_open(folder, attempt) {
                // Another run removed the folder around it, or took the staging folder for a leftover.
                Err(error)
                    if attempt < ATTEMPTS
                        && matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists)
                        && !folder.is_file() => {}
                result => return result,
            }
            attempt += 1;
        }
    }

    fn try_open(&mut self, folder: &Path, attempt: u32) -> io::Result<StagingFolder> {
        let mut missing: Vec<_> = folder
            .ancestors()
            .take_while(|ancestor| !ancestor.exists())
            .map(Path::to_path_buf)
            .collect();
        missing.reverse();
        self.created.extend(missing);
        fs::create_dir_all(folder)?;
        let (prefix, suffix) = STAGING;
        let path = folder.join(format!("{prefix}{}-{attempt}{suffix}", process::id()));
        fs::create_dir(&path)?;
        let lock_path = path.join(LOCK);
        let lock = File::create_new(&lock_path)?;
        // A file system without locks has none to respect either: its leftovers stay.
        let taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
        if taken || !lock_path.exists() {
            return Err(ErrorKind::NotFound.into());
        }
        Ok(StagingFolder {
            path,
            _lock: lock,
            files: 0,
        })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Nothing can be done about what cannot be removed; the next run tries again.
        for staging in self.folders.values() {
            let _ = remove_staging(&staging.path);
        }
        // Only empty folders go, which is what a run that failed leaves.
        for folder in self.created.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Removes the staging folders of runs that were killed.
fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(STAGING.0) && name.ends_with(STAGING.1) {
            remove_leftover(&entry.path());
        }
    }
}

fn remove_leftover(path: &Path) {
    // What cannot be removed stays for the next run. A folder without a lock is removed only if it is empty: its run
    // may be about to create the lock, and then tries another name.
    let _ = match File::open(path.join(LOCK)) {
        Ok(lock) => match lock.try_lock() {
            Ok(()) => remove_staging(path),
            Err(_) => Ok(()),
        },
        Err(_) => fs::remove_dir(path),
    };
}

/// Removes a staging folder, its lock last: whoever is killed on the way leaves something that the next run knows.
fn remove_staging(path: &Path) -> io::Result<()> {
    let lock = path.join(LOCK);
    for entry in fs::read_dir(path)? {
        let staged = entry?.path();
        if staged != lock {
            fs::remove_file(staged)?;
        }
    }
    fs::remove_file(lock)?;
    fs::remove_dir(path)
}
