//! A manager with controllers and tasks: what is reconciled when, and how it all ends.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Node};
use kgen_runtime::manager::{Controller, Manager, ManagerError, Next, ObjectKey, Reconciler};
use kgen_runtime::metrics::Format;
use kgen_runtime::shutdown::Shutdown;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::support::{api, deployment, map, settle};

const DEPLOYMENTS: &str = "/apis/apps/v1/deployments";
const MAPS: &str = "/api/v1/configmaps";

/// What happens when an object is looked at, the last one again and again.
#[derive(Clone, Copy)]
enum Step {
    Fine,
    Again(Duration),
    Fail,
    Panic,
}

/// Tells what it was called with, and does what the test says.
struct Told {
    calls: mpsc::UnboundedSender<(String, Instant)>,
    steps: Mutex<BTreeMap<String, Vec<Step>>>,
}

impl Told {
    fn new(steps: &[(&str, &[Step])]) -> (Self, mpsc::UnboundedReceiver<(String, Instant)>) {
        let (calls, received) = mpsc::unbounded_channel();
        let steps = steps
            .iter()
            .map(|(name, steps)| ((*name).to_owned(), steps.iter().rev().copied().collect()));
        let told = Self {
            calls,
            steps: Mutex::new(steps.collect()),
        };
        (told, received)
    }
}

impl Reconciler for Told {
    type Error = &'static str;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let step = self
            .steps
            .lock()
            .unwrap()
            .get_mut(&key.name)
            .and_then(Vec::pop)
            .unwrap_or(Step::Fine);
        self.calls.send((key.to_string(), Instant::now())).unwrap();
        match step {
            Step::Fine => Ok(Next::Change),
            Step::Again(delay) => Ok(Next::After(delay)),
            Step::Fail => Err("it does not work"),
            Step::Panic => panic!("a mistake"),
        }
    }
}

/// An object that `owner` controls.
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
    for result in ["error", "panic", "requeue_after", "success"] {
        let line =
            format!("controller_runtime_reconcile_total{{controller=\"deployments\",result=\"{result}\"}} 1");
        assert!(text.contains(&line), "{line} is not in\n{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_done_without_the_lease() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester")
        .leader_election(true)
        .with_client(connection.client().clone(), "system");
    let (told, mut calls) = Told::new(&[]);
    let deployments = manager.informers().informer::<Deployment>();
    let controller = Controller::new(&manager, "deployments", told).watch(&deployments);
    manager.add(controller);
    let shutdown = Shutdown::default();
    let told = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&told).await });
    let lease = api
        .list("/apis/coordination.k8s.io/v1/namespaces/system/leases/tester")
        .await;
    api.list(DEPLOYMENTS).await.items("2", &[deployment("web", "1")]);
    let _watch = api.watch(DEPLOYMENTS).await.open();
    settle().await;
    assert!(
        calls.try_recv().is_err(),
        "the caches are filled, and nobody works"
    );
    shutdown.signal();
    drop(lease);
    running.await.unwrap().unwrap();
    assert!(calls.recv().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_task_that_fails_ends_the_others_and_the_manager() {
    for panics in [false, true] {
        let (connection, _api) = api();
        let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
        let ended = Arc::new(Mutex::new(false));
        let told = Arc::clone(&ended);
        manager.add_task("patient", |ending| async move {
            ending.cancelled().await;
            *told.lock().unwrap() = true;
            Ok(())
        });
        manager.add_task("brief", |_| async { Ok(()) });
        manager.add_task("wrong", move |_| async move {
            assert!(!panics, "a mistake");
            Err("there is no way".into())
        });
        let error = manager.run(&Shutdown::default()).await.unwrap_err();
        let ManagerError::Task { name, source } = &error else {
            panic!("{error:?}");
        };
        let expected = if panics {
            "it has panicked"
        } else {
            "there is no way"
        };
        assert_eq!((name.as_str(), source.to_string().as_str()), ("wrong", expected));
        assert_eq!(
            error.to_string(),
            "wrong has failed",
            "the cause is the source, said once"
        );
        assert!(*ended.lock().unwrap(), "the other task has ended in order");
    }
}
