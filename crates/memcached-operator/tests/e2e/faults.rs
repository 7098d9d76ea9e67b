//! Faults in clusters; no object may be lost.

use kgen_testenv::suite::Outcome;
use kgen_testenv::{Component, ControlPlane};
use kube::ResourceExt;
use kube::api::DeleteParams;
use kube::runtime::conditions::is_deleted;
use memcached_operator::api::v1alpha1::Memcached;

use crate::cluster::Cluster;

/// During a rollout, and again during a deletion.
pub async fn the_api_server_is_killed_and_restarted() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder().with_nodes(1)).await?;
    let operator = cluster.operator("operator", &[]).await?;
    cluster.create("before", 1).await?;
    cluster.until_available("before", 1).await?;
    cluster.create("meanwhile", 5).await?;
    restart(&cluster).await?;
    cluster.create("after", 1).await?;
    for (name, size) in [("meanwhile", 5), ("after", 1), ("before", 1)] {
        cluster.until_available(name, size).await?;
    }

    let memcacheds = cluster.api::<Memcached>();
    let uid = memcacheds.get("meanwhile").await?.uid().unwrap_or_default();
    memcacheds.delete("meanwhile", &DeleteParams::default()).await?;
    restart(&cluster).await?;
    let gone = is_deleted::<Memcached>(&uid);
    cluster.until("the Memcached is gone", "meanwhile", gone).await?;
    drop(operator);
    cluster.control_plane.stop().await?;
    Ok(())
}

async fn restart(cluster: &Cluster) -> Outcome {
    cluster.control_plane.kill(Component::ApiServer)?;
    cluster.control_plane.restart(Component::ApiServer).await?;
    Ok(())
}
