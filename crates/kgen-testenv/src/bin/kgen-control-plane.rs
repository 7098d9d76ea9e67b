//! Runs a Kubernetes control plane until Ctrl-C.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;
use kgen_testenv::command::{Options, run};

/// A real Kubernetes control plane on this machine, for tests: etcd, API server, controllers, scheduler and nodes of kwok
#[derive(Parser)]
#[command(name = "kgen-control-plane", version)]
struct CommandLine {
    #[command(flatten)]
    options: Options,
}

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    match run(command_line.options, &mut std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {}", error.with_causes());
            ExitCode::FAILURE
        }
    }
}
