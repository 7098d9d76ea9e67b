//! A manager with controllers and tasks: reconciliation, leader election, and the end.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod ending;
mod leading;
mod migrating;
mod options;
mod probing;
mod reconciling;
#[path = "../support/scripted.rs"]
mod scripted;
#[path = "../support/mod.rs"]
mod support;
mod telemetry;
mod told;

use kube::Client;
use kube::client::Body;

use crate::scripted::lease::SharedLease;

const DEPLOYMENTS: &str = "/apis/apps/v1/deployments";
const MAPS: &str = "/api/v1/configmaps";

/// Returns a client whose requests about leases are answered by `lease`, and all others by the server of `rest`.
fn with_lease(lease: &SharedLease, rest: &Client) -> Client {
    let (lease, rest) = (lease.view().server.client(), rest.clone());
    let service = tower::service_fn(move |request: http::Request<Body>| {
        let is_lease = request.uri().path().starts_with("/apis/coordination.k8s.io/");
        let client = if is_lease { lease.clone() } else { rest.clone() };
        async move { client.send(request).await }
    });
    Client::new(service, "default")
}
