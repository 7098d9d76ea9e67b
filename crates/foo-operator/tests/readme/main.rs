//! The ten steps of the README: its quotes are in the source, its code compiles, its generated files are those that are
//! committed, and its commands are run with a real control plane. These tests count as ignored if a control plane is
//! not available; `KGEN_E2E=required` makes that a failure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod blocks;
mod code;
mod commands;
mod generation;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, Suite};

use crate::blocks::{Block, blocks};

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder().with_nodes(1))
        .test(
            "steps_8_and_10_lead_to_running_pods",
            commands::lead_to_running_pods,
        )
        .test("the_second_version_is_wired", conversions_are_wired)
        .needing_nothing()
        .test(
            "the_second_version_is_the_source",
            the_second_version_is_the_source,
        )
        .test("every_block_is_tried", every_block_is_tried)
        .test("steps_1_and_2_are_the_source", steps_1_and_2_are_the_source)
        .test(
            "steps_3_and_4_generate_what_is_committed",
            generation::is_what_is_committed,
        )
        .test("steps_5_to_7_compile", steps_5_to_7_compile)
        .test("step_9_runs_this", step_9_runs_this)
        .test(
            "step_10_finds_what_it_copies",
            commands::the_image_finds_what_it_copies,
        )
        .run()
}

/// Returns the folder of the crate.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Returns the block of a step; each step has one.
fn block(step: usize) -> Block {
    let mut found = blocks().into_iter().filter(|block| block.step == Some(step));
    let block = found.next().unwrap_or_else(|| panic!("step {step} has no block"));
    assert!(found.next().is_none(), "step {step} has two blocks");
    block
}

/// The languages in the order of the steps. A block more or less, or in another language, has to be tried as well.
async fn every_block_is_tried() -> Outcome {
    let found: Vec<_> = blocks()
        .into_iter()
        .map(|block| (block.step, block.language))
        .collect();
    let languages = [
        "rust", "rust", "toml", "sh", "rust", "rust", "rust", "sh", "sh", "sh",
    ];
    let steps = (1..).map(Some).zip(languages);
    // About the second version.
    let others = [(None, "rust"), (None, "rust"), (None, "sh")];
    let expected = steps.chain(others);
    let expected: Vec<_> = expected
        .map(|(step, language)| (step, language.to_owned()))
        .collect();
    assert_eq!(found, expected);
    Ok(())
}

async fn steps_1_and_2_are_the_source() -> Outcome {
    for step in [1, 2] {
        assert_quotes(&block(step), "src/api/v1alpha1.rs");
    }
    Ok(())
}

/// Checks that the quoted lines are in the file, in this order; lines may be left out.
fn assert_quotes(block: &Block, file: &str) {
    let text = std::fs::read_to_string(package().join(file)).unwrap();
    let mut source = text.lines().map(str::trim);
    let quoted = block.text.lines().map(str::trim);
    for line in quoted.filter(|line| !line.is_empty()) {
        assert!(
            source.any(|found| found == line),
            "the README quotes a line that {file} does not have, or not there: {line}"
        );
    }
}

/// The blocks about the second version.
async fn the_second_version_is_the_source() -> Outcome {
    let blocks: Vec<_> = blocks()
        .into_iter()
        .filter(|block| block.step.is_none())
        .collect();
    assert_quotes(&blocks[0], "src/api/v1.rs");
    assert_quotes(&blocks[1], "src/conversion.rs");
    Ok(())
}

/// The manifests with conversions need cert-manager, so the result of kustomize is compared instead of applied.
async fn conversions_are_wired() -> Outcome {
    let command = blocks().pop().map(|block| block.text).unwrap_or_default();
    let folder = "crates/foo-operator/config/with-conversion";
    assert_eq!(command, format!("kubectl apply -k {folder}\n"));
    let control_plane = ControlPlane::builder().start().await?;
    let output = control_plane
        .kubectl()
        .arg("kustomize")
        .arg(package().join("config/with-conversion"))
        .output()?;
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout)?;
    let documents: Vec<serde_json::Value> = serde_saphyr::from_multiple(&text)?;
    let find = |kind: &str| {
        let mut found = documents.iter().filter(|document| document["kind"] == kind);
        found.next().unwrap_or_else(|| panic!("there is no {kind}"))
    };
    let definition = find("CustomResourceDefinition");
    let (service, certificate) = (find("Service"), find("Certificate"));
    let client = &definition["spec"]["conversion"]["webhook"]["clientConfig"]["service"];
    for field in ["name", "namespace"] {
        assert_eq!(client[field], service["metadata"][field]);
    }
    let name = |object: &serde_json::Value| {
        let part = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
        format!("{}/{}", part("namespace"), part("name"))
    };
    let authority = &definition["metadata"]["annotations"]["cert-manager.io/inject-ca-from"];
    assert_eq!(*authority, name(certificate));
    let pod = &find("Deployment")["spec"]["template"]["spec"];
    let secret = &pod["volumes"][0]["secret"]["secretName"];
    assert_eq!(*secret, certificate["spec"]["secretName"]);
    control_plane.stop().await?;
    Ok(())
}

/// They are in a file of this test, so the compiler has checked them.
async fn steps_5_to_7_compile() -> Outcome {
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let compiled = squeezed(include_str!("code.rs"));
    for step in [5, 6, 7] {
        let shown = block(step).text;
        assert!(
            compiled.contains(&squeezed(&shown)),
            "step {step} is not in code.rs, so nobody has compiled it:\n{shown}"
        );
    }
    code::decides();
    Ok(())
}

async fn step_9_runs_this() -> Outcome {
    let package = env!("CARGO_PKG_NAME");
    assert_eq!(block(9).text, format!("cargo test -p {package}\n"));
    Ok(())
}
