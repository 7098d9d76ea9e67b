//! `cargo xtask bench --docs`: `kgen docs` beside crd-ref-docs, and `docs`, `bundle` and `helm` beside `kgen crd`.
//!
//! Both tools describe the same API, once in Rust and once in Go. Every field that crd-ref-docs describes must be on the pages of
//! kgen, so neither is fast because it leaves something out.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use serde_json::Value;

use super::api::{self, Api};
use super::controller_gen;
use super::go_program::GoProgram;
use super::measure::{median, processor};
use crate::workspace::Workspace;

/// The module that kgen is compared with, and its version.
const MODULE: &str = "github.com/elastic/crd-ref-docs";
const VERSION: &str = "v0.3.0";

/// How often each tool runs.
const ROUNDS: usize = 5;

/// The numbers of kinds.
const SIZES: &[usize] = &[10, 100];

/// How much less processor time `kgen docs` must take.
const GOAL: f64 = 20.0;

/// How much more time than `kgen crd` another generator may take.
const LIMIT: f64 = 2.0;

/// Measures, compares the contents, and prints the tables.
pub fn run(workspace: &Workspace, kgen: &Path, check: bool) -> Result<()> {
    let is_slow = compare_with_go(kgen)? | compare_with_crd(workspace, kgen)?;
    if check && is_slow {
        bail!("a goal of docs, bundle and helm was missed");
    }
    Ok(())
}

/// Measures `kgen docs` and crd-ref-docs. Returns whether the goal was missed.
fn compare_with_go(kgen: &Path) -> Result<bool> {
    let Some(other) = GoProgram::find_or_build(MODULE, VERSION)? else {
        println!("there is no Go, so crd-ref-docs is not measured\n");
        return Ok(false);
    };
    println!(
        "processor time, medians of {ROUNDS} runs, crd-ref-docs {VERSION}, {}\n",
        other.go
    );
    println!(
        "| kinds | `kgen docs` | crd-ref-docs | ratio | goal | fields of crd-ref-docs, all described by kgen |"
    );
    println!("|---|---|---|---|---|---|");
    let mut is_missed = false;
    for kinds in SIZES {
        let folder = tempfile::tempdir()?;
        let (rust, go) = (folder.path().join("rust"), folder.path().join("go"));
        let api = Api::of_size(*kinds)?;
        api::write(&rust, &api::rust_files(&api))?;
        controller_gen::prepare(&api, &go)?;
        fs::write(
            go.join("config.yaml"),
            "processor: {}\nrender:\n  kubernetesVersion: \"1.36\"\n",
        )?;
        let docs = [
            "docs:format=markdown;json",
            "paths=src/api",
            "output:dir=pages",
            "-q",
        ];
        let others = [
            "--source-path=api",
            "--config=config.yaml",
            "--renderer=markdown",
            "--output-path=out.md",
            "--log-level=ERROR",
        ];
        let (mut own, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            own.push(processor(kgen, &docs, &rust)?);
            theirs.push(processor(&other.program, &others, &go)?);
        }
        let (own, theirs) = (median(own), median(theirs));
        let ratio = theirs.as_secs_f64() / own.as_secs_f64();
        is_missed |= ratio < GOAL;
        let fields = compare(&rust.join("pages/api.json"), &go.join("out.md"))?;
        println!("| {kinds} | {own:.1?} | {theirs:.1?} | {ratio:.0} | {GOAL} | {fields} |");
    }
    println!();
    Ok(is_missed)
}

/// Measures the generators of packages and pages. Returns whether one is slower than `kgen crd` by more than the limit.
fn compare_with_crd(workspace: &Workspace, kgen: &Path) -> Result<bool> {
    println!("| generator | processor time | `kgen crd` | ratio | limit |");
    println!("|---|---|---|---|---|");
    let case = workspace.root().join("testdata/cases/helm-project");
    let folder = tempfile::tempdir()?;
    let api = Api::of_size(100)?;
    api::write(folder.path(), &api::rust_files(&api))?;
    fs::copy(case.join("all.yaml"), folder.path().join("all.yaml"))?;
    fs::copy(
        workspace.root().join("testdata/cases/bundle/icon.svg"),
        folder.path().join("icon.svg"),
    )?;
    let bundle = "bundle:manifests=all.yaml,name=bench,version=0.1.0,icon=icon.svg,description=icon.svg,\
                  provider=\"A <https://example.com>\",maintainers=\"A <a@example.com>\"";
    let mut is_missed = false;
    for (name, argument) in [
        ("docs", "docs:format=markdown"),
        ("bundle", bundle),
        ("helm", "helm:manifests=all.yaml,name=bench"),
    ] {
        let (mut own, mut crd) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let output = format!("output:dir=out/{name}");
            own.push(processor(
                kgen,
                &[argument, "paths=src/api", &output, "-q"],
                folder.path(),
            )?);
            crd.push(processor(
                kgen,
                &["crd", "paths=src/api", "output:dir=out/crd", "-q"],
                folder.path(),
            )?);
        }
        let (own, crd) = (median(own), median(crd));
        let ratio = own.as_secs_f64() / crd.as_secs_f64();
        is_missed |= ratio > LIMIT;
        println!("| {name}, 100 kinds | {own:.1?} | {crd:.1?} | {ratio:.2} | {LIMIT} |");
    }
    println!();
    Ok(is_missed)
}

/// Returns the number of fields that crd-ref-docs describes. A field that kgen does not describe is an error.
fn compare(own: &Path, other: &Path) -> Result<usize> {
    let reference: Value = serde_json::from_str(&fs::read_to_string(own)?)?;
    let mut known = BTreeSet::new();
    names(&reference, &mut known);
    let page = fs::read_to_string(other)?;
    let mut count = 0;
    for line in page.lines() {
        // A row of its tables: | `name` _[Type](#type)_ | description | default | validation |
        let Some((name, rest)) = line.strip_prefix("| `").and_then(|row| row.split_once('`')) else {
            continue;
        };
        // Values of enumerations have no type.
        if !rest.starts_with(" _") || ["kind", "apiVersion", "metadata"].contains(&name) {
            continue;
        }
        if !known.contains(name) {
            bail!("crd-ref-docs describes `{name}`, and kgen does not");
        }
        count += 1;
    }
    if count == 0 {
        bail!("crd-ref-docs describes no fields");
    }
    Ok(count)
}

/// Collects the names of all fields.
fn names(value: &Value, known: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            known.extend(map.get("name").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| names(value, known));
        }
        Value::Array(items) => items.iter().for_each(|value| names(value, known)),
        _ => {}
    }
}
