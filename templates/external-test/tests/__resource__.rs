//! Tests the controller of {{ kind }} objects, on an in-memory cluster and on a real control plane.
//!
//! `make test` uses the in-memory cluster, `make test-control-plane` also the real API server.

use std::path::Path;
use std::time::Duration;

use kgen_runtime::manager::Manager;
use kgen_runtime::shutdown::Shutdown;

/// The resource of the controller, as in the markers of its rules.
const RESOURCE: &str = "resources={{ plural }}";

/// The CRDs of the project, if it has kinds of its own.
const DEFINITIONS: &str = "config/crd/bases";

/// Runs the operator until the test ends.
fn run(client: kube::Client, namespace: &str) {
    let mut manager = Manager::builder("{{ name }}").with_client(client, namespace);
    {{ crate_name }}::register(&mut manager);
    tokio::spawn(async move { manager.run(&Shutdown::default()).await });
}

// Extend this test: create an object, and wait for the changes that the controller makes.
kgen_fake::on_both!(the_controller_watches_its_objects, |cluster| async move {
    if Path::new(DEFINITIONS).exists() {
        cluster.definitions(DEFINITIONS).await;
    }
    run(cluster.client(), cluster.namespace());
    cluster
        .until("the controller watches", async || {
            let requests = cluster.requests();
            let mut lines = requests.iter().map(|request| request.line());
            lines.any(|line| line == "watch {{ plural }}")
        })
        .await;
});

/// The RBAC markers of the controller allow every request that it sends, and no other.
#[tokio::test(start_paused = true)]
async fn the_role_is_exact() {
    let mut cluster = kgen_fake::Cluster::new().role("config/rbac/role.yaml");
    if Path::new(DEFINITIONS).exists() {
        cluster = cluster.definitions(DEFINITIONS);
    }
    let cluster = cluster.start();
    run(cluster.client(), "default");
    cluster.advance(Duration::from_secs(60)).await;
    let missing = cluster.access().missing();
    assert!(missing.is_empty(), "add these markers: {missing:#?}");
    // The rules of other kinds have tests of their own.
    let is_ours = |part: &str| part == RESOURCE;
    let mut unused = cluster.access().unused();
    unused.retain(|rule| rule.split([',', '/']).any(is_ours));
    assert!(unused.is_empty(), "remove these markers: {unused:#?}");
}
