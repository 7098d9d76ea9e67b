//! Which objects are reconciled, and when.

use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Node};
use kgen_runtime::manager::{Controller, Manager, ManagerError};
use kgen_runtime::metrics::Format;
use kgen_runtime::shutdown::Shutdown;
use serde_json::{Value, json};

use crate::support::log::Log;
use crate::support::{api, deployment, map};
use crate::told::{Step, Told};
use crate::{DEPLOYMENTS, MAPS};

/// Returns an object that `owner` controls.
fn owned(mut object: Value, api_version: &str, kind: &str, owner: &str) -> Value {
    object["metadata"]["ownerReferences"] =
        json!([{ "apiVersion": api_version, "kind": kind, "name": owner, "uid": "u", "controller": true }]);
    object
}

#[tokio::test(start_paused = true)]
async fn objects_and_those_that_own_them_are_reconciled() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let (told, mut calls) = Told::new(&[]);
    let deployments = manager.informers().informer::<Deployment>();
    let maps = manager.informers().informer::<ConfigMap>();
    let controller = Controller::new(&manager, "deployments", told)
        .watch(&deployments)
        .watch_owned::<Deployment, _>(&maps)
        .watch_owned::<Node, _>(&maps)
        .workers(2);
    manager.add(controller);
    let shutdown = Shutdown::default();
    let told = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&told).await });

    api.list(DEPLOYMENTS).await.items("2", &[deployment("web", "1")]);
    let watch = api.watch(DEPLOYMENTS).await.open();
    assert!(calls.try_recv().is_err(), "not before all caches are filled");
    api.list(MAPS).await.items("3", &[]);
    let maps = api.watch(MAPS).await.open();
    assert_eq!(calls.recv().await.unwrap().0, "default/web");

    watch.deleted(&deployment("web", "3"));
    assert_eq!(calls.recv().await.unwrap().0, "default/web", "also what is gone");
    maps.added(&owned(map("a", "4"), "apps/v1", "Deployment", "shop"));
    assert_eq!(calls.recv().await.unwrap().0, "default/shop");
    maps.added(&owned(map("b", "5"), "other/v1", "Deployment", "elsewhere"));
    maps.added(&owned(map("c", "6"), "v1", "Node", "worker"));
    assert_eq!(
        calls.recv().await.unwrap().0,
        "worker",
        "an owner of the cluster has no namespace"
    );
    // A map that changes hands concerns both.
    maps.modified(&owned(map("a", "7"), "apps/v1", "Deployment", "web"));
    let mut both = [calls.recv().await.unwrap().0, calls.recv().await.unwrap().0];
    both.sort();
    assert_eq!(both, ["default/shop", "default/web"]);

    shutdown.signal();
    running.await.unwrap().unwrap();
    assert!(calls.recv().await.is_none(), "the workers have ended");
}

#[tokio::test(start_paused = true)]
async fn failures_and_panics_are_tried_again_and_counted() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let minute = Duration::from_secs(60);
    let (told, mut calls) =
        Told::new(&[("web", &[Step::Fail, Step::Panic, Step::Again(minute), Step::Fine])]);
    let deployments = manager.informers().informer::<Deployment>();
    let controller = Controller::new(&manager, "deployments", told).watch(&deployments);
    manager.add(controller);
    let metrics = manager.metrics().clone();
    let shutdown = Shutdown::default();
    let told = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&told).await });
    api.list(DEPLOYMENTS).await.items("2", &[deployment("web", "1")]);
    let _watch = api.watch(DEPLOYMENTS).await.open();

    let mut times = Vec::new();
    for _ in 0..4 {
        times.push(calls.recv().await.unwrap().1);
    }
    let pauses: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(pauses[0] < pauses[1], "delays grow: {pauses:?}");
    assert!(pauses[1] < Duration::from_secs(1), "{pauses:?}");
    assert!(
        pauses[2] >= minute && pauses[2] < minute + Duration::from_secs(1),
        "{pauses:?}"
    );
    shutdown.signal();
    running.await.unwrap().unwrap();
    let text = metrics.encode(Format::Prometheus);
    // A panic is an error with a counter of its own.
    for (result, count) in [("error", 2), ("requeue_after", 1), ("success", 1), ("requeue", 0)] {
        let labels = format!("controller=\"deployments\",result=\"{result}\"");
        let line = format!("controller_runtime_reconcile_total{{{labels}}} {count}");
        assert!(text.contains(&line), "{line} is not in\n{text}");
    }
    for line in [
        "reconcile_errors_total{controller=\"deployments\"} 2",
        "reconcile_panics_total{controller=\"deployments\"} 1",
        "reconcile_timeouts_total{controller=\"deployments\"} 0",
        "terminal_reconcile_errors_total{controller=\"deployments\"} 0",
        "max_concurrent_reconciles{controller=\"deployments\"} 1",
        "active_workers{controller=\"deployments\"} 0",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let buckets = text
        .lines()
        .filter_map(|line| line.strip_prefix("controller_runtime_reconcile_time_seconds_bucket{le=\""));
    let ends: Vec<&str> = buckets.map(|rest| rest.split_once('"').unwrap().0).collect();
    // Those of controller-runtime.
    assert_eq!(
        ends.join(" "),
        "0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 2.5 3 3.5 4 \
         4.5 5 6 7 8 9 10 15 20 25 30 40 50 60 +Inf"
    );
}

#[tokio::test(start_paused = true)]
async fn errors_are_logged_with_their_sources_once() {
    let (log, _guard) = Log::collect();
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let (told, mut calls) = Told::new(&[("web", &[Step::Fail, Step::Fine])]);
    let deployments = manager.informers().informer::<Deployment>();
    manager.add(Controller::new(&manager, "deployments", told).watch(&deployments));
    let shutdown = Shutdown::default();
    let told = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&told).await });
    api.list(DEPLOYMENTS).await.items("2", &[deployment("web", "1")]);
    let _watch = api.watch(DEPLOYMENTS).await.open();
    calls.recv().await.unwrap();
    calls.recv().await.unwrap();
    shutdown.signal();
    running.await.unwrap().unwrap();
    let lines = log.lines_with("reconciliation failed, will retry");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("error=cannot apply: the server refused: no role allows it"),
        "{}",
        lines[0]
    );
}

#[tokio::test(start_paused = true)]
async fn two_controllers_cannot_have_one_name() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let deployments = manager.informers().informer::<Deployment>();
    let first_line = line!() + 2;
    for _ in 0..2 {
        manager.add(Controller::new(&manager, "web", Told::new(&[]).0).watch(&deployments));
    }
    let error = manager.run(&Shutdown::default()).await.unwrap_err();
    let ManagerError::DuplicateController { name, first, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!((name.as_str(), first.line()), ("web", first_line));
    let place = format!("{}:{first_line}:", file!());
    assert!(error.to_string().contains(&place), "{error}");
    assert!(api.is_idle().await, "nothing was started");
}
