//! The program that runs the operator.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use foo_operator::options::{Command, Options};
use foo_operator::run::{GRACE, run};
use kgen_runtime::shutdown::{Ended, Shutdown};
use tracing_subscriber::EnvFilter;

/// The CRD that kgen generated.
const CRD: &str = include_str!("../config/crd/example.com_foos.yaml");

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(Command::Crd) = options.command {
        return match std::io::stdout().write_all(CRD.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    start_logging();
    operate(&options).unwrap_or_else(|error| {
        tracing::error!("{error:#}");
        ExitCode::FAILURE
    })
}

#[tokio::main]
async fn operate(options: &Options) -> Result<ExitCode> {
    let shutdown = Shutdown::on_signals().context("cannot listen for signals")?;
    let ended = shutdown.run(GRACE, run(options, &shutdown)).await;
    let code = ended.exit_code();
    if let Ended::Finished(result) = ended {
        result?;
    }
    Ok(code)
}

/// Logs plain text to a terminal and JSON otherwise. `RUST_LOG` sets the level.
fn start_logging() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    if std::io::stderr().is_terminal() {
        lines.init();
    } else {
        lines.json().init();
    }
}
