//! Serves a cluster on loopback, to experiment with kubectl or to replay recordings.
//!
//! ```text
//! cargo run -p kgen-fake --features serve --example serve -- --port 8001 --definitions config/crd
//! ```

#![allow(clippy::print_stdout, reason = "it tells where the cluster is")]

use std::time::SystemTime;

use kgen_fake::{Cluster, Served};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (_cluster, served) = start(std::env::args().skip(1)).await?;
    println!(
        "# A kubeconfig for http://127.0.0.1:{}; Ctrl-C ends the cluster.",
        served.port()
    );
    println!(
        "# `kubectl create -f` and `kubectl apply` work; `kubectl create configmap` sends protobuf, which is refused."
    );
    println!("{}", served.kubeconfig());
    std::future::pending::<()>().await;
    Ok(())
}

/// Starts the cluster that the arguments describe.
pub(crate) async fn start(
    arguments: impl IntoIterator<Item = String>,
) -> Result<(Cluster, Served), Box<dyn std::error::Error>> {
    let mut builder = Cluster::new().lenient().starting_at(SystemTime::now());
    let mut port = 0;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--port" => port = value()?.parse()?,
            "--definitions" => builder = builder.definitions(value()?),
            "--objects" => builder = builder.objects(value()?),
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let cluster = builder.start();
    let served = cluster.serve_on(port).await?;
    Ok((cluster, served))
}
