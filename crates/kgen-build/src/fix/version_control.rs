//! Finds the files that git could not restore: files with uncommitted changes, and untracked files.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::disk;

/// The status of a file in git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Saved {
    /// It is committed as it is.
    Yes,
    /// It is changed, new, or ignored.
    No,
    /// There is no repository, or git cannot be run.
    Unknown,
}

/// Files that git could not restore.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unrestorable {
    /// Files with uncommitted changes, including new and ignored ones.
    pub changed: Vec<PathBuf>,
    /// Files outside any repository.
    pub outside: Vec<PathBuf>,
}

/// Returns the files among `paths` that git could not restore. A link counts as the file that it leads to.
#[must_use]
pub fn unrestorable<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Unrestorable {
    let mut found = Unrestorable::default();
    for path in paths {
        match saved(&disk::true_name(path).unwrap_or_else(|| path.to_owned())) {
            Saved::Yes => {}
            Saved::No => found.changed.push(path.to_owned()),
            Saved::Unknown => found.outside.push(path.to_owned()),
        }
    }
    found
}

fn saved(path: &Path) -> Saved {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Saved::Unknown;
    };
    let status = Command::new("git")
        .arg("-C")
        .arg(folder)
        // A status query must not wait for another git, or block it.
        .args(["--no-optional-locks", "--literal-pathspecs"])
        .args([
            "status",
            "--porcelain",
            "--ignored",
            "--untracked-files=all",
            "--",
        ])
        .arg(name)
        .output();
    match status {
        Ok(output) if output.status.success() && output.stdout.is_empty() => Saved::Yes,
        Ok(output) if output.status.success() => Saved::No,
        _ => Saved::Unknown,
    }
}
