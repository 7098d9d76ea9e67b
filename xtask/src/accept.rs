//! `cargo xtask accept`: what the golden tests produce becomes what they expect.
//!
//! The tests themselves write, because they know where; this starts them with leave to do so and shows what changed,
//! which is then reviewed like code.

use anyhow::Result;

use crate::workspace::{Workspace, finish};

/// The packages whose tests compare with files.
const PACKAGES: &[&str] = &["kgen-cli"];

/// The variable that makes tests write their output.
const VARIABLE: &str = "KGEN_ACCEPT";

/// The options of `accept`.
#[derive(clap::Args)]
pub struct Options {
    /// Run only tests whose name contains this.
    filter: Option<String>,
}

/// Runs the golden tests, stores their output as expected, and shows the diff.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let mut tests = workspace.cargo();
    tests
        .arg("test")
        .args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    tests.args(&options.filter).env(VARIABLE, "1");
    let result = finish(tests);
    // A failing test does not undo what the others wrote, so the changes are shown in any case.
    let mut changed = workspace.command("git");
    changed.args(["--no-pager", "diff", "--stat"]);
    finish(changed)?;
    let mut new = workspace.command("git");
    new.args([
        "--no-pager",
        "status",
        "--short",
        "--untracked-files=all",
        "--",
        "*testdata/*",
    ]);
    finish(new)?;
    result
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_package_whose_tests_can_accept_is_run() {
        let workspace = Workspace::find().unwrap();
        let mut found = Vec::new();
        for entry in fs::read_dir(workspace.path("crates")).unwrap() {
            let folder = entry.unwrap().path();
            if mentions(&folder, VARIABLE) {
                let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
                let name = manifest
                    .lines()
                    .find_map(|line| line.strip_prefix("name = "))
                    .unwrap();
                found.push(name.trim_matches('"').to_owned());
            }
        }
        found.sort();
        assert_eq!(found, PACKAGES);
    }

    /// Whether a Rust file below a folder contains a word.
    fn mentions(folder: &Path, word: &str) -> bool {
        fs::read_dir(folder).into_iter().flatten().any(|entry| {
            let path = entry.unwrap().path();
            let is_rust = path.extension().is_some_and(|extension| extension == "rs");
            path.is_dir() && mentions(&path, word)
                || is_rust && fs::read_to_string(&path).unwrap().contains(word)
        })
    }
}
