//! `cargo xtask bench`, `conformance`, `overlay` and `public-crates`: starts the program of `kgen-bench` that does the work.

use std::ffi::OsString;

use anyhow::Result;

use crate::workspace::{Workspace, finish};

/// The arguments of a command of `kgen-bench`, which explains them with `--help`.
#[derive(clap::Args)]
pub struct Options {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Runs a command of `kgen-bench`.
pub fn run(workspace: &Workspace, command: &str, options: &Options) -> Result<()> {
    let mut cargo = workspace.cargo();
    cargo
        .args(["run", "--package", "kgen-bench", "--", command])
        .args(&options.arguments);
    finish(cargo)
}
