//! Staging folders, inside the folders of the final files.
//!
//! A staging folder has a file that its run keeps locked. The next run removes folders whose lock is free: a killed run
//! left them. It removes only folders that kgen created, and never follows a link.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

/// The start and the end of the name of a staging folder; the process ID and the number of the attempt are between
/// them.
const NAME: (&str, &str) = (".kgen-", ".tmp");

/// The file in a staging folder that its run keeps locked.
const LOCK: &str = "lock";

/// The text of that file, by which kgen recognizes its own folders.
const LOCK_TEXT: &str = "kgen locks this file while it writes the files next to it.\n";

/// How often kgen tries again if another run took a name or removed a folder.
const ATTEMPTS: u32 = 100;

/// Returns whether a folder of this name is a staging folder.
pub(super) fn is_staging_name(name: &str) -> bool {
    let numbers = name
        .strip_prefix(NAME.0)
        .and_then(|rest| rest.strip_suffix(NAME.1));
    numbers
        .and_then(|numbers| numbers.split_once('-'))
        .is_some_and(|(process, attempt)| is_number(process) && is_number(attempt))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// All staging folders of a run; they are removed with it.
#[derive(Debug, Default)]
pub(super) struct Staging {
    folders: BTreeMap<PathBuf, StagingFolder>,
    /// Folders that did not exist before, outermost first.
    created: Vec<PathBuf>,
}

/// A folder for files on their way to the folder around it.
#[derive(Debug)]
struct StagingFolder {
    path: PathBuf,
    /// Kept, but never read: its lock shows that the run is alive.
    _lock: File,
    files: usize,
}

impl Staging {
    /// Returns the path at which the text of `target` is written first.
    pub(super) fn place(&mut self, target: &Path) -> io::Result<PathBuf> {
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

    /// Returns a locked staging folder in `folder`, which is created if necessary.
    fn open(&mut self, folder: &Path) -> io::Result<StagingFolder> {
        let mut attempt = 0;
        loop {
            match self.try_open(folder, attempt) {
                // Another run removed the folder around it, or considered the staging folder a leftover.
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
        let (prefix, suffix) = NAME;
        let path = folder.join(format!("{prefix}{}-{attempt}{suffix}", process::id()));
        fs::create_dir(&path)?;
        let lock_path = path.join(LOCK);
        let mut lock = File::create_new(&lock_path)?;
        // On a file system without locks, leftovers are not removed.
        let taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
        if taken || !lock_path.exists() {
            return Err(ErrorKind::NotFound.into());
        }
        lock.write_all(LOCK_TEXT.as_bytes())?;
        Ok(StagingFolder {
            path,
            _lock: lock,
            files: 0,
        })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // A failure to remove it is ignored; the next run tries again.
        for staging in self.folders.values() {
            let _ = remove_staging(&staging.path);
        }
        // Only empty folders are removed, which a failed run leaves.
        for folder in self.created.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Removes the staging folders of runs that were killed.
pub(super) fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        // The type is that of the entry itself, not of the target of a link.
        let is_folder = entry.file_type().is_ok_and(|found| found.is_dir());
        if is_folder && is_staging_name(&entry.file_name().to_string_lossy()) {
            remove_leftover(&entry.path());
        }
    }
}

fn remove_leftover(path: &Path) {
    let lock = path.join(LOCK);
    // A folder that cannot be removed stays for the next run. A folder without a lock is removed only if it is empty: its
    // run may be about to create the lock, and then tries another name.
    let _ = match is_regular(&lock).then(|| File::open(&lock)) {
        Some(Ok(mut file)) => match file.try_lock() {
            Ok(()) if is_ours(&mut file) => remove_staging(path),
            _ => Ok(()),
        },
        _ => fs::remove_dir(path),
    };
}

/// Returns whether kgen wrote a lock file. A run that was killed early has written a part of the text, or nothing.
fn is_ours(lock: &mut File) -> bool {
    let mut text = Vec::new();
    let limit = u64::try_from(LOCK_TEXT.len()).unwrap_or(u64::MAX);
    lock.take(limit + 1).read_to_end(&mut text).is_ok() && LOCK_TEXT.as_bytes().starts_with(&text)
}

/// Returns whether a path leads to a regular file without a link.
fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Removes a staging folder, its lock last, so that the next run recognizes the rest if this run is killed. A folder
/// that holds anything else is not only kgen's and stays as it is.
fn remove_staging(path: &Path) -> io::Result<()> {
    let lock = path.join(LOCK);
    let mut staged = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_name() == LOCK {
            continue;
        }
        if !entry.file_type()?.is_file() || !is_number(&entry.file_name().to_string_lossy()) {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        staged.push(entry.path());
    }
    for file in staged {
        fs::remove_file(file)?;
    }
    fs::remove_file(lock)?;
    fs::remove_dir(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn staging_folders_are_known_by_their_whole_name() {
        assert!(is_staging_name(".kgen-1-0.tmp"));
        for name in [
            ".kgen-1.tmp",
            ".kgen--0.tmp",
            ".kgen-1-x.tmp",
            ".kgen-notes-1.tmp",
            "kgen-1-0.tmp",
            ".kgen-1-0",
        ] {
            assert!(!is_staging_name(name), "{name}");
        }
    }
}
