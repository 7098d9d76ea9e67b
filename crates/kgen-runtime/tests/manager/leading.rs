//! A replica before it leads: it only fills its caches.

use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::manager::{Controller, Manager, ManagerError};
use kgen_runtime::metrics::Format;
use kgen_runtime::shutdown::Shutdown;
use serde_json::json;
use tokio::time::Instant;

use crate::scripted::lease::SharedLease;
use crate::support::{api, deployment, settle};
use crate::told::Told;
use crate::{DEPLOYMENTS, with_lease};

const MINUTE: Duration = Duration::from_secs(60);

/// Lets another replica hold the lease.
fn held_by_another(lease: &SharedLease) {
    lease.put(json!({ "holderIdentity": "another", "leaseDurationSeconds": 3600 }));
}

#[tokio::test(start_paused = true)]
async fn a_standby_queues_nothing_and_begins_with_the_cache() {
    let (connection, mut api) = api();
    let lease = SharedLease::default();
    held_by_another(&lease);
    let mut manager = Manager::builder("operator")
        .leader_election(true)
        .with_client(with_lease(&lease, connection.client()), "system");
    let (told, mut calls) = Told::new(&[]);
    let deployments = manager.informers().informer::<Deployment>();
    let controller = Controller::new(&manager, "deployments", told).watch(&deployments);
    let queue = controller.queue().clone();
    manager.add(controller);
    let metrics = manager.metrics().clone();
    let shutdown = Shutdown::default();
    let told = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&told).await });

    let there = [deployment("a", "1"), deployment("b", "1"), deployment("c", "1")];
    api.list(DEPLOYMENTS).await.items("2", &there);
    let watch = api.watch(DEPLOYMENTS).await.open();
    watch.added(&deployment("d", "3"));
    watch.deleted(&deployment("b", "4"));
    watch.modified(&deployment("c", "5"));
    settle().await;
    assert!(deployments.has_synced());
    assert_eq!(queue.len(), 0);
    let text = metrics.encode(Format::Prometheus);
    assert!(
        text.contains("workqueue_adds_total{name=\"deployments\",controller=\"deployments\"} 0"),
        "{text}"
    );
    assert!(calls.try_recv().is_err());

    lease.delete();
    let mut seen = Vec::new();
    for _ in 0..3 {
        seen.push(calls.recv().await.unwrap().0);
    }
    assert_eq!(seen, ["default/a", "default/c", "default/d"]);
    watch.deleted(&deployment("c", "6"));
    assert_eq!(calls.recv().await.unwrap().0, "default/c", "changes follow");
    shutdown.signal();
    running.await.unwrap().unwrap();
    assert!(calls.recv().await.is_none());
    assert_eq!(lease.holder(), None, "it was released");
}

#[tokio::test(start_paused = true)]
async fn the_lease_is_acquired_after_the_caches_are_filled() {
    let (connection, mut api) = api();
    let lease = SharedLease::default();
    let mut manager = Manager::builder("operator")
        .leader_election(true)
        .with_client(with_lease(&lease, connection.client()), "system");
    let (told, mut calls) = Told::new(&[]);
    let deployments = manager.informers().informer::<Deployment>();
    manager.add(Controller::new(&manager, "deployments", told).watch(&deployments));
    let shutdown = Shutdown::default();
    let told = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&told).await });
    let list = api.list(DEPLOYMENTS).await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(lease.holder(), None);
    list.items("2", &[deployment("web", "1")]);
    let _watch = api.watch(DEPLOYMENTS).await.open();
    calls.recv().await.unwrap();
    assert!(lease.holder().is_some());
    shutdown.signal();
    running.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn caches_that_are_never_filled_end_the_manager() {
    let (connection, mut api) = api();
    let lease = SharedLease::default();
    for timeout in [None, Some(MINUTE)] {
        let mut builder = Manager::builder("operator").leader_election(true);
        if let Some(timeout) = timeout {
            builder = builder.sync_timeout(timeout);
        }
        let mut manager = builder.with_client(with_lease(&lease, connection.client()), "system");
        let deployments = manager.informers().informer::<Deployment>();
        manager.add(Controller::new(&manager, "deployments", Told::new(&[]).0).watch(&deployments));
        let started = Instant::now();
        let mut running = tokio::spawn(async move { manager.run(&Shutdown::default()).await });
        let error = loop {
            tokio::select! {
                ended = &mut running => break ended.unwrap().unwrap_err(),
                list = api.list(DEPLOYMENTS) => list.refuse(403, "Forbidden"),
            }
        };
        let ManagerError::NotSynced(report) = &error else {
            panic!("{error:?}");
        };
        let report = report.to_string();
        assert!(
            report.contains("deployments.apps") && report.contains("Forbidden"),
            "{report}"
        );
        let took = started.elapsed().as_secs();
        assert_eq!(took, timeout.unwrap_or(2 * MINUTE).as_secs());
        assert_eq!(lease.holder(), None, "it was never acquired");
    }
}
