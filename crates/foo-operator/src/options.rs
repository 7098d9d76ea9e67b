//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Manages an nginx Deployment for each Foo.
#[derive(Clone, Debug, Parser)]
#[command(name = "foo-operator", version)]
pub struct Options {
    /// A command other than running the operator
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Path to the kubeconfig [default: KUBECONFIG, ~/.kube/config or the service account of the pod]
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,

    /// Context in the kubeconfig
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,

    /// Namespace to watch, can be repeated [default: all namespaces]
    #[arg(long = "namespace", value_name = "NAME")]
    pub namespaces: Vec<String>,

    /// Number of Foos to reconcile concurrently
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub workers: u16,

    /// Reconcile only while this replica holds the lease `foo-operator`, in the namespace of the kubeconfig or the pod
    #[arg(long)]
    pub leader_elect: bool,

    /// Address for /metrics, such as 0.0.0.0:8080
    #[arg(long, value_name = "ADDRESS")]
    pub metrics_addr: Option<SocketAddr>,

    /// Address for /healthz and /readyz, such as 0.0.0.0:8081
    #[arg(long, value_name = "ADDRESS")]
    pub probe_addr: Option<SocketAddr>,

    /// Folder with tls.crt and tls.key for /convert, which are reloaded when they change; without it, it is not served
    #[arg(long, value_name = "FOLDER")]
    pub webhook_certs: Option<PathBuf>,

    /// Address for /convert
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:9443")]
    pub webhook_addr: SocketAddr,
}

/// A command other than running the operator.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum Command {
    /// Prints the CRD of the kind Foo
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
        let options = Options::try_parse_from(["foo-operator", "--namespace=a", "--namespace", "b"]).unwrap();
        assert_eq!(options.namespaces, ["a", "b"]);
        assert_eq!(options.workers, 2);
    }

    #[test]
    fn no_worker_is_refused() {
        assert!(Options::try_parse_from(["foo-operator", "--workers=0"]).is_err());
    }
}
