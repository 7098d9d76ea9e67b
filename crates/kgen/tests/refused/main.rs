//! Every folder in `testdata/refused` breaks one rule: `kgen` must report the problem in its snapshot. The test target `api_server`
//! gives the same CRDs to a real API server.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod examples;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use examples::{CounterExample, Refusal};
use kgen_diagnostics::Code;
use kgen_golden::Goldens;
use support::{kgen, root, transcript};

/// The entries of a folder.
const ENTRIES: &[&str] = &["accepted.txt", "api", "crd.yaml", "missed.txt", "server.txt"];

#[test]
fn kgen_refuses_them() {
    let mut goldens = Goldens::new();
    insta::glob!("../../../../testdata/refused", "?*", |folder| {
        if !folder.is_dir() {
            return;
        }
        let example = CounterExample::new(folder);
        let (name, text) = (&example.name, problems(folder));
        let refuses = text.contains("\nerror[");
        match example.refusal {
            Refusal::ServerOnly if refuses => goldens.report(format!(
                "{name}: kgen refuses it, so `missed.txt` and its line in the README are outdated"
            )),
            Refusal::Both | Refusal::KgenOnly if !refuses => {
                goldens.report(format!("{name}: kgen accepts it\n{text}"));
            }
            _ if refuses && !text.contains("--> api/") => {
                goldens.report(format!("{name}: the problem has no location\n{text}"));
            }
            _ => {}
        }
        goldens.only(folder, |entry| ENTRIES.contains(&entry)).unwrap();
        let refusal = match example.refusal {
            Refusal::Both => "The API server refuses it",
            Refusal::KgenOnly => "Only kgen refuses it",
            Refusal::ServerOnly => "Only the API server refuses it",
        };
        let remark = example.remark.trim_end().replace('\n', "; ");
        insta::with_settings!({
            description => format!("{refusal}: {remark}"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!("problems", text);
        });
    });
    goldens
        .finish()
        .unwrap_or_else(|differences| panic!("{differences}"));
}

/// Returns the transcript of kgen on a counterexample.
fn problems(folder: &Path) -> String {
    let output = kgen(folder)
        .args(["crd", "paths=./api", "output:none"])
        .output()
        .unwrap();
    transcript("kgen crd paths=./api output:none", &output)
}

/// Every code of a check has a counterexample, or the README explains why it does not.
#[test]
fn every_code_of_the_checks_has_one() {
    let readme = fs::read_to_string(root().join("testdata/refused/README.md")).unwrap();
    let problems: String = examples::all(&root())
        .iter()
        .map(|example| problems(&example.folder))
        .collect();
    for code in codes_of_the_checks(&root().join("crates/kgen-check/src")) {
        assert!(
            problems.contains(&format!("error[{code}]")) || readme.contains(&format!("| `{code}` |")),
            "`testdata/refused` has no example of `{code}`"
        );
    }
}

/// Parts of the checks that are not about CRDs: other manifests, generated Rust, and the table of severities.
const NOT_ABOUT_CRDS: &[&str] = &[
    "access",
    "clients",
    "conditions",
    "conversion",
    "policy",
    "tests",
    "webhook",
];

/// Returns the codes that the checks of CRDs name.
fn codes_of_the_checks(folder: &Path) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().and_then(|name| name.to_str());
        if stem.is_some_and(|name| NOT_ABOUT_CRDS.contains(&name)) {
            continue;
        }
        if path.is_dir() {
            found.extend(codes_of_the_checks(&path));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let named = Code::ALL
            .iter()
            // A lint is not about what the API server refuses.
            .filter(|code| !code.is_lint() && text.contains(&format!("Code::{code:?}")));
        found.extend(named.map(|code| code.name()));
    }
    found
}

/// The tables of the README are complete.
#[test]
fn the_readme_lists_where_they_differ() {
    let readme = fs::read_to_string(root().join("testdata/refused/README.md")).unwrap();
    for example in examples::all(&root()) {
        let (name, remark) = (&example.name, example.remark.trim_end());
        if example.refusal == Refusal::Both {
            assert!(!readme.contains(&format!("| `{name}` |")), "{name}");
        } else {
            let row = format!("| `{name}` | {remark} |");
            assert!(readme.contains(&row), "the README lacks the line\n{row}");
        }
    }
}
