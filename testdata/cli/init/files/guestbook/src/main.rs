//! The operator as a program: flags in, exit code out.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use kgen_runtime::manager::{GRACE, Manager};
use kgen_runtime::shutdown::{Ended, Shutdown};
use tracing_subscriber::EnvFilter;

/// What the operator is called: its events, its lease and the fields it writes have this name.
const NAME: &str = "guestbook";

#[derive(Debug, Parser)]
#[command(name = NAME, version, about)]
struct Options {
    /// Kubeconfig file; without it, what the environment says, or the service account of the pod
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// Context of the kubeconfig
    #[arg(long, value_name = "NAME")]
    context: Option<String>,

    /// Namespace to look after, can be repeated; without it, all of them
    #[arg(long = "namespace", value_name = "NAME")]
    namespaces: Vec<String>,

    /// Work only while this replica holds the lease
    #[arg(long)]
    leader_elect: bool,

    /// Serve /metrics at this address, such as 0.0.0.0:8080
    #[arg(long, value_name = "ADDRESS")]
    metrics_addr: Option<SocketAddr>,

    /// Serve /healthz and /readyz at this address, such as 0.0.0.0:8081
    #[arg(long, value_name = "ADDRESS")]
    probe_addr: Option<SocketAddr>,

    /// Serve webhooks there
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:9443")]
    webhook_addr: SocketAddr,

    /// Folder with tls.crt and tls.key; without it, webhooks are not served
    #[arg(long, value_name = "FOLDER")]
    webhook_certs: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    start_logging();
    operate(options).unwrap_or_else(|error| {
        tracing::error!("{error:#}");
        ExitCode::FAILURE
    })
}

#[tokio::main]
async fn operate(options: Options) -> Result<ExitCode> {
    let shutdown = Shutdown::on_signals().context("cannot listen for signals")?;
    let mut manager = Manager::builder(NAME)
        .kubeconfig(options.kubeconfig)
        .context(options.context)
        .namespaces(options.namespaces)
        .leader_election(options.leader_elect)
        .serve_metrics(options.metrics_addr)
        .serve_probes(options.probe_addr)
        .webhooks(options.webhook_addr, options.webhook_certs)
        .connect()
        .await?;
    guestbook::register(&mut manager);
    let ended = shutdown.run(GRACE, manager.run(&shutdown)).await;
    let code = ended.exit_code();
    if let Ended::Finished(result) = ended {
        result?;
    }
    Ok(code)
}

/// Lines for people on a terminal, JSON for everything else. `RUST_LOG` says how much.
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Options;

    #[test]
    fn the_command_line_is_consistent() {
        Options::command().debug_assert();
    }
}
