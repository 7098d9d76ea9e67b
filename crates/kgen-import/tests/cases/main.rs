//! Every folder in `testdata/import` is a test: the Rust of its CRD is the expected one, `kgen crd` generates the same CRD
//! from it, and a second import of that CRD has the same bytes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kgen_golden::Goldens;
use kgen_import::{Enums, KubernetesTypes, Options, Outcome, Style};
use support::{compare, generate, import, shown, write, yaml_files};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/import")
}

/// Imports a text that has no errors.
fn imported(name: &str, text: &str, options: &Options) -> (Outcome, Vec<serde_json::Value>) {
    let imported = import(name, text, options);
    let problems = shown(&imported.outcome.problems, &imported.files);
    assert!(!imported.outcome.problems.has_errors(), "{name}: {problems}");
    (imported.outcome, imported.original)
}

/// Returns the differences after `kgen crd`, and the CRDs that it generates.
fn round_trip(outcome: &Outcome, original: &[serde_json::Value]) -> (Vec<String>, Vec<serde_json::Value>) {
    let crate_folder = tempfile::tempdir().unwrap();
    write(outcome, crate_folder.path());
    let generated = generate(crate_folder.path()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut found = Vec::new();
    for (original, generated) in original.iter().zip(&generated) {
        compare(original, generated, outcome, &mut found);
    }
    (found, generated)
}

/// Returns the options of a case, and whether they keep the CRD as it is.
fn options_of(case: &Path) -> (Options, bool) {
    let mut options = Options::default();
    let text = fs::read_to_string(case.join("options")).unwrap_or_default();
    let mut is_equal = true;
    for line in text.lines() {
        match line.split_once('=').unwrap() {
            ("style", word) => options.style = Style::from_word(word).unwrap(),
            ("enums", word) => options.enums = Enums::from_word(word).unwrap(),
            ("kubernetes-types", word) => {
                options.kubernetes_types = KubernetesTypes::from_word(word).unwrap()
            }
            other => panic!("{other:?}"),
        }
        is_equal &= options.enums != Enums::Open && options.kubernetes_types != KubernetesTypes::Compatible;
    }
    (options, is_equal)
}

#[test]
fn cases_have_the_expected_rust_and_come_out_equal() {
    let mut goldens = Goldens::new();
    for path in yaml_files(&folder()) {
        let text = fs::read_to_string(&path).unwrap();
        let name = path
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let (options, is_equal) = options_of(path.parent().unwrap());
        let (outcome, original) = imported(&name, &text, &options);
        let files: BTreeMap<_, _> = outcome
            .files
            .iter()
            .map(|file| (file.path.clone(), file.text.clone().into_bytes()))
            .collect();
        goldens
            .compare(&path.parent().unwrap().join("expected"), &files)
            .unwrap();
        let (found, generated) = round_trip(&outcome, &original);
        assert_eq!(found.is_empty(), is_equal, "{name}: {found:#?}");
        if !is_equal || outcome.kubernetes_types > 0 {
            continue;
        }
        // kgen sorts properties, so only the order of fields may differ in the second import.
        let again: String = generated.iter().map(|crd| format!("---\n{crd}\n")).collect();
        let (second, original) = imported(&name, &again, &options);
        let sorted = |outcome: &Outcome| -> Vec<Vec<String>> {
            let lines = |text: &str| {
                let mut lines: Vec<_> = text
                    .lines()
                    .filter(|line| !line.is_empty())
                    .map(str::to_owned)
                    .collect();
                lines.sort();
                lines
            };
            outcome.files.iter().map(|file| lines(&file.text)).collect()
        };
        for (first, second) in sorted(&outcome).into_iter().zip(sorted(&second)) {
            let lost: Vec<_> = first.iter().filter(|line| !second.contains(line)).collect();
            let added: Vec<_> = second.iter().filter(|line| !first.contains(line)).collect();
            assert!(first == second, "{name}: lost {lost:#?}, added {added:#?}");
        }
        let (third_found, third) = round_trip(&second, &original);
        assert!(third_found.is_empty(), "{name}: {third_found:#?}");
        let again: String = third.iter().map(|crd| format!("---\n{crd}\n")).collect();
        assert_eq!(imported(&name, &again, &options).0.files, second.files, "{name}");
    }
    goldens
        .finish()
        .unwrap_or_else(|differences| panic!("{differences}"));
}

#[test]
fn options_keep_the_definition() {
    for options in [
        Options {
            enums: Enums::Text,
            ..Options::default()
        },
        Options {
            kubernetes_types: KubernetesTypes::Own,
            ..Options::default()
        },
        Options {
            docs: false,
            ..Options::default()
        },
    ] {
        for path in yaml_files(&folder()) {
            let text = fs::read_to_string(&path).unwrap();
            let (outcome, original) = imported(&path.display().to_string(), &text, &options);
            let (found, _) = round_trip(&outcome, &original);
            assert!(found.is_empty(), "{}: {options:?} {found:#?}", path.display());
        }
    }
}

#[test]
fn names_and_types_can_be_chosen() {
    let text = fs::read_to_string(folder().join("sharing/crd.yaml")).unwrap();
    let pair = |path: &str, name: &str| vec![(path.to_owned(), name.to_owned())];
    let options = Options {
        names: pair("Kiln.spec.inner", "Core"),
        types: pair("Kiln.spec.outer", "crate::Outer"),
        ..Options::default()
    };
    let (outcome, _) = imported("sharing", &text, &options);
    let kiln = outcome
        .files
        .iter()
        .find(|file| file.path.ends_with("kiln.rs"))
        .unwrap();
    assert!(
        kiln.text.contains("pub struct Core {") && kiln.text.contains("use crate::Outer;"),
        "{}",
        kiln.text
    );
    let options = Options {
        names: pair("Kiln.spec.iner", "Core"),
        ..Options::default()
    };
    let refused = import("sharing", &text, &options);
    assert!(refused.outcome.files.is_empty());
    let problems = shown(&refused.outcome.problems, &refused.files);
    assert!(
        problems.contains("`Kiln.spec.iner` does not name an imported type"),
        "{problems}"
    );
}

#[test]
fn only_structs_whose_fields_all_have_a_default_derive_it() {
    let options = Options {
        derives: vec!["Default".to_owned()],
        ..Options::default()
    };
    let optional = fs::read_to_string(folder().join("enums/crd.yaml")).unwrap();
    let required = optional.replace(
        "spec:\n            type: object\n",
        "spec:\n            type: object\n            required: [method]\n",
    );
    assert_ne!(optional, required);
    for (text, has_default) in [(optional, true), (required, false)] {
        let (outcome, _) = imported("enums", &text, &options);
        let text: String = outcome.files.iter().map(|file| file.text.as_str()).collect();
        let (before, _) = text.split_once("pub struct KilnSpec {").unwrap();
        let derive = before.lines().rfind(|line| line.starts_with("#[derive("));
        assert_eq!(derive.unwrap().contains("Default"), has_default, "{text}");
    }
}

#[test]
fn two_definitions_with_the_same_name_are_refused_unless_they_are_equal() {
    let text = fs::read_to_string(folder().join("no-spec/crd.yaml")).unwrap();
    let (outcome, _) = imported("twice", &format!("{text}---\n{text}"), &Options::default());
    assert_eq!(outcome.definitions, 1);
    let other = text.replace("scope: Namespaced", "scope: Cluster");
    let refused = import("twice", &format!("{text}---\n{other}"), &Options::default());
    let problems = shown(&refused.outcome.problems, &refused.files);
    assert!(
        problems.contains("there are two different CRDs called `kilns.pottery.example.com`"),
        "{problems}"
    );
}
