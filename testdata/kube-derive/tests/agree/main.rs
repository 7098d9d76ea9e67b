//! The definition that kube-derive makes when it runs, and the one that kgen reads from the same source: equal, but for
//! the differences that `docs/book/src/deviations.md` lists.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod compare;
mod differences;
mod older;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use compare::{compare, explain};
use differences::{DIFFERENCES, Difference, Mode, OLDER};
use kube::CustomResourceExt as _;
use kube_derive_types::{computed, corners, definitions, expressions, forms, kubernetes};
use serde_json::Value;

/// The kinds that are compared only if kgen follows kube-derive: they differ in every way that the list has, in other places.
const CORNERS: &[&str] = &["Form", "Pressed", "Stock", "Tag", "Wrapper"];

/// What kube-derive says, by kind.
fn by_kube() -> BTreeMap<String, Value> {
    let mut definitions = definitions::of_every_kube();
    definitions.extend([
        forms::Quarry::crd(),
        forms::Pit::crd(),
        forms::Cellar::crd(),
        forms::Shelf::crd(),
        corners::Tag::crd(),
        corners::Wrapper::crd(),
        corners::Pressed::crd(),
        computed::Form::crd(),
        computed::Stock::crd(),
        expressions::Ledger::crd(),
        kubernetes::Workload::crd(),
        kubernetes::Sidecar::crd(),
    ]);
    let values = definitions
        .iter()
        .map(|definition| serde_json::to_value(definition).unwrap());
    values.map(|value| (kind_of(&value), value)).collect()
}

/// What kgen reads from the source of this package, by kind.
fn by_kgen(options: &[(&str, &str)]) -> BTreeMap<String, Value> {
    read_by_kgen(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), options)
}

/// What kgen reads from the source at a path, by kind.
fn read_by_kgen(source: &Path, options: &[(&str, &str)]) -> BTreeMap<String, Value> {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = kgen_build::configure().path(source).crd(folder.path());
    for (name, value) in options {
        builder = builder.option("crd", name, value);
    }
    if !options.contains(&("compat", "kube-derive")) {
        // A few kinds have errors then.
        builder = builder.keep_going();
    }
    let report = builder.run();
    let problems: Vec<_> = report
        .findings
        .iter()
        .flat_map(|found| found.problems.iter())
        .collect();
    assert!(report.written, "{problems:#?}");
    let files = fs::read_dir(folder.path()).unwrap();
    let values = files.map(|file| {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        serde_saphyr::from_str::<Value>(&text).unwrap()
    });
    values.map(|value| (kind_of(&value), value)).collect()
}

fn kind_of(definition: &Value) -> String {
    definition
        .pointer("/spec/names/kind")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned()
}

/// Compares all kinds: every difference must be in the list, and every entry of the list must be needed.
fn check(mode: Mode, options: &[(&str, &str)]) {
    let (mut kube, mut kgen) = (by_kube(), by_kgen(options));
    if mode == Mode::Usual {
        for kind in CORNERS {
            kube.remove(*kind);
            kgen.remove(*kind);
        }
        // Keys of maps with a pattern are an error then.
        kube.remove("Brick");
    }
    assert_eq!(kube.keys().collect::<Vec<_>>(), kgen.keys().collect::<Vec<_>>());
    let allowed: Vec<&Difference> = DIFFERENCES
        .iter()
        .filter(|difference| difference.mode <= mode)
        .collect();
    let mut used = BTreeSet::new();
    let mut unexplained = Vec::new();
    for (kind, kube) in &kube {
        let (known, unknown) = explain(&allowed, compare(kube, &kgen[kind]));
        used.extend(known);
        unexplained.extend(unknown.into_iter().map(|line| format!("{kind}{line}")));
    }
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
    let unused: Vec<_> = allowed
        .iter()
        .filter(|difference| difference.mode == mode && !used.contains(difference.name))
        .map(|difference| difference.name)
        .collect();
    assert!(unused.is_empty(), "listed, and no kind shows it: {unused:?}");
}

#[test]
fn definitions_agree_but_for_what_is_decided_otherwise() {
    check(Mode::Usual, &[("allowDangerousTypes", "true")]);
}

#[test]
fn definitions_agree_when_kgen_follows_kube_derive() {
    check(Mode::Compatible, &[("compat", "kube-derive")]);
}

/// The kinds of one file are the same as in a run over all files: what they use is found on demand.
#[test]
fn single_files_have_the_same_definitions() {
    let options = [("compat", "kube-derive")];
    let all = by_kgen(&options);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    for file in fs::read_dir(&source).unwrap() {
        let file = file.unwrap().path();
        let has_kinds = fs::read_to_string(&file).unwrap().contains("#[kube(");
        for (kind, definition) in has_kinds
            .then(|| read_by_kgen(&file, &options))
            .into_iter()
            .flatten()
        {
            assert!(
                compare(&all[&kind], &definition).is_empty(),
                "{kind} in {}",
                file.display()
            );
            found.insert(kind);
        }
    }
    assert!(found.iter().eq(all.keys()));
}

#[test]
fn every_difference_stands_in_the_documentation() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/deviations.md");
    let page = fs::read_to_string(page).unwrap();
    for difference in DIFFERENCES.iter().chain(OLDER) {
        assert!(
            page.contains(difference.name),
            "`{}` is not documented",
            difference.name
        );
    }
}
