//! Plain HTTP on loopback.

use std::net::{Ipv4Addr, SocketAddr};

use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;

use crate::cluster::{Cluster, admin};

/// The address of a cluster that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    address: SocketAddr,
}

impl Served {
    /// Returns the port.
    pub fn port(self) -> u16 {
        self.address.port()
    }

    /// Returns a kubeconfig for the cluster.
    pub fn kubeconfig(self) -> String {
        format!(
            "apiVersion: v1\nkind: Config\nclusters:\n- name: kgen-fake\n  cluster:\n    server: http://{}\ncontexts:\n- \
             name: kgen-fake\n  context:\n    cluster: kgen-fake\n    user: kgen-fake\ncurrent-context: \
             kgen-fake\nusers:\n- name: kgen-fake\n  user: {{}}\n",
            self.address
        )
    }
}

impl Cluster {
    /// Serves the cluster on a free port of loopback, until the runtime ends. Every client may do anything.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is available.
    pub async fn serve(&self) -> std::io::Result<Served> {
        self.serve_on(0).await
    }

    /// Serves the cluster on a port of loopback, until the runtime ends. Every client may do anything.
    ///
    /// # Errors
    ///
    /// Returns an error if the port is not available.
    pub async fn serve_on(&self, port: u16) -> std::io::Result<Served> {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let cluster = self.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let service = TowerToHyperService::new(cluster.service(admin()));
                tokio::spawn(async move {
                    // A client that closes its connection is not an error.
                    let _ = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                });
            }
        });
        Ok(Served { address })
    }
}
