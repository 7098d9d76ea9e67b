//! `cargo xtask bench --diff`: `kgen diff` beside crdify, and the verdicts of both on all pairs of the tests.
//!
//! In every kind, a bound becomes tighter, so kgen has a witness to find. crdify compares one pair of files per run, and
//! only CRDs; kgen is measured on the same CRDs, and on source against a revision of git.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::api::{self, Api};
use super::go_program::GoProgram;
use super::measure::{median, processor};
use crate::workspace::{Workspace, finish, shown};

/// The module that kgen is compared with, and its version.
const MODULE: &str = "sigs.k8s.io/crdify";
const VERSION: &str = "v0.6.0";

/// How often each tool runs.
const ROUNDS: usize = 5;

/// The numbers of kinds, with how many times as fast as crdify `kgen diff` must be, git included.
const SIZES: &[(usize, f64)] = &[(1, 2.0), (100, 10.0)];

/// How much more time than `kgen crd` a comparison of two states of the source may take.
const LIMIT: f64 = 2.5;

/// The number of kinds of a large API, and how long its comparison with a revision may take.
const LARGE: (usize, Duration) = (1000, Duration::from_secs(1));

/// The disagreements with crdify that are known, one per line: the pair, the verdict of crdify, and the reason.
const KNOWN: &str = "crates/kgen-bench/data/crdify.txt";

/// The bound of the API that becomes tighter, before and after.
const BOUND: [&str; 2] = ["validation:Maximum=1000\n", "validation:Maximum=999\n"];

/// Measures, compares the verdicts, and prints the tables.
pub fn run(workspace: &Workspace, kgen: &Path, check: bool) -> Result<()> {
    let crdify = GoProgram::find_or_build(MODULE, VERSION)?;
    let is_slow = measure_sizes(kgen, crdify.as_ref())? | measure_large(kgen)?;
    let is_new = match &crdify {
        Some(crdify) => compare_verdicts(workspace, kgen, &crdify.program)?,
        None => false,
    };
    if check && (is_slow || is_new) {
        bail!("a goal of `kgen diff` was missed");
    }
    Ok(())
}

/// An API in a repository, with a committed state and a changed one.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(kgen: &Path, kinds: usize) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        let files = api::rust_files(&Api::of_size(kinds)?);
        api::write(root, &files)?;
        crds(kgen, root, "old")?;
        git(root, &["init", "--quiet"])?;
        git(root, &["add", "src", "Cargo.toml"])?;
        git(root, &["commit", "--quiet", "--message", "first"])?;
        let [before, after] = BOUND;
        let changed: Vec<_> = files
            .into_iter()
            .map(|(path, text)| (path, text.replace(before, after)))
            .collect();
        api::write(root, &changed)?;
        crds(kgen, root, "new")?;
        Ok(Self { folder })
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the processor time of a line for the shell, which has to end with this exit code.
    fn time(&self, line: &str, exit: i32) -> Result<Duration> {
        processor(Path::new("sh"), &["-c", &ending_with(line, exit)], self.root())
    }
}

/// The exit code of `kgen diff` for a breaking change.
const BREAKING: i32 = 1;

/// Returns a line for the shell that succeeds if the given one ends with this exit code.
fn ending_with(line: &str, exit: i32) -> String {
    format!("{{ {line}; }} >/dev/null 2>&1; test $? -eq {exit}")
}

/// Returns a path as one word for the shell.
fn word(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=bench", "-c", "user.email=bench@example.org"])
        .args(["-c", "commit.gpgSign=false"])
        .args(arguments)
        .current_dir(folder);
    finish(command)
}

fn crds(kgen: &Path, root: &Path, name: &str) -> Result<()> {
    let mut command = Command::new(kgen);
    command
        .args(["crd", "paths=src/api", &format!("output:dir={name}"), "-q"])
        .current_dir(root);
    finish(command)
}

/// Measures both tools on all sizes. Returns whether a goal was missed.
fn measure_sizes(kgen: &Path, crdify: Option<&GoProgram>) -> Result<bool> {
    let version = crdify.map_or_else(
        || "not measured: there is no Go".to_owned(),
        |crdify| format!("{VERSION}, {}", crdify.go),
    );
    println!("processor time, medians of {ROUNDS} runs; crdify: {version}\n");
    println!(
        "| kinds | `kgen diff HEAD` | `kgen diff old new` | `kgen crd` | ratio | limit | crdify | times as fast | goal |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let command = word(kgen);
    let mut is_missed = false;
    for (kinds, goal) in SIZES {
        let project = Project::new(kgen, *kinds)?;
        let root = word(project.root());
        let mut times: [Vec<Duration>; 4] = Default::default();
        for _ in 0..ROUNDS {
            let [revision, definitions, crd, other] = &mut times;
            revision.push(project.time(&format!("{command} diff HEAD paths=src/api"), BREAKING)?);
            definitions.push(project.time(&format!("{command} diff old/ new/"), BREAKING)?);
            crd.push(project.time(&format!("{command} crd paths=src/api output:none"), 0)?);
            if let Some(crdify) = crdify {
                let program = word(&crdify.program);
                let line = format!(
                    "for file in old/*; do {program} file://{root}/\"$file\" file://{root}/\"new/${{file#old/}}\"; [ $? -eq 1 ] || exit 2; done"
                );
                other.push(project.time(&line, 0)?);
            }
        }
        let [revision, definitions, crd, other] = times.map(median);
        let ratio = revision.as_secs_f64() / crd.as_secs_f64();
        let times = other.as_secs_f64() / revision.as_secs_f64();
        is_missed |= ratio > LIMIT || crdify.is_some() && times < *goal;
        println!(
            "| {kinds} | {revision:.1?} | {definitions:.1?} | {crd:.1?} | {ratio:.2} | {LIMIT} | {other:.1?} | {times:.1} | {goal} |"
        );
    }
    println!();
    Ok(is_missed)
}

/// Measures a large API against a revision. Returns whether the goal was missed.
fn measure_large(kgen: &Path) -> Result<bool> {
    let (kinds, goal) = LARGE;
    let project = Project::new(kgen, kinds)?;
    let line = format!("{} diff HEAD paths=src/api", word(kgen));
    let arguments = ["-c".into(), ending_with(&line, BREAKING).into()];
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        times.push(super::measure::measure(Path::new("sh"), &arguments, project.root())?.time);
    }
    let time = median(times);
    println!("{kinds} kinds against a revision of git: {time:.2?}, at most {goal:?}\n");
    Ok(time > goal)
}

/// Compares the verdicts of both tools on all pairs. Returns whether they disagree where no reason is known, or agree where one
/// is.
fn compare_verdicts(workspace: &Workspace, kgen: &Path, crdify: &Path) -> Result<bool> {
    let known = known(&workspace.path(KNOWN))?;
    let mut found = BTreeMap::new();
    let pairs = pairs(workspace)?;
    for pair in &pairs {
        let name = pair
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let expected: Value = serde_json::from_str(&fs::read_to_string(pair.join("expect.json"))?)?;
        let own = expected["exit"] == 1;
        let other = refuses(kgen, crdify, pair)?;
        if own != other {
            found.insert(name, if other { "breaking" } else { "fine" });
        }
    }
    println!("crdify disagrees on {} of {} pairs\n", found.len(), pairs.len());
    let mut is_new = false;
    for (name, verdict) in &found {
        match known.get(name.as_str()) {
            Some((recorded, reason)) if recorded == verdict => {
                println!("- {name}: {verdict}, because {reason}")
            }
            _ => {
                is_new = true;
                println!("- {name}: {verdict}; no reason is recorded in {KNOWN}");
            }
        }
    }
    for name in known.keys().filter(|name| !found.contains_key(name.as_str())) {
        is_new = true;
        println!("- {name}: both agree now; remove it from {KNOWN}");
    }
    Ok(is_new)
}

/// Disagreements by pair: the verdict of crdify, and why it is wrong.
type Known = BTreeMap<String, (String, String)>;

fn known(file: &Path) -> Result<Known> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut parts = line.splitn(3, " | ").map(str::to_owned);
            let found = (parts.next(), parts.next(), parts.next());
            let (Some(name), Some(verdict), Some(reason)) = found else {
                bail!("`{line}` is not a pair, a verdict and a reason");
            };
            Ok((name, (verdict, reason)))
        })
        .collect()
}

/// Returns the folders of all pairs, sorted.
fn pairs(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for list in ["testdata/conformance/diff", "testdata/diff"] {
        for entry in fs::read_dir(workspace.path(list))? {
            let path = entry?.path();
            if path.join("expect.json").is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns whether crdify refuses the change of one of the CRDs of a pair.
fn refuses(kgen: &Path, crdify: &Path, pair: &Path) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    for side in ["old", "new"] {
        let mut command = Command::new(kgen);
        command
            .arg("crd")
            .arg(format!("paths={side}"))
            .arg(format!("output:dir={}", folder.path().join(side).display()))
            .arg("-q")
            .current_dir(pair);
        finish(command)?;
    }
    for entry in fs::read_dir(folder.path().join("old"))? {
        let old = entry?.path();
        let new = folder
            .path()
            .join("new")
            .join(old.file_name().unwrap_or_default());
        // It cannot compare a CRD that is gone.
        if !new.is_file() {
            continue;
        }
        let mut command = Command::new(crdify);
        command
            .arg(format!("file://{}", old.display()))
            .arg(format!("file://{}", new.display()));
        let output = command.output()?;
        match output.status.code() {
            Some(0) => {}
            // Other failures have the same code, but no report.
            Some(1) if !output.stdout.is_empty() => return Ok(true),
            _ => bail!(
                "`{}` failed:\n{}",
                shown(&command),
                String::from_utf8_lossy(&output.stderr)
            ),
        }
    }
    Ok(false)
}
