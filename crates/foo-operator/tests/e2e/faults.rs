//! Faults in clusters, simulated one after the other. Each test counts the missing objects afterwards: no object may be
//! lost.

use std::time::Instant;

use foo_operator::api::v1::{Foo, FooSpec};
use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use kgen_testenv::suite::Outcome;
use kgen_testenv::{Component, ControlPlane};
use kube::ResourceExt;
use kube::api::{DeleteParams, Patch};
use serde_json::json;

use crate::cluster::{Cluster, Result, note, poll};
use crate::collisions::Proxy;
use crate::lost::{Goal, Wanted, nothing_is_lost};

/// How many Foos come at once.
const MANY: usize = 1000;

/// All that the operator writes.
const SORTS_OF_WRITES: [&str; 7] = [
    "POST deployments",
    "PATCH deployments",
    "DELETE deployments",
    "PATCH foos/status",
    "POST events",
    "PATCH events",
    "PUT leases",
];

/// The server goes away while the first pods run and others are still to be created. From before the fault until after it no
/// pod finds a node, so that the rollout cannot be over before.
pub async fn the_api_server_is_killed_in_the_middle_of_a_rollout() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder().with_nodes(1)).await?;
    let operator = cluster.operator("operator", &[]).await?;
    cluster.create_foo("before", "before", 1).await?;
    cluster.until_ready("before", 1).await?;
    cluster.control_plane.kill(Component::Scheduler)?;
    let mut wanted = create_foos(&cluster, 20, 3).await?;
    wanted.push(Wanted::new("before", "before", 1));
    cluster.until("the operator works", "web-0", is_there).await?;
    cluster.control_plane.kill(Component::ApiServer)?;
    cluster.control_plane.restart(Component::ApiServer).await?;
    cluster.control_plane.restart(Component::Scheduler).await?;
    cluster.create_foo("after", "after", 1).await?;
    wanted.push(Wanted::new("after", "after", 1));
    let fault = "the API server killed in the middle of a rollout";
    nothing_is_lost(&cluster, fault, &wanted, Goal::Ready).await?;
    drop(operator);
    cluster.control_plane.stop().await?;
    Ok(())
}

/// The operator is paused while objects are deleted and created, and when it continues, etcd has been compacted: the
/// watch is answered with 410, and only a new list shows the changes.
pub async fn deletions_fall_into_a_gap_of_the_watch() -> Outcome {
    // The new list of Deployments may come before that of Foos. Then the operator brings back what a Foo owned that is gone, as
    // every controller would, and the garbage collector puts an end to it.
    let cluster = Cluster::start(ControlPlane::builder().with(Component::ControllerManager)).await?;
    let operator = cluster.operator("operator", &[]).await?;
    let mut wanted = create_foos(&cluster, 3, 1).await?;
    nothing_is_lost(&cluster, "before the gap", &wanted, Goal::Status).await?;
    let deployments = cluster.api::<Deployment>();
    let before = deployments.get("web-0").await?.uid();

    operator.signal("STOP")?;
    let background = DeleteParams::background();
    deployments.delete("web-0", &background).await?;
    cluster.foos.delete("foo-1", &background).await?;
    cluster
        .until("what a Foo leaves behind is collected", "web-1", is_gone)
        .await?;
    wanted.remove(1);
    cluster.create_foo("meanwhile", "meanwhile", 1).await?;
    wanted.push(Wanted::new("meanwhile", "meanwhile", 1));
    cluster.control_plane.compact_etcd().await?;
    cluster.control_plane.kill(Component::ApiServer)?;
    cluster.control_plane.restart(Component::ApiServer).await?;
    operator.signal("CONT")?;

    let fault = "deletions while the watch was down, and 410 for what was missed";
    nothing_is_lost(&cluster, fault, &wanted, Goal::Status).await?;
    assert_ne!(deployments.get("web-0").await?.uid(), before);
    let log = operator.log();
    assert!(
        log.contains("too old resource version"),
        "no watch was answered with 410:\n{log}"
    );
    drop(operator);
    cluster.control_plane.stop().await?;
    Ok(())
}

pub async fn the_leader_is_killed() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder()).await?;
    let first = cluster.operator("first", &["--leader-elect"]).await?;
    poll("the first one leads", || {
        Ok(first.log().contains("became leader"))
    })
    .await?;
    let second = cluster.operator("second", &["--leader-elect"]).await?;
    // The leader dies while it has work, and more work arrives while there is no leader.
    let busy = create_foos(&cluster, 20, 1).await?;
    cluster.until("the first one works", "web-0", is_there).await?;
    drop(first);
    let mut wanted: Vec<_> = busy.into_iter().map(Wanted::maybe_untold).collect();
    let start = Instant::now();
    cluster.create_foo("orphan", "orphan", 1).await?;
    wanted.push(Wanted::new("orphan", "orphan", 1));
    cluster.until("the second one works", "orphan", is_there).await?;
    note(&format!(
        "measured: a killed leader was replaced after {:.1} s",
        start.elapsed().as_secs_f64()
    ));
    assert!(second.log().contains("became leader"), "{}", second.log());
    nothing_is_lost(&cluster, "the leader killed", &wanted, Goal::Status).await?;
    drop(second);
    cluster.control_plane.stop().await?;
    Ok(())
}

/// Foos are created, scaled and renamed while every second write of each sort is refused with a conflict.
pub async fn every_second_write_collides() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder().with_nodes(1)).await?;
    let proxy = Proxy::start(cluster.control_plane.kubeconfig())?;
    let mut operator = cluster
        .operator_behind(&proxy, "operator", &["--leader-elect", "--workers=4"])
        .await?;
    let mut wanted = create_foos(&cluster, 30, 1).await?;
    nothing_is_lost(&cluster, "created with conflicts", &wanted, Goal::Ready).await?;
    for (number, wanted) in wanted.iter_mut().enumerate() {
        wanted.replicas = 2;
        if number % 3 == 0 {
            wanted.deployment = format!("renamed-{number}");
        }
        let change = json!({ "spec": { "replicas": wanted.replicas, "deploymentName": wanted.deployment } });
        cluster.foos.patch(&wanted.name, &Patch::Merge(change)).await?;
    }
    let fault = "conflicts on every second write";
    nothing_is_lost(&cluster, fault, &wanted, Goal::Ready).await?;

    // Leases are written every two seconds, whatever else there is to do.
    poll("every sort of write has collided", || {
        let counts = proxy.counts();
        let collided = |sort: &&str| counts.get(*sort).is_some_and(|count| count.collisions > 0);
        Ok(SORTS_OF_WRITES.iter().all(collided))
    })
    .await?;
    let counts = proxy.counts();
    let total: usize = counts.values().map(|count| count.collisions).sum();
    note(&format!("measured: {total} conflicts: {counts:?}"));
    let log = operator.log();
    assert!(!log.to_lowercase().contains("forbidden"), "{log}");
    assert!(operator.terminate()?.success(), "{}", operator.log());
    drop(proxy);
    cluster.control_plane.stop().await?;
    Ok(())
}

pub async fn a_thousand_foos_come_at_once() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder()).await?;
    let operator = cluster.operator("operator", &["--workers=8"]).await?;
    let start = Instant::now();
    let wanted = create_foos(&cluster, MANY, 1).await?;
    note(&format!(
        "measured: {MANY} Foos were created in {:.1} s",
        start.elapsed().as_secs_f64()
    ));
    nothing_is_lost(&cluster, "all at once", &wanted, Goal::Status).await?;
    note(&format!(
        "measured: they had Deployments, status and events after {:.1} s",
        start.elapsed().as_secs_f64()
    ));
    drop(operator);
    cluster.control_plane.stop().await?;
    Ok(())
}

/// Creates so many Foos at the same time.
async fn create_foos(cluster: &Cluster, count: usize, replicas: i32) -> Result<Vec<Wanted>> {
    let wanted: Vec<_> = (0..count)
        .map(|number| Wanted::new(format!("foo-{number}"), format!("web-{number}"), replicas))
        .collect();
    let foos = wanted.iter().map(|wanted| {
        let spec = FooSpec {
            deployment_name: wanted.deployment.clone(),
            replicas: Some(wanted.replicas),
            ..FooSpec::default()
        };
        Foo::new(&wanted.name, spec)
    });
    let mut created = futures::stream::iter(foos)
        .map(async |foo| cluster.foos.create(&foo).await)
        .buffer_unordered(16);
    while let Some(created) = created.next().await {
        created?;
    }
    drop(created);
    Ok(wanted)
}

fn is_there(deployment: Option<&Deployment>) -> bool {
    deployment.is_some()
}

fn is_gone(deployment: Option<&Deployment>) -> bool {
    deployment.is_none()
}
