//! The program that runs the operator.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use kgen_runtime::manager::{GRACE, Manager};
use kgen_runtime::shutdown::{Ended, Shutdown};
use tracing_subscriber::EnvFilter;

/// The name of the operator, which is also its event source, its lease and its field manager.
const NAME: &str = "fleet";

#[derive(Debug, Parser)]
// As in programs in Go, the last value of a flag wins, so that patches can append flags.
#[command(name = NAME, version, about, args_override_self = true)]
struct Options {
    /// Path to the kubeconfig [default: KUBECONFIG, ~/.kube/config or the service account of the pod]
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// Context in the kubeconfig
    #[arg(long, value_name = "NAME")]
    context: Option<String>,

    /// Namespace to watch, can be repeated [default: all namespaces]
    #[arg(
        long = "namespace",
        env = "WATCH_NAMESPACE",
        value_delimiter = ',',
        value_name = "NAME"
    )]
    namespaces: Vec<String>,

    /// Run the controllers only while this replica is the leader
    #[arg(long)]
    leader_elect: bool,

    /// Namespace of the lease [default: the namespace of the pod or of the kubeconfig]
    #[arg(long, value_name = "NAME")]
    leader_election_namespace: Option<String>,

    /// Name of the lease [default: the name of the operator]
    #[arg(long, value_name = "NAME")]
    leader_election_id: Option<String>,

    /// How many objects each controller reconciles at the same time
    #[arg(long, value_name = "COUNT", default_value = "1")]
    workers: NonZeroU16,

    /// Address for /metrics over TLS, such as 0.0.0.0:8443; clients need a role that allows it
    #[arg(long, value_name = "ADDRESS")]
    metrics_addr: Option<SocketAddr>,

    /// Folder with tls.crt and tls.key for the metrics [default: a self-signed certificate]
    #[arg(long, value_name = "FOLDER", conflicts_with = "metrics_insecure")]
    metrics_certs: Option<PathBuf>,

    /// Serve the metrics over plain HTTP, to every client
    #[arg(long)]
    metrics_insecure: bool,

    /// Serve the metrics over HTTP/2, too
    #[arg(long, conflicts_with = "metrics_insecure")]
    enable_http2: bool,

    /// Address for /healthz and /readyz, such as 0.0.0.0:8081
    #[arg(long, value_name = "ADDRESS")]
    probe_addr: Option<SocketAddr>,

    /// Address for the webhooks
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:9443")]
    webhook_addr: SocketAddr,

    /// Folder with tls.crt and tls.key for the webhooks; without it, they are not served
    #[arg(long, value_name = "FOLDER")]
    webhook_certs: Option<PathBuf>,

    /// Log filter, such as `debug` or `info,kube=debug` [default: RUST_LOG or info]
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,

    /// Format of the log [default: text on a terminal, otherwise JSON]
    #[arg(long, value_enum, value_name = "FORMAT")]
    log_format: Option<LogFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum LogFormat {
    Json,
    Text,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Err(error) = start_logging(&options) {
        eprintln!("error: {error:#}");
        return ExitCode::FAILURE;
    }
    operate(options).unwrap_or_else(|error| {
        tracing::error!("{error:#}");
        ExitCode::FAILURE
    })
}

#[tokio::main]
async fn operate(options: Options) -> Result<ExitCode> {
    let shutdown = Shutdown::on_signals().context("cannot listen for signals")?;
    let manager = Manager::builder(NAME);
    let manager = if options.metrics_insecure {
        manager.serve_metrics_insecurely(options.metrics_addr)
    } else {
        manager
            .serve_metrics(options.metrics_addr)
            .metrics_certificates(options.metrics_certs)
            .metrics_http2(options.enable_http2)
    };
    let mut manager = manager
        .kubeconfig(options.kubeconfig)
        .context(options.context)
        .namespaces(options.namespaces)
        .leader_election(options.leader_elect)
        .lease_namespace(options.leader_election_namespace)
        .lease_name(options.leader_election_id)
        .workers(options.workers.get())
        .serve_probes(options.probe_addr)
        .webhooks(options.webhook_addr, options.webhook_certs)
        .connect()
        .await?;
    fleet::register(&mut manager);
    let ended = shutdown.run(GRACE, manager.run(&shutdown)).await;
    let code = ended.exit_code();
    if let Ended::Finished(result) = ended {
        result?;
    }
    Ok(code)
}

/// Starts logging to standard error.
fn start_logging(options: &Options) -> Result<()> {
    let filter = match &options.log_level {
        Some(level) => EnvFilter::try_new(level).context("invalid --log-level")?,
        None => EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info")),
    };
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let is_text = match options.log_format {
        Some(format) => format == LogFormat::Text,
        None => std::io::stderr().is_terminal(),
    };
    if is_text {
        lines.init();
    } else {
        lines.json().init();
    }
    Ok(())
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
