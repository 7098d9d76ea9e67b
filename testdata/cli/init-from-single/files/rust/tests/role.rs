//! Tests that the role allows every request of the operator, on an in-memory cluster.

use std::time::Duration;

use kgen_runtime::manager::Manager;
use kgen_runtime::shutdown::Shutdown;

#[tokio::test(start_paused = true)]
async fn the_role_is_sufficient() {
    let cluster = kgen_fake::Cluster::new()
        .definitions("config/crd/bases")
        .role("config/rbac/role.yaml")
        .start();
    let mut manager = Manager::builder("fleet").with_client(cluster.client(), "default");
    fleet::register(&mut manager);
    tokio::spawn(async move { manager.run(&Shutdown::default()).await });
    cluster.advance(Duration::from_secs(60)).await;
    let missing = cluster.access().missing();
    assert!(missing.is_empty(), "add these markers: {missing:#?}");
}
