//! Measures kgen, compares its schemas with those of controller-gen, and extracts the facts about Kubernetes' own types.
//!
//! `cargo xtask bench`, `conformance`, `overlay` and `public-crates` start this program. Only this file decides how the process ends.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this program talks to the person who started it"
)]

mod bench;
mod conformance;
mod overlay;
mod public_crates;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::{amounts, table, workspace};

use crate::workspace::Workspace;

/// Benchmarks, and comparisons with other tools.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct CommandLine {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Measures kgen on APIs of several sizes, beside the real controller-gen where Go is present.
    Bench(bench::Options),
    /// Compares how kgen and controller-gen describe the types of Kubernetes, where Go is present.
    Conformance(conformance::Options),
    /// Extracts the facts about Kubernetes' own types that ship with kgen.
    Overlay(overlay::Options),
    /// Runs kgen on the crates of the registry that have kinds, and writes the table of the book.
    PublicCrates(public_crates::Options),
    /// Runs one program and prints what it used; `bench` starts itself this way.
    #[command(hide = true)]
    Measure(bench::measure::Options),
}

fn main() -> ExitCode {
    match run(CommandLine::parse().work) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(work: Work) -> Result<()> {
    let workspace = Workspace::find()?;
    match work {
        Work::Bench(options) => bench::run(&workspace, &options),
        Work::Conformance(options) => conformance::run(&workspace, &options),
        Work::Overlay(options) => overlay::run(&workspace, &options),
        Work::PublicCrates(options) => public_crates::run(&workspace, &options),
        Work::Measure(options) => bench::measure::run(&options),
    }
}
