//! The chores of this repository, as `cargo xtask COMMAND`.
//!
//! CI runs only `ci`. The other commands are its parts, and tools for contributors. Only this file ends the process.

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
mod snapshots;
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
    /// Runs all checks of CI.
    Ci(ci::Options),
    /// Builds the documentation in docs/book and checks its links.
    Book,
    /// Writes the generated reference pages in docs/.
    Codegen {
        /// Show differences and fail if there are any, without writing files.
        #[arg(long)]
        check: bool,
    },
    /// Measures kgen on APIs of several sizes, compared with controller-gen if Go is installed.
    #[command(disable_help_flag = true)]
    Bench(measurements::Options),
    /// Runs etcd, API server, controllers, scheduler and kwok until Ctrl-C.
    ControlPlane(control_plane::Options),
    /// Runs all tests that need a real control plane, and counts lost objects.
    E2e(e2e::Options),
    /// Creates the entry of a new marker and its test case.
    NewMarker(new_marker::Options),
    /// Accepts the snapshots and files that the tests of cases produce, and shows what changed.
    Accept(accept::Options),
    /// Extracts the facts about Kubernetes' own types that ship with kgen.
    #[command(disable_help_flag = true)]
    Overlay(measurements::Options),
    /// Runs kgen on the crates of the registry that have kinds, and writes the table of the book.
    #[command(disable_help_flag = true)]
    PublicCrates(measurements::Options),
    /// Compares the schemas of Kubernetes types from kgen and from controller-gen. Needs Go.
    #[command(disable_help_flag = true)]
    Conformance(measurements::Options),
    /// Checks that kgen builds with the oldest supported compiler.
    Msrv,
    /// Follows the README in a fresh clone, from the first command to a commit.
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

/// Returns whether the chore succeeded. A chore that has reported its own failure returns `false`.
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
        Chore::PublicCrates(options) => measurements::run(&workspace, "public-crates", &options)?,
        Chore::Conformance(options) => measurements::run(&workspace, "conformance", &options)?,
        Chore::Msrv => msrv::run(&workspace)?,
        Chore::Newcomer => newcomer::run(&workspace)?,
        Chore::Release(options) => return release::run(&workspace, &options),
    }
    Ok(true)
}
