//! The table of crates in ARCHITECTURE.md is the rule for dependencies between crates: this test compares it with what
//! `cargo metadata` reports.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The dependencies between the crates of the workspace, by the name of the crate.
type Layers = BTreeMap<String, BTreeSet<String>>;

#[test]
fn crates_depend_on_what_the_architecture_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let (stated, order) = stated(&page);
    let found = found(&root);
    for (name, uses) in &found {
        let Some(expected) = stated.get(name) else {
            panic!("`{name}` is missing from the table in ARCHITECTURE.md");
        };
        assert_eq!(
            uses, expected,
            "`{name}` uses other crates than ARCHITECTURE.md says"
        );
    }
    let unknown: Vec<_> = stated.keys().filter(|name| !found.contains_key(*name)).collect();
    assert!(
        unknown.is_empty(),
        "ARCHITECTURE.md names {unknown:?}, which do not exist"
    );
    for (index, name) in order.iter().enumerate() {
        let below = &order[..index];
        for used in &stated[name] {
            assert!(
                below.contains(used),
                "`{name}` uses `{used}`, which is not above it in the table"
            );
        }
    }
}

/// Reads the table: the package in the first column, and the crates that it uses in the third.
fn stated(page: &str) -> (Layers, Vec<String>) {
    let table = page.split("## Crates").nth(1).unwrap();
    let table = table.split("\n## ").next().unwrap();
    let mut layers = Layers::new();
    let mut order = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let columns: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let name = package(columns[0]);
        let uses = columns[2]
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let full = |name: &str| match name {
            "xtask" => name.to_owned(),
            _ => format!("kgen-{name}"),
        };
        layers.insert(name.clone(), uses.map(full).collect());
        order.push(name);
    }
    (layers, order)
}

/// Returns the package of a first column such as `` `kgen` (package `kgen-cli`) ``.
fn package(column: &str) -> String {
    let names: Vec<_> = column.split('`').skip(1).step_by(2).collect();
    match names.as_slice() {
        [_, package] if column.contains("(package") => (*package).to_owned(),
        [name, ..] => (*name).to_owned(),
        [] => panic!("no name in {column}"),
    }
}

/// Returns the normal dependencies of every published or sample crate; crates for test data and chores are not part of
/// a layer.
fn found(root: &Path) -> Layers {
    packages(root)
        .iter()
        .filter(|package| !package["manifest_path"].as_str().unwrap().contains("/testdata/"))
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let uses = dependencies
                .filter(|dependency| dependency["kind"].is_null() && dependency["path"].is_string())
                .map(|dependency| dependency["name"].as_str().unwrap().to_owned())
                .collect();
            (package["name"].as_str().unwrap().to_owned(), uses)
        })
        .collect()
}

/// Returns the packages of the workspace, as `cargo metadata` describes them.
fn packages(root: &Path) -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root)
        .output()
        .unwrap();
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    match metadata["packages"].take() {
        Value::Array(packages) => packages,
        other => panic!("cargo reported {other} instead of packages"),
    }
}

/// Cargo packages and publishes the crates one after the other, each with its dependencies for tests, unless these have no version.
#[test]
fn published_crates_can_be_published_in_an_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut waiting: Layers = packages(&root)
        .iter()
        .filter(|package| package["publish"].is_null())
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let uses = dependencies
                .filter(|dependency| dependency["path"].is_string() && dependency["req"] != "*")
                .map(|dependency| dependency["name"].as_str().unwrap().to_owned())
                .collect();
            (package["name"].as_str().unwrap().to_owned(), uses)
        })
        .collect();
    assert!(waiting.len() > 20, "only {} crates are published", waiting.len());
    while !waiting.is_empty() {
        let (ready, others): (Layers, Layers) = waiting
            .clone()
            .into_iter()
            .partition(|(_, uses)| uses.iter().all(|name| !waiting.contains_key(name)));
        assert!(!ready.is_empty(), "these crates wait for each other: {others:?}");
        waiting = others;
    }
}

/// The procedural macros of the YAML reader. They are a few lines each and do not use syn.
const WITHOUT_SYN: [&str; 2] = ["multiversion_no_op", "rustversion"];

/// A derive of serde or clap would compile a second syn, for the host, in every user's first build.
#[test]
fn the_command_needs_no_procedural_macro_with_syn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            "kgen-cli",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--offline",
        ])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let packages = String::from_utf8(output.stdout).unwrap();
    let macros: Vec<_> = packages
        .lines()
        .filter(|line| line.contains("(proc-macro)"))
        .filter(|line| {
            !WITHOUT_SYN
                .iter()
                .any(|name| line.starts_with(&format!("{name} ")))
        })
        .collect();
    assert!(macros.is_empty(), "{macros:?}");
}
