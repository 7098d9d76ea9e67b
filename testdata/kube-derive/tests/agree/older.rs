//! Definitions of older versions of kube, which `testdata/kube-derive-older` has recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::compare::{compare, explain};
use super::differences::{DIFFERENCES, Difference, Mode, OLDER};
use super::{kind_of, read_by_kgen};

/// Returns the package with the recorded definitions.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kube-derive-older")
}

/// Reads the kinds as the package in `folder` builds them: with its manifest and lock file, and the source in `source`.
fn read(folder: &Path, source: &Path) -> BTreeMap<String, Value> {
    let copy = tempfile::tempdir().unwrap();
    for name in ["Cargo.toml", "Cargo.lock"] {
        fs::copy(folder.join(name), copy.path().join(name)).unwrap();
    }
    fs::create_dir(copy.path().join("src")).unwrap();
    for file in fs::read_dir(source).unwrap() {
        let file = file.unwrap();
        // Kinds that other versions of kube derive are not recorded.
        if ![
            "computed.rs",
            "corners.rs",
            "expressions.rs",
            "forms.rs",
            "kubernetes.rs",
            "lib.rs",
        ]
        .iter()
        .any(|name| file.file_name() == *name)
        {
            fs::copy(file.path(), copy.path().join("src").join(file.file_name())).unwrap();
        }
    }
    if !copy.path().join("src/main.rs").exists() {
        fs::copy(package().join("newer/forms.rs"), copy.path().join("src/forms.rs")).unwrap();
        let modules: String = fs::read_to_string(package().join("newer/main.rs"))
            .unwrap()
            .lines()
            .filter(|line| line.starts_with("mod "))
            .map(|line| format!("{line}\n"))
            .collect();
        fs::write(copy.path().join("src/main.rs"), modules).unwrap();
    }
    let manifest = fs::read_to_string(copy.path().join("Cargo.toml")).unwrap();
    let manifest = manifest.replace("path = \"../src/main.rs\"", "path = \"src/main.rs\"");
    let manifest = manifest.replace("path = \"../newer/main.rs\"", "path = \"src/main.rs\"");
    fs::write(copy.path().join("Cargo.toml"), manifest).unwrap();
    read_by_kgen(&copy.path().join("src"), &[("compat", "kube-derive")])
}

/// Compares the recorded definitions in `folder` with those that kgen reads from `source`.
fn check(folder: &Path, source: &Path) -> BTreeSet<&'static str> {
    let recorded = fs::read_to_string(folder.join("definitions.json")).unwrap();
    let recorded: Vec<Value> = serde_json::from_str(&recorded).unwrap();
    let kube: BTreeMap<_, _> = recorded
        .into_iter()
        .map(|value| (kind_of(&value), value))
        .collect();
    let kgen = read(folder, source);
    assert_eq!(kube.keys().collect::<Vec<_>>(), kgen.keys().collect::<Vec<_>>());
    let allowed: Vec<&Difference> = OLDER
        .iter()
        .chain(
            DIFFERENCES
                .iter()
                .filter(|difference| difference.mode == Mode::Compatible),
        )
        .collect();
    let mut used = BTreeSet::new();
    let mut unexplained = Vec::new();
    for (kind, kube) in &kube {
        let (known, unknown) = explain(&allowed, compare(kube, &kgen[kind]));
        used.extend(known);
        unexplained.extend(unknown.into_iter().map(|line| format!("{kind}{line}")));
    }
    assert!(
        unexplained.is_empty(),
        "{}:\n{}",
        folder.display(),
        unexplained.join("\n")
    );
    used
}

#[test]
fn definitions_agree_with_those_of_older_versions() {
    let older = package().join("src");
    let newer = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut used = check(&package(), &older);
    used.extend(check(&package().join("kube-1"), &older));
    for folder in ["kube-2", "kube-3", "kube-4.0", "kube-4.2"] {
        used.extend(check(&package().join(folder), &newer));
    }
    let unused: Vec<_> = OLDER
        .iter()
        .map(|difference| difference.name)
        .filter(|name| !used.contains(name))
        .collect();
    assert!(unused.is_empty(), "listed, and no kind shows it: {unused:?}");
}
