//! The program that runs the operator.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use kgen_runtime::manager::{GRACE, Manager};
use kgen_runtime::shutdown::{Ended, Shutdown};
use tracing_subscriber::EnvFilter;

/// The name of the operator, which is also its event source, its lease and its field manager.
const NAME: &str = "guestbook";

#[derive(Debug, Parser)]
#[command(name = NAME, version, about)]
struct Options {
    /// Path to the kubeconfig [default: KUBECONFIG, ~/.kube/config or the service account of the pod]
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// Context in the kubeconfig
    #[arg(long, value_name = "NAME")]
    context: Option<String>,

    /// Namespace to watch, can be repeated [default: all namespaces]
    #[arg(long = "namespace", value_name = "NAME")]
    namespaces: Vec<String>,

    /// Run the controllers only while this replica is the leader
    #[arg(long)]
    leader_elect: bool,

    /// Address for /metrics, such as 0.0.0.0:8080
    #[arg(long, value_name = "ADDRESS")]
    metrics_addr: Option<SocketAddr>,

    /// Address for /healthz and /readyz, such as 0.0.0.0:8081
    #[arg(long, value_name = "ADDRESS")]
    probe_addr: Option<SocketAddr>,

    /// Address for the webhooks
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:9443")]
    webhook_addr: SocketAddr,

    /// Folder with tls.crt and tls.key for the webhooks; without it, they are not served
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Options;

    #[test]
    fn the_command_line_is_valid() {
        Options::command().debug_assert();
    }
}
