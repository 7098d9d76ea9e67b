//! Which files git could not restore: those with changes that are not committed, and those that it does not know.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What git says about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Saved {
    /// It is committed as it is.
    Yes,
    /// It is changed, new, or ignored.
    No,
    /// There is no repository around it, or git cannot be run.
    Unknown,
}

/// The files among `paths` that git could not restore, and whether one of them is in no repository at all.
#[must_use]
pub fn uncommitted<'a>(paths: impl IntoIterator<Item = &'a Path>) -> (Vec<PathBuf>, bool) {
    let mut uncommitted = Vec::new();
    let mut without_repository = false;
    for path in paths {
        match saved(path) {
            Saved::Yes => continue,
            Saved::No => {}
            Saved::Unknown => without_repository = true,
        }
        uncommitted.push(path.to_owned());
    }
    (uncommitted, without_repository)
}

fn saved(path: &Path) -> Saved {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Saved::Unknown;
    };
    let status = Command::new("git")
        .arg("-C")
        .arg(folder)
        // A status that only looks must not wait for another git, nor keep one waiting.
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
