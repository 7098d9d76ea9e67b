//! Snapshots in CI: tests never write one, and a snapshot that no test uses is an error.
//!
//! `insta` lists the snapshots that tests compare in the file that `INSTA_SNAPSHOT_REFERENCES_FILE` names. All other snapshots
//! below the root are orphans, for example because their case was removed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;

/// Makes a command that runs tests leave snapshots and expected files as they are.
pub fn only_compare(command: &mut Command) {
    command
        .env("INSTA_UPDATE", "no")
        .env_remove("INSTA_FORCE_PASS")
        .env_remove("INSTA_FORCE_UPDATE")
        .env_remove("INSTA_GLOB_FILTER");
}

/// The list of snapshots that a run of all tests uses.
pub struct References {
    file: PathBuf,
}

impl References {
    /// Starts an empty list for the tests that `command` runs.
    pub fn of(workspace: &Workspace, command: &mut Command) -> Result<Self> {
        let folder = workspace.target_folder()?.join("xtask");
        fs::create_dir_all(&folder)?;
        let file = folder.join("snapshot-references.txt");
        fs::write(&file, "").with_context(|| format!("cannot write {}", file.display()))?;
        command.env("INSTA_SNAPSHOT_REFERENCES_FILE", &file);
        Ok(Self { file })
    }

    /// Fails if there are snapshots that no test used, or snapshots that wait for a review. Call it after the tests passed.
    pub fn check(&self, workspace: &Workspace) -> Result<()> {
        let text = fs::read_to_string(&self.file)?;
        let referenced: BTreeSet<PathBuf> = text
            .lines()
            .filter_map(|line| fs::canonicalize(line).ok())
            .collect();
        let mut problems = Vec::new();
        for file in snapshots(workspace.root())? {
            let name = file.strip_prefix(workspace.root()).unwrap_or(&file).display();
            if !file.to_string_lossy().ends_with(".snap") {
                problems.push(format!("{name} waits for `cargo insta review`"));
            } else if !referenced.contains(&fs::canonicalize(&file)?) {
                problems.push(format!("no test uses {name}"));
            }
        }
        if problems.is_empty() {
            return Ok(());
        }
        bail!("{}", problems.join("\n"))
    }
}

/// Returns all snapshots below a folder, and those that are pending. Build results and hidden folders have none.
fn snapshots(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    waiting.push(entry.path());
                }
            } else if [".snap", ".snap.new", ".pending-snap"]
                .iter()
                .any(|suffix| name.ends_with(suffix))
            {
                found.insert(entry.path());
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes files into a workspace, of which tests used `used`, and returns the result of the check.
    fn check(files: &[&str], used: &[&str]) -> Result<()> {
        let folder = tempfile::tempdir()?;
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
            fs::write(path, "---\nsource: tests/cases.rs\n---\n")?;
        }
        let list = used
            .iter()
            // `insta` does not normalize paths.
            .map(|file| format!("{}\n", folder.path().join("crates/..").join(file).display()));
        fs::create_dir_all(folder.path().join("crates"))?;
        let file = folder.path().join("references.txt");
        fs::write(&file, list.collect::<String>())?;
        References { file }.check(&Workspace::at(folder.path().to_owned()))
    }

    #[test]
    fn used_snapshots_are_fine() {
        check(&[], &[]).unwrap();
        let files = ["crates/a/tests/snapshots/x.snap", "crates/a/src/snapshots/y.snap"];
        check(&files, &files).unwrap();
        check(&["target/debug/old.snap", ".git/x.snap", "testdata/a/x.txt"], &[]).unwrap();
    }

    #[test]
    fn an_orphan_is_reported() {
        let error = check(
            &[
                "crates/a/snapshots/problems@gone.snap",
                "crates/a/snapshots/problems@here.snap",
            ],
            &["crates/a/snapshots/problems@here.snap"],
        );
        assert_eq!(
            error.unwrap_err().to_string(),
            "no test uses crates/a/snapshots/problems@gone.snap"
        );
    }

    #[test]
    fn a_pending_snapshot_is_reported() {
        let error = check(&["crates/a/x.snap.new", "crates/a/.lib.rs.pending-snap"], &[]);
        assert_eq!(
            error.unwrap_err().to_string(),
            "crates/a/.lib.rs.pending-snap waits for `cargo insta review`\n\
             crates/a/x.snap.new waits for `cargo insta review`"
        );
    }

    #[test]
    fn tests_of_ci_write_nothing() {
        let mut command = Command::new("cargo");
        only_compare(&mut command);
        assert!(
            command
                .get_envs()
                .any(|(name, value)| name == "INSTA_UPDATE" && value == Some("no".as_ref()))
        );
    }
}
