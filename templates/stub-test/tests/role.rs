//! Tests that the role allows every request of the operator, on an in-memory cluster.

use std::time::Duration;

use kgen_runtime::manager::Manager;
use kgen_runtime::shutdown::Shutdown;

#[tokio::test(start_paused = true)]
async fn the_role_is_sufficient() {
    let cluster = kgen_fake::Cluster::new()
{%- if has_definitions %}
        .definitions("config/crd/bases")
{%- endif %}
        .role("config/rbac/role.yaml")
        .start();
    let mut manager = Manager::builder("{{ name }}").with_client(cluster.client(), "default");
    {{ crate_name }}::register(&mut manager);
    tokio::spawn(async move { manager.run(&Shutdown::default()).await });
    cluster.advance(Duration::from_secs(60)).await;
    let missing = cluster.access().missing();
    assert!(missing.is_empty(), "add these markers: {missing:#?}");
}
