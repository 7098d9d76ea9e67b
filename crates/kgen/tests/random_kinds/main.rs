//! Random kinds go through the whole tool: kgen generates Rust for them, rustc compiles it without a warning, rustfmt of
//! both style editions leaves it as it is, and `kgen verify` is clean.
//!
//! All kinds of a run are in one crate, so rustc runs once; it is the example `random-kinds` of the package
//! `kgen-random-kinds`, which has the libraries that generated code names. `KGEN_RANDOM_KINDS=500` makes 500 kinds instead
//! of the usual number, and `KGEN_RANDOM_SEED=7` starts elsewhere. A failure keeps its folder and prints the seed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on should stop"
)]

mod kinds;
mod names;
mod types;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How many kinds a run has unless the environment says otherwise.
const KINDS: usize = 60;

/// The generators whose output is Rust.
const GENERATORS: [&str; 5] = ["object", "client", "lister", "informer", "applyconfiguration"];

#[test]
fn generated_rust_compiles_and_is_formatted() {
    let seed = number("KGEN_RANDOM_SEED").unwrap_or(14);
    let count = number("KGEN_RANDOM_KINDS").map_or(KINDS, |count| usize::try_from(count).unwrap());
    let folder = tempfile::tempdir().unwrap().keep();
    eprintln!("seed {seed}, {count} kinds in {}", folder.display());
    for (path, text) in kinds::sources(seed, count) {
        write(&folder.join(path), &text);
    }
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    kgen(&folder, &[]);
    let mut wrong = Vec::new();
    for edition in ["2021", "2024"] {
        wrong.extend(rustfmt(&folder, edition));
    }
    wrong.extend(rustc(&folder));
    kgen(&folder, &["verify"]);
    assert!(wrong.is_empty(), "seed {seed}:\n{}", wrong.join("\n"));
    fs::remove_dir_all(&folder).unwrap();
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn kgen(folder: &Path, verb: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_kgen"))
        .args(verb)
        .args(GENERATORS)
        .args(["paths=./src", "output:dir=src/generated", "--color=never"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

/// Returns the complaint of rustfmt if it would change a generated file.
fn rustfmt(folder: &Path, edition: &str) -> Option<String> {
    fs::write(folder.join("rustfmt.toml"), "").unwrap();
    let output = Command::new("rustfmt")
        .args(["--check", "--edition", edition, "--config-path"])
        .arg(folder.join("rustfmt.toml"))
        .arg("src/generated/mod.rs")
        .current_dir(folder)
        .output()
        .unwrap();
    (!output.status.success()).then(|| format!("rustfmt of edition {edition}:\n{}", said(&output)))
}

/// Compiles the whole crate in the target folder of this workspace, whose libraries are built already.
fn rustc(folder: &Path) -> Option<String> {
    let output = Command::new("cargo")
        .args(["check", "--offline", "--quiet", "--package", "kgen-random-kinds"])
        .args(["--example", "random-kinds", "--features", "random-kinds"])
        .env("KGEN_RANDOM_CRATE", folder.join("src"))
        .env("CARGO_TARGET_DIR", target())
        .current_dir(root())
        .output()
        .unwrap();
    (!output.status.success()).then(|| format!("rustc:\n{}", said(&output)))
}

/// Returns the folder of this workspace.
fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// Returns the target folder that this test was built in.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn said(output: &Output) -> String {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8_lossy(&text).into_owned()
}
