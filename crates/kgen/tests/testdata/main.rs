//! Every folder in `testdata/cases` is a test: `kgen` must write the files and report the problems that the folder
//! expects. Each case runs twice, in different folders, with files created in a different order and a different number
//! of threads, and must give the same bytes. `together` compares the problems of several generators.
//!
//! The source of other crates is only in `cargo-home` of the case, so that no case depends on the machine.
//!
//! A case has its source in `api` or `src`, arguments in `options` (one per line; `crd` if the file does not exist), the
//! files that are written in `expected`, and the rendered problems in `problems.txt`. `KGEN_ACCEPT=1` replaces the
//! expected text: review the diff.
//!
//! `problems.txt` has the problems alone: the lines that say how many of them `kgen fix` would fix and how many
//! files changed are left out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod fixes;
mod together;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    let mut folders: Vec<_> = fs::read_dir(&cases)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    let mut trials = Vec::new();
    for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let (same, both, broken) = (folder.clone(), folder.clone(), folder.clone());
        trials.push(Trial::test(format!("{name}::output"), move || {
            output_is_expected(&folder)
        }));
        trials.push(Trial::test(format!("{name}::deterministic"), move || {
            output_is_the_same_twice(&same)
        }));
        trials.push(Trial::test(format!("{name}::together"), move || {
            together::client_changes_no_problem(&both)
        }));
        trials.push(Trial::test(format!("{name}::fixes"), move || {
            fixes::fixes_help(&broken)
        }));
    }
    assert!(!trials.is_empty(), "no case was found in {}", cases.display());
    trials.push(Trial::test("rustfmt_leaves_generated_files", move || {
        rustfmt_leaves_generated_files(&cases)
    }));
    trials.push(Trial::test("generated_files_are_compiled", || {
        generated_files_are_compiled()
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// What a run left behind.
#[derive(Debug, PartialEq)]
struct Found {
    files: BTreeMap<String, String>,
    problems: String,
    succeeded: bool,
}

fn output_is_expected(case: &Path) -> Result<(), Failed> {
    let found = run(case, Order::Forward, "2");
    let has_errors = found.problems.lines().any(|line| line.starts_with("error"));
    if has_errors == found.succeeded {
        return Err(format!("the exit code does not fit what was said:\n{}", found.problems).into());
    }
    if has_errors && !found.files.is_empty() {
        return Err("there are errors, and files were written all the same".into());
    }
    if std::env::var_os("KGEN_ACCEPT").is_some() {
        accept(case, &found);
        return Ok(());
    }
    let expected_problems = fs::read_to_string(case.join("problems.txt")).unwrap_or_default();
    compare("problems.txt", &expected_problems, &found.problems)?;
    let expected = read_tree(&case.join("expected"));
    for (name, text) in &expected {
        let Some(got) = found.files.get(name) else {
            return Err(format!("`{name}` was not written").into());
        };
        compare(name, text, got)?;
    }
    match found.files.keys().find(|name| !expected.contains_key(*name)) {
        Some(name) => Err(format!("`{name}` was written and is not expected").into()),
        None => Ok(()),
    }
}

fn output_is_the_same_twice(case: &Path) -> Result<(), Failed> {
    let first = run(case, Order::Forward, "2");
    let second = run(case, Order::Backward, "1");
    if first == second {
        Ok(())
    } else {
        Err(format!("{first:#?}\n differs from\n{second:#?}").into())
    }
}

/// The cases that expect Rust: the outermost module of each.
fn generated_trees(cases: &Path) -> Vec<PathBuf> {
    let mut roots: Vec<_> = fs::read_dir(cases)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("expected/mod.rs"))
        .filter(|root| root.is_file())
        .collect();
    roots.sort();
    roots
}

/// With its default configuration, and in the styles of both editions: `cargo fmt` must not make `kgen verify` fail.
fn rustfmt_leaves_generated_files(cases: &Path) -> Result<(), Failed> {
    let roots = generated_trees(cases);
    assert!(!roots.is_empty());
    // The configuration of this workspace is not that of its users.
    let configuration = tempfile::tempdir().unwrap();
    fs::write(configuration.path().join("rustfmt.toml"), "").unwrap();
    for edition in ["2021", "2024"] {
        let output = Command::new("rustfmt")
            .args(["--check", "--edition", edition, "--config-path"])
            .arg(configuration.path())
            .args(&roots)
            .output()?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            return Err(format!("rustfmt of edition {edition} would change:\n{text}").into());
        }
    }
    Ok(())
}

/// Every case that expects Rust is an example of the package that compiles them.
fn generated_files_are_compiled() -> Result<(), Failed> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let manifest = fs::read_to_string(testdata.join("compiled/Cargo.toml"))?;
    for root in generated_trees(&testdata.join("cases")) {
        let case = root.parent().and_then(Path::parent).unwrap();
        let name = case.file_name().unwrap().to_string_lossy();
        if !manifest.contains(&format!("path = \"../cases/{name}/src/lib.rs\"")) {
            return Err(format!("`{name}` is not among the examples in testdata/compiled/Cargo.toml").into());
        }
    }
    Ok(())
}

fn compare(name: &str, expected: &str, found: &str) -> Result<(), Failed> {
    if expected == found {
        return Ok(());
    }
    let diff = similar::TextDiff::from_lines(expected, found);
    let text = diff
        .unified_diff()
        .header(&format!("expected {name}"), &format!("found {name}"))
        .to_string();
    Err(format!("{text}\n`cargo xtask accept` takes what was found, if it is right").into())
}

fn accept(case: &Path, found: &Found) {
    let expected = case.join("expected");
    let _ = fs::remove_dir_all(&expected);
    for (name, text) in &found.files {
        let path = expected.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let problems = case.join("problems.txt");
    if found.problems.is_empty() {
        let _ = fs::remove_file(problems);
    } else {
        fs::write(problems, &found.problems).unwrap();
    }
}

/// The order in which the files of a case are made, which is the order in which some file systems list them.
#[derive(Clone, Copy)]
enum Order {
    Forward,
    Backward,
}

fn run(case: &Path, order: Order, threads: &str) -> Found {
    let folder = copy_of(case, order);
    let output = kgen(folder.path())
        .env("KGEN_THREADS", threads)
        .args(arguments(case))
        .args(["output:dir=out", "--color=never"])
        .output()
        .unwrap();
    Found {
        files: read_tree(&folder.path().join("out")),
        problems: without_closing_line(&String::from_utf8(output.stderr).unwrap()),
        succeeded: output.status.success(),
    }
}

/// Returns a folder with the source of a case.
fn copy_of(case: &Path, order: Order) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut sources: Vec<_> = read_tree(case)
        .into_iter()
        .filter(|(name, _)| !name.starts_with("expected/"))
        .collect();
    if matches!(order, Order::Backward) {
        sources.reverse();
    }
    for (name, text) in sources {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Returns the arguments of a case, including `paths`.
fn arguments(case: &Path) -> Vec<String> {
    let options = fs::read_to_string(case.join("options")).unwrap_or_else(|_| "crd\n".to_owned());
    let mut arguments: Vec<String> = options.lines().map(str::to_owned).collect();
    if !arguments.iter().any(|argument| argument.starts_with("paths=")) {
        let source = if case.join("api").is_dir() {
            "./api"
        } else {
            "./src"
        };
        arguments.push(format!("paths={source}"));
    }
    arguments
}

/// Returns the command in a folder with the source of a case.
fn kgen(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kgen"));
    command
        .current_dir(folder)
        .env("CARGO_HOME", folder.join("cargo-home"));
    command
}

/// What was said, without the line about `kgen fix` and the one that counts files.
fn without_closing_line(said: &str) -> String {
    let is_closing = |line: &str| {
        line.starts_with("run `kgen fix ")
            || line.contains(" changed")
                && line.contains(" file")
                && line.starts_with(|first: char| first.is_ascii_digit())
    };
    said.split_inclusive('\n')
        .filter(|line| !is_closing(line))
        .collect()
}

/// All files below a folder by their names in it; none if there is no such folder.
fn read_tree(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut waiting: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                files.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    files
}
