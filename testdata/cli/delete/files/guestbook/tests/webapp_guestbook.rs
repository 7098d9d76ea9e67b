//! My test: Tests the controller of Guestbook objects, on an in-memory cluster and on a real control plane.
//!
//! My test: `make test` uses the in-memory cluster, `make test-control-plane` also the real API server.

use std::time::Duration;

use kgen_runtime::condition;
use kgen_runtime::manager::Manager;
use kgen_runtime::shutdown::Shutdown;

use guestbook::api::webapp::v1::guestbook::Guestbook;
use guestbook::api::webapp::v1::guestbook::GuestbookSpec;

/// The group and the resource of the controller, as in the markers of its rules.
const GROUP: &str = "groups=webapp.example.com,";
const RESOURCE: &str = "resources=guestbooks";

/// Runs the operator until the test ends.
fn run(client: kube::Client, namespace: &str) {
    let manager = Manager::builder("guestbook").namespaces([namespace]);
    let mut manager = manager.with_client(client, namespace);
    guestbook::register(&mut manager);
    tokio::spawn(async move { manager.run(&Shutdown::default()).await });
}

fn example() -> Guestbook {
    let spec = GuestbookSpec::default();
    Guestbook::new("one", spec)
}

/// Returns whether the controller has written that the example is ready.
async fn is_ready(objects: &kube::Api<Guestbook>) -> bool {
    let found = objects.get("one").await.expect("the example exists");
    let status = found.status.unwrap_or_default();
    condition::is_true(&status.conditions, "Ready")
}

kgen_fake::on_both!(a_new_object_becomes_ready, |cluster| async move {
    cluster.definitions("config/crd/bases").await;
    run(cluster.client(), cluster.namespace());
    let objects = kube::Api::namespaced(cluster.admin(), cluster.namespace());
    let created = objects.create(&Default::default(), &example()).await;
    created.expect("the example is valid");
    cluster
        .until("the example is ready", async || is_ready(&objects).await)
        .await;
});

/// The RBAC markers of the controller allow every request that it sends, and no other.
#[tokio::test(start_paused = true)]
async fn the_role_is_exact() {
    let cluster = kgen_fake::Cluster::new()
        .definitions("config/crd/bases")
        .role("config/rbac/role.yaml")
        .start();
    run(cluster.client(), "default");
    cluster.put(&example());
    cluster.advance(Duration::from_secs(60)).await;
    let objects = kube::Api::default_namespaced(cluster.admin());
    assert!(is_ready(&objects).await);
    let missing = cluster.access().missing();
    assert!(missing.is_empty(), "add these markers: {missing:#?}");
    // The rules of other kinds have tests of their own.
    let is_ours = |part: &str| part == RESOURCE;
    let mut unused = cluster.access().unused();
    unused.retain(|rule| rule.contains(GROUP) && rule.split([',', '/']).any(is_ours));
    if std::path::Path::new("src/conversion").is_dir() {
        // Only storage migrations use these verbs, and none runs here.
        unused.retain(|rule| !rule.ends_with("verbs=get;patch"));
    }
    assert!(unused.is_empty(), "remove these markers: {unused:#?}");
}
