//! Serves a cluster on loopback, to experiment with kubectl or to replay recordings.
//!
//! ```text
//! cargo run -p kgen-fake --features serve --example serve -- --port 8001 --definitions config/crd
//! ```

#![allow(clippy::print_stdout, reason = "it tells where the cluster is")]

use std::time::SystemTime;

use kgen_fake::Cluster;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = Cluster::new().lenient().starting_at(SystemTime::now());
    let mut port = 0;
    let mut arguments = std::env::args().skip(1);
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
    println!(
        "# A kubeconfig for http://127.0.0.1:{}; Ctrl-C ends the cluster.",
        served.port()
    );
    println!("{}", served.kubeconfig());
    std::future::pending::<()>().await;
    Ok(())
}
