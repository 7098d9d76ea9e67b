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
        .needing_nothing()
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

/// The folder of the crate.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The block of a step; each step has one.
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
    let expected: Vec<_> = (1..).map(Some).zip(languages.map(str::to_owned)).collect();
    assert_eq!(found, expected);
    Ok(())
}

/// Lines may be left out, but the quoted lines are in the types, in this order.
async fn steps_1_and_2_are_the_source() -> Outcome {
    let types = std::fs::read_to_string(package().join("src/api/v1alpha1.rs"))?;
    for step in [1, 2] {
        let mut source = types.lines().map(str::trim);
        for line in block(step)
            .text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            assert!(
                source.any(|found| found == line),
                "step {step} shows a line that the types do not have, or not there: {line}"
            );
        }
    }
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
