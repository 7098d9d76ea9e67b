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
mod book;
mod ci;
mod codegen;
mod control_plane;
mod e2e;
mod measurements;
mod msrv;
mod new_marker;
mod newcomer;
mod publishable;
mod release;
mod test_output;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::{amounts, table, workspace};

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
    #[command(disable_help_flag = true)]
    Bench(measurements::Options),
    /// Starts etcd, API server, controllers, scheduler and kwok, and keeps them until Ctrl-C.
    ControlPlane(control_plane::Options),
    /// Runs all tests that need a real control plane, and counts what they lose.
    E2e(e2e::Options),
    /// Declares a new marker, and prepares its test case.
    NewMarker(new_marker::Options),
    /// Reruns the golden tests, takes what they produce as expected, and shows what changed.
    Accept(accept::Options),
    /// Extracts the facts about Kubernetes' own types that ship with kgen.
    #[command(disable_help_flag = true)]
    Overlay(measurements::Options),
    /// Compares how kgen and controller-gen describe the types of Kubernetes, where Go is present.
    #[command(disable_help_flag = true)]
    Conformance(measurements::Options),
    /// Checks that the oldest supported compiler is still supported.
    Msrv,
    /// Plays somebody who meets kgen for the first time, from a clone to a commit.
    Newcomer,
    /// Prepares a release and checks that it is complete.
    Release(release::Options),
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
        Chore::Bench(options) => measurements::run(&workspace, "bench", &options)?,
        Chore::ControlPlane(options) => control_plane::run(&workspace, &options)?,
        Chore::E2e(options) => e2e::run(&workspace, &options).map(drop)?,
        Chore::NewMarker(options) => new_marker::run(&workspace, &options)?,
        Chore::Accept(options) => accept::run(&workspace, &options)?,
        Chore::Overlay(options) => measurements::run(&workspace, "overlay", &options)?,
        Chore::Conformance(options) => measurements::run(&workspace, "conformance", &options)?,
        Chore::Msrv => msrv::run(&workspace)?,
        Chore::Newcomer => newcomer::run(&workspace)?,
        Chore::Release(options) => return release::run(&workspace, &options),
    }
    Ok(true)
}
