//! Two operators, of which one leads at a time.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::coordination::v1::Lease;
use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Outcome;
use kube::Api;

use crate::cluster::{Cluster, poll};

pub async fn the_next_one_takes_over() -> Outcome {
    // No pods are needed.
    let cluster = Cluster::start(ControlPlane::builder()).await?;
    let mut first = cluster.operator("first", &["--leader-elect"]).await?;
    poll("the first one leads", || {
        Ok(first.log().contains("became leader"))
    })
    .await?;
    let second = cluster.operator("second", &["--leader-elect"]).await?;
    cluster.create_foo("one", "one", 1).await?;
    let is_there = |deployment: Option<&Deployment>| deployment.is_some();
    cluster.until("the leader works", "one", is_there).await?;
    assert!(!second.log().contains("starting workers"), "{}", second.log());

    // Case 27: it releases the lease, so that the other replica does not have to wait for it to expire.
    assert!(first.terminate()?.success(), "{}", first.log());
    let leases: Api<Lease> = Api::namespaced(cluster.client.clone(), "foo-system");
    let holder = leases
        .get("foo-operator")
        .await?
        .spec
        .unwrap_or_default()
        .holder_identity;
    assert!(
        holder.is_none_or(|holder| holder.is_empty() || second.log().contains(&holder)),
        "{}",
        first.log()
    );
    poll("the second one leads", || {
        Ok(second.log().contains("became leader"))
    })
    .await?;
    cluster.create_foo("two", "two", 1).await?;
    cluster.until("the second one works", "two", is_there).await?;
    for operator in [&first, &second] {
        assert!(
            !operator.log().to_lowercase().contains("forbidden"),
            "{}",
            operator.log()
        );
    }
    drop(second);
    cluster.control_plane.stop().await?;
    Ok(())
}
