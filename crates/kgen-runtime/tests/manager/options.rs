//! The options of controllers, tasks and managers.

use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::informer::Changed;
use kgen_runtime::manager::{Controller, Manager, ManagerError, Next, ObjectKey, Reconciler};
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::queue::{Exponential, Priority};
use kgen_runtime::shutdown::Shutdown;
use kgen_runtime::{Event, InformerFactory};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::scripted::lease::SharedLease;
use crate::support::log::Log;
use crate::support::{api, deployment, map, settle};
use crate::told::Told;
use crate::{DEPLOYMENTS, MAPS, with_lease};

type Running = JoinHandle<Result<(), ManagerError>>;

fn run(manager: Manager) -> (Shutdown, Running) {
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    (shutdown, tokio::spawn(async move { manager.run(&signals).await }))
}

async fn end((shutdown, running): (Shutdown, Running)) {
    shutdown.signal();
    running.await.unwrap().unwrap();
}

/// Returns the value of a metric, with its labels.
fn value(metrics: &Metrics, name: &str) -> String {
    let text = metrics.encode(Format::Prometheus);
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in\n{text}"))
        .trim()
        .to_owned()
}

/// Takes a millisecond for each object.
struct Slow(mpsc::UnboundedSender<(String, Instant)>);

impl Reconciler for Slow {
    type Error = String;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, String> {
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.0.send((key.name.clone(), Instant::now())).unwrap();
        Ok(Next::AwaitChange)
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_is_reconciled_at_once_although_10_000_objects_wait() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let (sender, mut calls) = mpsc::unbounded_channel();
    let maps = manager.informers().informer::<ConfigMap>();
    manager.add(Controller::new(&manager, "maps", Slow(sender)).watch(&maps));
    let metrics = manager.metrics().clone();
    let running = run(manager);
    let there: Vec<Value> = (0..10_000)
        .map(|nth| map(&format!("map-{nth:04}"), "1"))
        .collect();
    api.list(MAPS).await.items("2", &there);
    let watch = api.watch(MAPS).await.open();

    tokio::time::sleep(Duration::from_secs(1)).await;
    let changed_at = Instant::now();
    watch.modified(&map("map-9999", "3"));
    let done_at = loop {
        let (name, at) = calls.recv().await.unwrap();
        if name == "map-9999" {
            break at;
        }
    };
    assert!(
        done_at - changed_at <= Duration::from_millis(10),
        "{:?}",
        done_at - changed_at
    );
    let low = "workqueue_depth{name=\"maps\",controller=\"maps\",priority=\"-100\"}";
    let waiting: u32 = value(&metrics, low).parse().unwrap();
    assert!((8_000..9_500).contains(&waiting), "{waiting}");
    end(running).await;
}

#[tokio::test(start_paused = true)]
async fn a_change_is_reconciled_at_once_although_a_resync_waits() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester")
        .resync(Duration::from_secs(20))
        .with_client(connection.client().clone(), "default");
    let (sender, mut calls) = mpsc::unbounded_channel();
    let maps = manager.informers().informer::<ConfigMap>();
    manager.add(Controller::new(&manager, "maps", Slow(sender)).watch(&maps));
    let running = run(manager);
    let there: Vec<Value> = (0..200).map(|nth| map(&format!("map-{nth:03}"), "1")).collect();
    api.list(MAPS).await.items("2", &there);
    let watch = api.watch(MAPS).await.open();
    for _ in 0..201 {
        calls.recv().await.unwrap();
    }
    let begun = Instant::now();
    watch.modified(&map("map-199", "3"));
    while calls.recv().await.unwrap().0 != "map-199" {}
    assert!(
        begun.elapsed() <= Duration::from_millis(10),
        "{:?}",
        begun.elapsed()
    );
    end(running).await;
}

#[tokio::test(start_paused = true)]
async fn filters_see_the_old_and_the_new_object() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let (told, mut calls) = Told::new(&[]);
    let (other, mut mine) = Told::new(&[]);
    let deployments = manager.informers().informer::<Deployment>();
    let controller = Controller::new(&manager, "deployments", told)
        .watch(&deployments.changed(Changed::GENERATION | Changed::LABELS));
    manager.add(controller);
    let labeled = |deployment: &Deployment| {
        deployment
            .metadata
            .labels
            .as_ref()
            .is_some_and(|labels| labels.contains_key("mine"))
    };
    manager.add(Controller::new(&manager, "mine", other).watch(&deployments.only(labeled)));
    let running = run(manager);
    let object = |version: &str, generation: i64, change: &dyn Fn(&mut Value)| {
        let mut object = deployment("web", version);
        object["metadata"]["generation"] = json!(generation);
        change(&mut object);
        object
    };
    api.list(DEPLOYMENTS).await.items("2", &[object("1", 1, &|_| {})]);
    let watch = api.watch(DEPLOYMENTS).await.open();
    assert_eq!(
        calls.recv().await.unwrap().0,
        "default/web",
        "objects at startup pass"
    );

    watch.modified(&object("3", 1, &|object| {
        object["status"] = json!({ "replicas": 1 })
    }));
    watch.modified(&object("4", 1, &|object| {
        object["metadata"]["annotations"] = json!({ "a": "b" });
    }));
    settle().await;
    assert!(
        calls.try_recv().is_err(),
        "neither generation nor labels have changed"
    );
    watch.modified(&object("5", 2, &|_| {}));
    assert_eq!(calls.recv().await.unwrap().0, "default/web");
    let label = |object: &mut Value| object["metadata"]["labels"] = json!({ "mine": "" });
    assert!(mine.try_recv().is_err());
    watch.modified(&object("6", 2, &label));
    assert_eq!(calls.recv().await.unwrap().0, "default/web");
    assert_eq!(mine.recv().await.unwrap().0, "default/web");
    watch.modified(&object("7", 2, &|_| {}));
    calls.recv().await.unwrap();
    assert_eq!(
        mine.recv().await.unwrap().0,
        "default/web",
        "it was ours until now"
    );
    watch.modified(&object("8", 2, &|object| {
        object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    }));
    assert_eq!(
        calls.recv().await.unwrap().0,
        "default/web",
        "GENERATION includes DELETION"
    );
    watch.deleted(&object("9", 2, &|_| {}));
    assert_eq!(calls.recv().await.unwrap().0, "default/web", "deletions pass");
    settle().await;
    assert!(mine.try_recv().is_err());
    end(running).await;
}

#[test]
fn each_part_of_an_object_can_be_asked_for() {
    let object = |edit: &dyn Fn(&mut Value)| -> Deployment {
        let mut object = deployment("web", "1");
        edit(&mut object);
        serde_json::from_value(object).unwrap()
    };
    let before = object(&|_| {});
    let parts = [
        (Changed::GENERATION, "/metadata/generation", json!(2)),
        (Changed::LABELS, "/metadata/labels", json!({ "a": "b" })),
        (Changed::ANNOTATIONS, "/metadata/annotations", json!({ "a": "b" })),
        (
            Changed::FINALIZERS,
            "/metadata/finalizers",
            json!(["example.com/a"]),
        ),
        (
            Changed::OWNERS,
            "/metadata/ownerReferences",
            json!([{ "apiVersion": "v1", "kind": "A", "name": "a", "uid": "1" }]),
        ),
        (Changed::STATUS, "/status", json!({ "replicas": 1 })),
        (Changed::VERSION, "/metadata/resourceVersion", json!("2")),
        (
            Changed::DELETION,
            "/metadata/deletionTimestamp",
            json!("2026-01-01T00:00:00Z"),
        ),
    ];
    for (part, path, value) in &parts {
        let after = object(&|object| {
            let (parent, name) = path.rsplit_once('/').unwrap();
            object.pointer_mut(parent).unwrap()[name] = value.clone();
        });
        for (other, other_path, _) in &parts {
            let is_deletion = *part == Changed::DELETION && *other == Changed::GENERATION;
            assert_eq!(
                other.is_in(&before, &after),
                path == other_path || is_deletion,
                "{path} {other_path}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn handlers_get_the_event_and_the_queue() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let (told, mut calls) = Told::new(&[]);
    let maps = manager.informers().informer::<ConfigMap>();
    let controller =
        Controller::new(&manager, "maps", told).watch_events(&maps, |event, queue| match event {
            Event::Deleted { object, .. } => {
                queue.add_after(ObjectKey::of(&*object), Duration::from_secs(60))
            }
            event => queue.at(Priority(7)).add(ObjectKey::cluster(format!(
                "seen-{}",
                event.object().metadata.name.as_deref().unwrap_or_default()
            ))),
        });
    manager.add(controller);
    let running = run(manager);
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let watch = api.watch(MAPS).await.open();
    assert_eq!(calls.recv().await.unwrap().0, "seen-a");
    let deleted = Instant::now();
    watch.deleted(&map("a", "3"));
    let (key, at) = calls.recv().await.unwrap();
    assert_eq!((key.as_str(), (at - deleted).as_secs()), ("default/a", 60));
    end(running).await;
}

/// Hangs, or fails for good, or fails with an error type of another crate.
struct Bad(mpsc::UnboundedSender<Instant>);

impl Reconciler for Bad {
    type Error = anyhow::Error;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, anyhow::Error> {
        self.0.send(Instant::now()).unwrap();
        match key.name.as_str() {
            "hangs" => std::future::pending().await,
            "invalid" => Ok(Next::give_up("the spec is wrong")),
            _ => Err(anyhow::anyhow!("connection lost").context("cannot write")),
        }
    }
}

async fn bad(name: &str) -> (Vec<Duration>, Metrics, Vec<String>) {
    let (log, _guard) = Log::collect();
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let (sender, mut calls) = mpsc::unbounded_channel();
    let maps = manager.informers().informer::<ConfigMap>();
    let controller = Controller::new(&manager, "maps", Bad(sender))
        .watch(&maps)
        .timeout(Duration::from_secs(10))
        .limiter(Exponential::new(
            Duration::from_secs(100),
            Duration::from_secs(300),
        ));
    manager.add(controller);
    let metrics = manager.metrics().clone();
    let running = run(manager);
    api.list(MAPS).await.items("2", &[map(name, "1")]);
    let _watch = api.watch(MAPS).await.open();
    tokio::time::sleep(Duration::from_secs(1000)).await;
    end(running).await;
    let mut times = Vec::new();
    while let Some(time) = calls.recv().await {
        times.push(time);
    }
    let pauses = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    (pauses, metrics, log.lines_with("reconcil"))
}

fn counted(metrics: &Metrics, what: &str) -> String {
    value(
        metrics,
        &format!("controller_runtime_{what}_total{{controller=\"maps\"}}"),
    )
}

#[tokio::test(start_paused = true)]
async fn a_reconciliation_that_takes_too_long_is_dropped_and_retried() {
    let (pauses, metrics, _) = bad("hangs").await;
    let seconds: Vec<u64> = pauses.iter().map(Duration::as_secs).collect();
    assert_eq!(
        seconds,
        [110, 210, 310, 310],
        "ten for the attempt, and the limiter"
    );
    assert_eq!(counted(&metrics, "reconcile_timeouts"), "5");
    assert_eq!(counted(&metrics, "reconcile_errors"), "5");
    assert_eq!(counted(&metrics, "reconcile_panics"), "0");
    let time = "controller_runtime_reconcile_time_seconds_bucket{le=\"10\",controller=\"maps\"}";
    value(&metrics, time);
}

#[tokio::test(start_paused = true)]
async fn giving_up_is_an_error_without_a_retry() {
    let (pauses, metrics, log) = bad("invalid").await;
    assert!(pauses.is_empty(), "{pauses:?}");
    assert_eq!(counted(&metrics, "terminal_reconcile_errors"), "1");
    assert_eq!(counted(&metrics, "reconcile_errors"), "1");
    let line = "controller_runtime_reconcile_total{controller=\"maps\",result=\"error\"}";
    assert_eq!(value(&metrics, line), "1");
    let said = log.iter().filter(|line| line.contains("error=the spec is wrong"));
    assert_eq!(said.count(), 1, "{log:?}");
}

#[tokio::test(start_paused = true)]
async fn errors_of_anyhow_are_logged_with_their_context() {
    let (pauses, metrics, log) = bad("other").await;
    assert_eq!(
        pauses.iter().map(Duration::as_secs).collect::<Vec<_>>(),
        [100, 200, 300, 300]
    );
    assert_eq!(counted(&metrics, "reconcile_errors"), "5");
    let said = log
        .iter()
        .filter(|line| line.contains("error=cannot write: connection lost"));
    assert_eq!(said.count(), 5, "{log:?}");
    assert!(log.iter().any(|line| line.contains("attempt=5")), "{log:?}");
}

#[tokio::test(start_paused = true)]
async fn some_work_runs_on_every_replica() {
    let lease = SharedLease::default();
    lease.put(json!({ "holderIdentity": "somebody", "leaseDurationSeconds": 15 }));
    let other = lease.clone();
    tokio::spawn(async move {
        // The other replica renews its lease.
        for nth in 0..u32::MAX {
            tokio::time::sleep(Duration::from_secs(5)).await;
            other.edit(|lease| lease["spec"]["leaseTransitions"] = json!(nth));
        }
    });
    let (connection, mut api) = api();
    let mut manager = Manager::builder("operator")
        .leader_election(true)
        .with_client(with_lease(&lease, connection.client()), "system");
    let maps = manager.informers().informer::<ConfigMap>();
    let (told, mut calls) = Told::new(&[]);
    let (of_leader, mut led) = Told::new(&[]);
    let everywhere = Controller::new(&manager, "everywhere", told)
        .watch(&maps)
        .every_replica(true);
    manager.add(everywhere);
    manager.add(Controller::new(&manager, "leader", of_leader).watch(&maps));
    let (sender, mut tasks) = mpsc::unbounded_channel();
    for every_replica in [true, false] {
        let sender = sender.clone();
        manager
            .add_task(format!("{every_replica}"), move |ending| async move {
                sender.send(every_replica).unwrap();
                ending.cancelled().await;
                Ok(())
            })
            .every_replica(every_replica);
    }
    drop(sender);
    let running = run(manager);
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let _watch = api.watch(MAPS).await.open();
    assert_eq!(calls.recv().await.unwrap().0, "default/a");
    assert_eq!(tasks.recv().await, Some(true));
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert!(led.try_recv().is_err() && tasks.try_recv().is_err());
    assert_eq!(lease.holder().as_deref(), Some("somebody"));
    end(running).await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_on_a_replica_without_the_lease_ends_it() {
    let lease = SharedLease::default();
    lease.put(json!({ "holderIdentity": "somebody", "leaseDurationSeconds": 3600 }));
    let (connection, _api) = api();
    let mut manager = Manager::builder("operator")
        .leader_election(true)
        .with_client(with_lease(&lease, connection.client()), "system");
    manager
        .add_task("wrong", |_| async { Err("there is no way".into()) })
        .every_replica(true);
    let error = manager.run(&Shutdown::default()).await.unwrap_err();
    assert!(
        matches!(&error, ManagerError::Task { name, .. } if name == "wrong"),
        "{error:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn informers_of_another_cluster_are_started_awaited_and_stopped() {
    let (connection, mut here) = api();
    let (other, mut there) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let factory = InformerFactory::new(&other);
    manager.also(&factory);
    let (told, mut calls) = Told::new(&[]);
    let deployments = manager.informers().informer::<Deployment>();
    let maps = factory.informer::<ConfigMap>();
    let controller = Controller::new(&manager, "both", told)
        .watch(&deployments)
        .watch(&maps);
    manager.add(controller);
    let running = run(manager);
    here.list(DEPLOYMENTS).await.items("2", &[deployment("web", "1")]);
    let _watch = here.watch(DEPLOYMENTS).await.open();
    settle().await;
    assert!(calls.try_recv().is_err(), "the other cache is not filled");
    there.list(MAPS).await.items("2", &[map("settings", "1")]);
    let _other_watch = there.watch(MAPS).await.open();
    let mut both = [calls.recv().await.unwrap().0, calls.recv().await.unwrap().0];
    both.sort();
    assert_eq!(both, ["default/settings", "default/web"]);
    end(running).await;
    assert!(!factory.sync_report().is_synced(), "it is stopped");
}

#[tokio::test(start_paused = true)]
async fn the_settings_of_informers_election_and_lease_can_be_reached() {
    let lease = SharedLease::default();
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester")
        .leader_election(true)
        .lease("system", "operator")
        .election(|elector| elector.identity("me").lease_duration(Duration::from_secs(77)))
        .informers(|factory| {
            factory
                .tweak(|config| config.page_size(7))
                .transform::<ConfigMap>(|map| map.data = None)
        })
        .with_client(with_lease(&lease, connection.client()), "default");
    let maps = manager.informers().informer::<ConfigMap>();
    let (told, mut calls) = Told::new(&[]);
    manager.add(Controller::new(&manager, "maps", told).watch(&maps));
    let running = run(manager);
    let list = api.list(MAPS).await;
    assert_eq!(list.query["limit"], "7");
    let mut settings = map("a", "1");
    settings["data"] = json!({ "large": "value" });
    list.items("2", &[settings]);
    let _watch = api.watch(MAPS).await.open();
    calls.recv().await.unwrap();
    assert_eq!(maps.lister().get(Some("default"), "a").unwrap().data, None);
    assert_eq!(lease.holder().as_deref(), Some("me"));
    assert_eq!(lease.spec()["leaseDurationSeconds"], 77);
    end(running).await;
}

/// Waits until two reconciliations run at the same time.
struct Together(tokio::sync::Barrier, mpsc::UnboundedSender<()>);

impl Reconciler for Together {
    type Error = &'static str;

    async fn reconcile(&self, _: &ObjectKey) -> Result<Next, &'static str> {
        self.0.wait().await;
        self.1.send(()).map_err(|_| "nobody listens")?;
        Ok(Next::AwaitChange)
    }
}

/// Returns how many of two objects are reconciled if each waits for the other.
async fn reconciled_together(all: Option<u16>, own: Option<u16>) -> usize {
    let (connection, mut api) = api();
    let mut builder = Manager::builder("tester");
    if let Some(workers) = all {
        builder = builder.workers(workers);
    }
    let mut manager = builder.with_client(connection.client().clone(), "default");
    assert_eq!(manager.workers(), all.unwrap_or(1));
    let maps = manager.informers().informer::<ConfigMap>();
    let (sender, mut met) = mpsc::unbounded_channel();
    let together = Together(tokio::sync::Barrier::new(2), sender);
    let mut controller = Controller::new(&manager, "maps", together).watch(&maps);
    if let Some(workers) = own {
        controller = controller.workers(workers.into());
    }
    manager.add(controller);
    let metrics = manager.metrics().clone();
    let (_shutdown, running) = run(manager);
    api.list(MAPS).await.items("3", &[map("a", "1"), map("b", "2")]);
    let _watch = api.watch(MAPS).await.open();
    let mut reconciled = 0;
    // The paused clock advances only when nothing else can happen.
    while reconciled < 2
        && let Ok(Some(())) = tokio::time::timeout(Duration::from_secs(60), met.recv()).await
    {
        reconciled += 1;
    }
    let workers = own.or(all).unwrap_or(1).to_string();
    let name = "controller_runtime_max_concurrent_reconciles{controller=\"maps\"}";
    assert_eq!(value(&metrics, name), workers);
    // A single worker waits forever.
    running.abort();
    assert!(running.await.unwrap_err().is_cancelled());
    reconciled
}

#[tokio::test(start_paused = true)]
async fn controllers_have_the_workers_of_the_manager_or_their_own() {
    for (all, own, expected) in [
        (None, None, 0),
        (Some(2), None, 2),
        (None, Some(2), 2),
        (Some(2), Some(1), 0),
        (Some(1), Some(3), 2),
    ] {
        assert_eq!(reconciled_together(all, own).await, expected, "{all:?}, {own:?}");
    }
}

/// A log in memory.
#[derive(Clone, Default)]
struct Lines(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Logs, and fails once.
struct Logs(std::sync::atomic::AtomicU32);

impl Reconciler for Logs {
    type Error = &'static str;

    async fn reconcile(&self, _: &ObjectKey) -> Result<Next, &'static str> {
        tracing::info!("looking at it");
        if self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            return Err("not yet");
        }
        Ok(Next::AwaitChange)
    }
}

#[tokio::test(start_paused = true)]
async fn log_lines_of_a_reconciler_have_controller_object_and_attempt() {
    let (connection, mut api) = api();
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let maps = manager.informers().informer::<ConfigMap>();
    manager.add(Controller::new(&manager, "maps", Logs(0.into())).watch(&maps));
    let running = run(manager);
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let _watch = api.watch(MAPS).await.open();
    tokio::time::sleep(Duration::from_secs(1)).await;
    end(running).await;

    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let logged: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |message: &str| -> Vec<&Value> {
        let is_it = |line: &&Value| line["fields"]["message"].as_str() == Some(message);
        logged.iter().filter(is_it).collect()
    };
    let spans: Vec<&Value> = of("looking at it")
        .into_iter()
        .map(|line| &line["span"])
        .collect();
    let span = |attempt: u32| json!({ "name": "reconcile", "controller": "maps", "object": "default/a", "attempt": attempt });
    assert_eq!(spans, [&span(1), &span(2)], "{text}");
    // The controller's own lines are in the span, too.
    let failed = of("reconciliation failed, will retry");
    assert_eq!((failed.len(), &failed[0]["span"]), (1, &span(1)), "{text}");
}
