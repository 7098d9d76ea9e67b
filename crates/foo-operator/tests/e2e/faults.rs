//! What goes wrong in clusters, played one after the other; nothing may be lost. Nobody has to run any pod.

use std::time::Instant;

use foo_operator::api::v1alpha1::{Foo, FooSpec};
use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use kgen_testenv::suite::Outcome;
use kgen_testenv::{Component, ControlPlane};
use kube::ResourceExt;
use kube::api::{DeleteParams, ListParams};

use crate::cluster::{Cluster, Result, note, poll};

/// How many Foos come at once.
const MANY: usize = 1000;

pub async fn the_api_server_is_killed_and_restarted() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder()).await?;
    let operator = cluster.operator("operator", &[]).await?;
    cluster.create_foo("before", "before", 1).await?;
    cluster.until("the operator works", "before", is_there).await?;
    cluster.control_plane.kill(Component::ApiServer)?;
    cluster.control_plane.restart(Component::ApiServer).await?;
    cluster.create_foo("after", "after", 1).await?;
    cluster
        .until("the operator works again", "after", is_there)
        .await?;
    drop(operator);
    cluster.control_plane.stop().await?;
    Ok(())
}

/// The operator stands still while a Deployment is deleted, and when it goes on, the server has forgotten all about it: the
/// watch is answered with 410, and only a new list shows what is missing.
pub async fn a_deletion_falls_into_a_gap_of_the_watch() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder()).await?;
    let operator = cluster.operator("operator", &[]).await?;
    cluster.create_foo("example", "web", 1).await?;
    let before = cluster.until("the operator works", "web", is_there).await?;
    let before = before.and_then(|deployment| deployment.uid());
    cluster
        .until("the status is written", "example", |foo: Option<&Foo>| {
            foo.is_some_and(|foo| foo.status.is_some())
        })
        .await?;

    operator.signal("STOP")?;
    let deployments = cluster.api::<Deployment>();
    deployments.delete("web", &DeleteParams::background()).await?;
    cluster.create_foo("meanwhile", "meanwhile", 1).await?;
    cluster.control_plane.compact_etcd().await?;
    cluster.control_plane.kill(Component::ApiServer)?;
    cluster.control_plane.restart(Component::ApiServer).await?;
    operator.signal("CONT")?;

    let is_new =
        |deployment: Option<&Deployment>| deployment.is_some_and(|deployment| deployment.uid() != before);
    cluster
        .until("the Deployment is made again", "web", is_new)
        .await?;
    cluster
        .until("the new Foo was seen", "meanwhile", is_there)
        .await?;
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
    drop(first);
    let start = Instant::now();
    cluster.create_foo("example", "web", 1).await?;
    cluster.until("the second one works", "web", is_there).await?;
    note(&format!(
        "a killed leader was replaced after {:.1} s",
        start.elapsed().as_secs_f64()
    ));
    assert!(second.log().contains("became leader"), "{}", second.log());
    drop(second);
    cluster.control_plane.stop().await?;
    Ok(())
}

pub async fn a_thousand_foos_come_at_once() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder()).await?;
    let operator = cluster.operator("operator", &["--workers=8"]).await?;
    let start = Instant::now();
    let created = futures::stream::iter(0..MANY).map(async |number| {
        let spec = FooSpec {
            deployment_name: format!("web-{number}"),
            replicas: Some(1),
        };
        cluster
            .foos
            .create(&Foo::new(&format!("foo-{number}"), spec))
            .await
    });
    let failed = created
        .buffer_unordered(16)
        .filter(|created| std::future::ready(created.is_err()))
        .count()
        .await;
    assert_eq!(failed, 0);
    note(&format!(
        "{MANY} Foos were created in {:.1} s",
        start.elapsed().as_secs_f64()
    ));
    while count(&cluster).await? < MANY {
        assert!(start.elapsed().as_secs() < 180, "{}", operator.log());
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    note(&format!(
        "they had Deployments and status after {:.1} s",
        start.elapsed().as_secs_f64()
    ));
    let deployments = cluster
        .api::<Deployment>()
        .list_metadata(&ListParams::default())
        .await?;
    assert_eq!(deployments.items.len(), MANY);
    drop(operator);
    cluster.control_plane.stop().await?;
    Ok(())
}

/// How many Foos have a status.
async fn count(cluster: &Cluster) -> Result<usize> {
    let foos = cluster.foos.list(&ListParams::default()).await?;
    Ok(foos.items.iter().filter(|foo| foo.status.is_some()).count())
}

fn is_there(deployment: Option<&Deployment>) -> bool {
    deployment.is_some()
}
