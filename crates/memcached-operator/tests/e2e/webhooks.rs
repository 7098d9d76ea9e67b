//! The webhooks of `config/webhook`, called by a real API server over TLS.

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Outcome;
use kube::ResourceExt;
use kube::api::DeleteParams;
use kube::runtime::conditions::is_deleted;
use memcached_operator::api::v1alpha1::Memcached;
use memcached_operator::reconcile::FINALIZER;

use crate::cluster::{Cluster, config};

pub async fn the_api_server_asks_before_it_stores() -> Outcome {
    // No pods are needed.
    let cluster = Cluster::start(ControlPlane::builder()).await?;
    // Stored before the webhook could reject it.
    cluster.create("even", 2).await?;

    let webhooks = cluster
        .control_plane
        .install_webhooks(config("webhook/manifests.yaml"))
        .await?;
    let address = format!("--webhook-addr={}", webhooks.address());
    let certificates = format!("--webhook-certs={}", webhooks.folder().display());
    let mut operator = cluster.operator("operator", &[&address, &certificates]).await?;
    webhooks.wait_until_reachable().await?;

    let stored = cluster.create("odd", 3).await?;
    assert_eq!(
        stored.spec.container_port,
        Some(11211),
        "what was left out is filled in"
    );
    let refusal = cluster.create("bad", 4).await.unwrap_err().to_string();
    assert!(
        refusal.contains("spec.size: Invalid value: 4: must be an odd number"),
        "{refusal}"
    );
    let refusal = cluster.create(&"a".repeat(64), 3).await.unwrap_err().to_string();
    assert!(refusal.contains("metadata.name: Too long"), "{refusal}");
    let scaled = cluster.kubectl(&[
        "patch",
        "memcached",
        "odd",
        "--type=merge",
        "--patch={\"spec\":{\"size\":2}}",
    ]);
    assert!(scaled.is_err(), "{scaled:?}");

    // An existing object gets its finalizer and can be deleted.
    let has_finalizer = |memcached: Option<&Memcached>| {
        memcached.is_some_and(|memcached| memcached.finalizers().iter().any(|name| name == FINALIZER))
    };
    let even = cluster
        .until("the finalizer is there", "even", has_finalizer)
        .await?;
    let uid = even.and_then(|even| even.uid()).unwrap_or_default();
    cluster
        .api::<Memcached>()
        .delete("even", &DeleteParams::default())
        .await?;
    // Without a controller manager, the foreground deletion of the Deployment does not end.
    let unblock = "--patch={\"metadata\":{\"finalizers\":null}}";
    crate::cluster::poll("the Deployment is on its way out", || {
        let going = cluster.kubectl(&[
            "get",
            "deployment/even",
            "--output=jsonpath={.metadata.deletionTimestamp}",
        ])?;
        Ok(!going.is_empty())
    })
    .await?;
    cluster.kubectl(&["patch", "deployment", "even", "--type=merge", unblock])?;
    let gone = is_deleted::<Memcached>(&uid);
    cluster.until("it is gone", "even", gone).await?;
    assert!(operator.terminate()?.success(), "{}", operator.log());
    cluster.control_plane.stop().await?;
    Ok(())
}
