//! `cargo xtask control-plane`: runs a real control plane until Ctrl-C.
//!
//! The command is `kgen-control-plane` of `kgen-testenv`. It is started through cargo, so that the other chores do not
//! have to be built with it.

use std::ffi::OsString;

use anyhow::Result;

use crate::workspace::{Workspace, finish};

/// The options of `kgen-control-plane`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Its arguments; `--help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Starts it and waits for it.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let mut command = workspace.cargo();
    command
        .args(["run", "--quiet", "--package", "kgen-testenv", "--features", "cli"])
        .args(["--bin", "kgen-control-plane", "--"])
        .args(&options.arguments);
    finish(command)
}
