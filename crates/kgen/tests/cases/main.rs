//! Every folder in `testdata/cases` is a test: `kgen` must report the problems in the snapshot of the case and generate the files
//! in its folder `expected`.
//!
//! `support/case.rs` describes the folders. `cargo insta review` accepts snapshots, and `INSTA_UPDATE=always` also accepts files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use kgen_golden::Goldens;
use support::case::{self, Case, Order};
use support::{name, root};

#[test]
fn cases_have_the_expected_problems_and_files() {
    let mut goldens = Goldens::new();
    insta::glob!("../../../../testdata/cases", "?*", |folder| {
        let (case, name) = (Case::new(folder), name(folder));
        let run = case.run(Order::Forward, "2");
        if run.has_errors == run.succeeded {
            goldens.report(format!("{name}: the exit code contradicts the problems"));
        }
        if run.has_errors && !run.files.is_empty() {
            goldens.report(format!("{name}: files were written despite errors"));
        }
        goldens.compare(&folder.join("expected"), &run.files).unwrap();
        goldens.only(folder, |entry| case.reads(entry)).unwrap();
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!("problems", run.transcript);
        });
    });
    goldens
        .finish()
        .unwrap_or_else(|differences| panic!("{differences}"));
}

/// Returns the outermost modules of the cases that expect Rust.
fn generated_trees() -> Vec<PathBuf> {
    let roots = case::all()
        .into_iter()
        .map(|case| case.folder.join("expected/mod.rs"));
    let roots: Vec<_> = roots.filter(|root| root.is_file()).collect();
    assert!(!roots.is_empty());
    roots
}

/// With its default configuration, and in the styles of both editions: `cargo fmt` must not make `kgen verify` fail.
#[test]
fn rustfmt_leaves_generated_files() {
    // The configuration of this workspace is not that of its users.
    let configuration = tempfile::tempdir().unwrap();
    fs::write(configuration.path().join("rustfmt.toml"), "").unwrap();
    for edition in ["2021", "2024"] {
        let output = Command::new("rustfmt")
            .args(["--check", "--edition", edition, "--config-path"])
            .arg(configuration.path())
            .args(generated_trees())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "rustfmt of edition {edition} would change:\n{text}"
        );
    }
}

/// Every case that expects Rust is an example of the package that compiles them.
#[test]
fn generated_files_are_compiled() {
    let manifest = fs::read_to_string(root().join("testdata/compiled/Cargo.toml")).unwrap();
    for tree in generated_trees() {
        let name = name(tree.ancestors().nth(2).unwrap());
        assert!(
            manifest.contains(&format!("path = \"../cases/{name}/src/lib.rs\"")),
            "`{name}` is not an example in testdata/compiled/Cargo.toml"
        );
    }
}
