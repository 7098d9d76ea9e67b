//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Keeps a Deployment of nginx for each Foo.
#[derive(Clone, Debug, Parser)]
#[command(name = "foo-operator", version)]
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

    /// How many Foos to work on at once
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub workers: u16,

    /// Work only while this replica holds the lease `foo-operator`, in the namespace of the kubeconfig or the pod
    #[arg(long)]
    pub leader_elect: bool,

    /// Serve /metrics at this address, such as 0.0.0.0:8080
    #[arg(long, value_name = "ADDRESS")]
    pub metrics_addr: Option<SocketAddr>,

    /// Serve /healthz and /readyz at this address, such as 0.0.0.0:8081
    #[arg(long, value_name = "ADDRESS")]
    pub probe_addr: Option<SocketAddr>,
}

/// Something else than to operate.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum Command {
    /// Prints the definition of the kind Foo
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
