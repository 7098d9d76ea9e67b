//! A folder in `testdata/cases`: source in `api` or `src`, arguments in `options`, one per line (`crd` if the file does not exist),
//! and the generated files in `expected`. Files in `out` are those of an earlier run.
//!
//! The source of other crates is only in `cargo-home` of the case, so that no case depends on the machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kgen_golden::Tree;
use tempfile::TempDir;

use super::{folders, kgen, root, transcript};

/// The arguments of `kgen` that every case has.
const OUTPUT: &str = "output:dir=out";

/// One case.
#[derive(Clone)]
pub struct Case {
    pub folder: PathBuf,
    /// Generators, options and `paths`.
    pub arguments: Vec<String>,
}

/// The order in which the files of a case are created, which is the order in which some file systems list them.
#[derive(Clone, Copy)]
pub enum Order {
    Forward,
    Backward,
}

/// The results of a run.
#[derive(Debug, PartialEq)]
pub struct Run {
    pub files: Tree,
    pub transcript: String,
    pub has_errors: bool,
    pub succeeded: bool,
}

/// Returns all cases, sorted by name.
pub fn all() -> Vec<Case> {
    let folders = folders(&root().join("testdata/cases"));
    folders.iter().map(|folder| Case::new(folder)).collect()
}

impl Case {
    pub fn new(folder: &Path) -> Self {
        let options = fs::read_to_string(folder.join("options")).unwrap_or_else(|_| "crd\n".to_owned());
        let mut arguments: Vec<String> = options.lines().map(str::to_owned).collect();
        if !arguments.iter().any(|argument| argument.starts_with("paths=")) {
            let source = if folder.join("api").is_dir() {
                "./api"
            } else {
                "./src"
            };
            arguments.push(format!("paths={source}"));
        }
        Self {
            folder: folder.to_owned(),
            arguments,
        }
    }

    /// Returns whether a test reads an entry of the folder: all folders, and the files that cargo or the arguments name.
    pub fn reads(&self, entry: &str) -> bool {
        self.folder.join(entry).is_dir()
            || ["Cargo.lock", "Cargo.toml", "options"].contains(&entry)
            || OUTPUT.ends_with(entry)
            || self.arguments.iter().any(|argument| argument.contains(entry))
    }

    /// Creates a folder with the source of the case.
    pub fn copy(&self, order: Order) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mut source = kgen_golden::read(&self.folder).unwrap();
        source.retain(|name, _| !name.starts_with("expected/"));
        let mut files: Vec<_> = source.into_iter().collect();
        if matches!(order, Order::Backward) {
            files.reverse();
        }
        for file in files {
            kgen_golden::write(folder.path(), &Tree::from([file])).unwrap();
        }
        folder
    }

    /// Generates in a copy of the case.
    pub fn run(&self, order: Order, threads: &str) -> Run {
        let folder = self.copy(order);
        let out = folder.path().join("out");
        let before = kgen_golden::read(&out).unwrap();
        let output = in_copy(folder.path())
            .env("KGEN_THREADS", threads)
            .args(&self.arguments)
            .arg(OUTPUT)
            .output()
            .unwrap();
        let line = format!("kgen {} {OUTPUT}", self.arguments.join(" "));
        let stderr = String::from_utf8_lossy(&output.stderr);
        let mut files = kgen_golden::read(&out).unwrap();
        files.retain(|name, bytes| before.get(name) != Some(bytes));
        Run {
            files,
            transcript: transcript(&line, &output),
            has_errors: stderr.lines().any(|line| line.starts_with("error")),
            succeeded: output.status.success(),
        }
    }
}

/// Returns the command in a copy of a case.
pub fn in_copy(folder: &Path) -> Command {
    let mut command = kgen(folder);
    command.env("CARGO_HOME", folder.join("cargo-home"));
    command
}
