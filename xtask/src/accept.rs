//! `cargo xtask accept`: accepts the output of the tests with cases, without `cargo-insta`.
//!
//! It is `INSTA_UPDATE=always cargo test` for the tests that have expected files. They write snapshots and files themselves, because
//! they know where; this shows what changed. Inline snapshots need `cargo insta review`.

use anyhow::Result;

use crate::workspace::{Workspace, finish};

/// The tests that run one case per folder; `INSTA_GLOB_FILTER` selects cases.
const CASES: &[&str] = &[
    "--package",
    "kgen-cli",
    "--test",
    "cases",
    "--test",
    "refused",
    "--test",
    "sessions",
    "--test",
    "lsp",
];

/// The other tests that have expected files.
const OTHERS: &[&[&str]] = &[
    &["--package", "kgen-generators", "--lib"],
    &[
        "--package",
        "kgen-import",
        "--test",
        "cases",
        "--test",
        "kubernetes_types",
    ],
];

/// The cases to accept.
#[derive(clap::Args)]
pub struct Options {
    /// Only cases whose name contains this.
    name: Option<String>,
}

/// Runs the tests so that they accept what they find, and shows what changed.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let mut result = accept(workspace, CASES, options.name.as_deref());
    if options.name.is_none() {
        for tests in OTHERS {
            result = result.and(accept(workspace, tests, None));
        }
    }
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
        "*.snap",
    ]);
    finish(new)?;
    result
}

fn accept(workspace: &Workspace, tests: &[&str], name: Option<&str>) -> Result<()> {
    let mut command = workspace.cargo();
    command
        .args(["test", "--no-fail-fast"])
        .args(tests)
        .env("INSTA_UPDATE", "always")
        .env_remove("INSTA_GLOB_FILTER");
    if let Some(name) = name {
        command.env("INSTA_GLOB_FILTER", format!("*{name}*"));
    }
    finish(command)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_test_with_expected_files_is_run() {
        let workspace = Workspace::find().unwrap();
        let mut found = BTreeSet::new();
        for entry in fs::read_dir(workspace.path("crates")).unwrap() {
            let package = entry.unwrap().path();
            let name = package.file_name().unwrap().to_string_lossy().into_owned();
            if compares(&package.join("src")) && name != "kgen-golden" {
                found.insert(format!("--package {name} --lib"));
            }
            for test in fs::read_dir(package.join("tests")).into_iter().flatten() {
                let test = test.unwrap().path();
                if compares(&test) {
                    found.insert(test.file_name().unwrap().to_string_lossy().into_owned());
                }
            }
        }
        let libraries = OTHERS.iter().filter(|tests| tests.contains(&"--lib"));
        let mut run: BTreeSet<String> = libraries.map(|tests| tests.join(" ")).collect();
        let targets = OTHERS.iter().chain([&CASES]).flat_map(|tests| tests.windows(2));
        let targets = targets.filter(|pair| pair[0] == "--test");
        run.extend(targets.map(|pair| pair[1].to_owned()));
        assert_eq!(found, run);
    }

    /// Returns whether a Rust file below a folder compares expected files.
    fn compares(folder: &Path) -> bool {
        fs::read_dir(folder).into_iter().flatten().any(|entry| {
            let path = entry.unwrap().path();
            let is_rust = path.extension().is_some_and(|extension| extension == "rs");
            path.is_dir() && compares(&path)
                || is_rust && fs::read_to_string(&path).unwrap().contains("Goldens::new()")
        })
    }
}
