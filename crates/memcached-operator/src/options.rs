//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Keeps a Deployment of memcached for each Memcached.
#[derive(Clone, Debug, Parser)]
#[command(name = "memcached-operator", version)]
pub struct Options {
    /// Something else than to operate
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Kubeconfig file; without it, what the environment says, or the service account of the pod
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,

    /// Context of the kubeconfig
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,

    /// Namespace to look after, can be repeated; without it, all of them
    #[arg(long = "namespace", value_name = "NAME")]
    pub namespaces: Vec<String>,

    /// How many Memcacheds to work on at once
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub workers: u16,

    /// Image that the servers run
    #[arg(long, value_name = "IMAGE", default_value = "memcached:1.6-alpine")]
    pub image: String,

    /// Work only while this replica holds the lease `memcached-operator`, in the namespace of the kubeconfig or the pod
    #[arg(long)]
    pub leader_elect: bool,

    /// Serve /metrics at this address, such as 0.0.0.0:8080
    #[arg(long, value_name = "ADDRESS")]
    pub metrics_addr: Option<SocketAddr>,

    /// Serve /healthz and /readyz at this address, such as 0.0.0.0:8081
    #[arg(long, value_name = "ADDRESS")]
    pub probe_addr: Option<SocketAddr>,

    /// Serve the webhooks with tls.crt and tls.key of this folder, which may be replaced while it runs
    #[arg(long, value_name = "FOLDER")]
    pub webhook_certs: Option<PathBuf>,

    /// Where the webhooks are served
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:9443")]
    pub webhook_addr: SocketAddr,
}

/// Something else than to operate.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum Command {
    /// Prints the definition of the kind Memcached
    Crd,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Options::command().debug_assert();
    }

    #[test]
    fn namespaces_add_up() {
        let options =
            Options::try_parse_from(["memcached-operator", "--namespace=a", "--namespace", "b"]).unwrap();
        assert_eq!(options.namespaces, ["a", "b"]);
        assert_eq!(options.workers, 2);
    }

    #[test]
    fn no_worker_is_refused() {
        assert!(Options::try_parse_from(["memcached-operator", "--workers=0"]).is_err());
    }
}
