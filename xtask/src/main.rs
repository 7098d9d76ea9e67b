//! The chores of this repository, as `cargo xtask COMMAND`.
//!
//! `ci` is what CI runs, nothing more and nothing else; the other commands are its parts, and helpers for those who
//! change kgen. Only this file decides how the process ends.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to the person who started it"
)]

mod accept;
mod amounts;
mod bench;
mod book;
mod ci;
mod codegen;
mod conformance;
mod control_plane;
mod e2e;
mod msrv;
mod new_marker;
mod newcomer;
mod overlay;
mod publishable;
mod release;
mod snapshots;
mod table;
mod test_output;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::codegen::Mode;
use crate::workspace::Workspace;

/// The chores of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct CommandLine {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that CI checks.
    Ci(ci::Options),
    /// Builds the documentation in docs/book and checks its links.
    Book,
    /// Writes the generated reference pages in docs/.
    Codegen {
        /// Write nothing: show what differs, and fail if anything does.
        #[arg(long)]
        check: bool,
    },
    /// Measures kgen on APIs of several sizes, beside the real controller-gen where Go is present.
    Bench(bench::Options),
    /// Starts etcd, API server, controllers, scheduler and kwok, and keeps them until Ctrl-C.
    ControlPlane(control_plane::Options),
    /// Runs all tests that need a real control plane, and counts what they lose.
    E2e(e2e::Options),
    /// Declares a new marker, and prepares its test case.
    NewMarker(new_marker::Options),
    /// Accepts the snapshots and files that the tests of cases produce, and shows what changed.
    Accept(accept::Options),
    /// Cuts the facts about Kubernetes' own types that ship with kgen.
    Overlay(overlay::Options),
    /// Compares how kgen and controller-gen describe the types of Kubernetes, where Go is present.
    Conformance(conformance::Options),
    /// Checks that the oldest supported compiler is still supported.
    Msrv,
    /// Plays somebody who meets kgen for the first time, from a clone to a commit.
    Newcomer,
    /// Prepares a release and checks that it is complete.
    Release(release::Options),
    /// Runs one program and prints what it used; `bench` starts itself this way.
    #[command(hide = true)]
    Measure(bench::measure::Options),
}

fn main() -> ExitCode {
    match run(CommandLine::parse().chore) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all is well; a chore that says itself what is not well is no error.
fn run(chore: Chore) -> Result<bool> {
    let workspace = Workspace::find()?;
    match chore {
        Chore::Ci(options) => return ci::run(&workspace, &options),
        Chore::Book => book::run(&workspace)?,
        Chore::Codegen { check } => codegen::run(&workspace, if check { Mode::Check } else { Mode::Write })?,
        Chore::Bench(options) => bench::run(&workspace, &options)?,
        Chore::ControlPlane(options) => control_plane::run(&workspace, &options)?,
        Chore::E2e(options) => e2e::run(&workspace, &options).map(drop)?,
        Chore::NewMarker(options) => new_marker::run(&workspace, &options)?,
        Chore::Accept(options) => accept::run(&workspace, &options)?,
        Chore::Overlay(options) => overlay::run(&workspace, &options)?,
        Chore::Conformance(options) => conformance::run(&workspace, &options)?,
        Chore::Msrv => msrv::run(&workspace)?,
        Chore::Newcomer => newcomer::run(&workspace)?,
        Chore::Release(options) => return release::run(&workspace, &options),
        Chore::Measure(options) => bench::measure::run(&options)?,
    }
    Ok(true)
}
