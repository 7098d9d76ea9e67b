//! Measures the cluster, in the profile of tests and on one thread: `cargo xtask bench --fake`, or
//! `cargo test -p kgen-fake --test speed -- --ignored --nocapture`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement prints its results, and stops if it cannot go on"
)]

use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_fake::Cluster;
use kgen_runtime::{Connection, Handle};
use kube::Api;
use kube::api::{ListParams, Patch, PatchParams, WatchEvent, WatchParams};
use serde_json::{Map, Value, json};

const OBJECTS: usize = 10_000;
const WATCHES: usize = 10;

fn crd(number: usize) -> Value {
    let fields = (0..100).map(|field| (format!("field{field}"), json!({"type": "integer"})));
    let spec = json!({"type": "object", "properties": fields.collect::<Map<_, _>>()});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("kind{number}s.example.org")},
        "spec": {
            "group": "example.org", "scope": "Namespaced",
            "names": {"plural": format!("kind{number}s"), "kind": format!("Kind{number}")},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": spec},
            }}}],
        },
    })
}

fn map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({"metadata": {"name": name}, "data": {"key": "value"}})).unwrap()
}

/// Measures the time that this thread ran, so that the load of the machine does not matter. Elsewhere than on Linux, time
/// passes also while other programs run.
struct Clock {
    wall: Instant,
    ran: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self {
            wall: Instant::now(),
            ran: Self::ran(),
        }
    }

    fn elapsed(&self) -> Duration {
        match (self.ran, Self::ran()) {
            (Some(before), Some(after)) => after - before,
            _ => self.wall.elapsed(),
        }
    }

    /// The first number of this file is the time in nanoseconds.
    fn ran() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    }
}

/// Prints a row. Returns whether the goal is met.
fn row(what: &str, measured: Duration, goal: Duration) -> bool {
    let is_met = measured <= goal;
    let verdict = if is_met { "ok" } else { "MISSED" };
    println!("fake: {what:<52} {measured:>12.3?}  goal {goal:>8.1?}  {verdict}");
    is_met
}

/// Returns the mean of several runs, because the clock has ticks.
fn mean(runs: u32, mut run: impl FnMut()) -> Duration {
    let begin = Clock::start();
    for _ in 0..runs {
        run();
    }
    begin.elapsed() / runs
}

#[tokio::test]
#[ignore = "a measurement"]
async fn speed() {
    let mut met = Vec::new();
    let start = |count: usize| {
        let definitions: Vec<Value> = (0..count).map(crd).collect();
        move || {
            let mut builder = Cluster::new();
            for definition in &definitions {
                builder = builder.definition(definition.clone());
            }
            drop(builder.start());
        }
    };
    let milliseconds = Duration::from_millis;
    met.push(row("start without a CRD", mean(50, start(0)), milliseconds(1)));
    met.push(row("start with one CRD", mean(50, start(1)), milliseconds(5)));
    met.push(row("start with 100 CRDs", mean(2, start(100)), milliseconds(150)));

    let cluster = Cluster::new().definition(crd(0)).start();
    let maps = Handle::<ConfigMap>::namespaced(&Connection::new(cluster.client()), "default");
    let begin = Clock::start();
    for number in 0..2_000 {
        maps.create(&map(&format!("map-{number}"))).await.unwrap();
    }
    met.push(row(
        "create, each",
        begin.elapsed() / 2_000,
        Duration::from_micros(200),
    ));
    let begin = Clock::start();
    for number in 0..2_000 {
        maps.get(&format!("map-{number}")).await.unwrap();
    }
    met.push(row(
        "get, each",
        begin.elapsed() / 2_000,
        Duration::from_micros(100),
    ));

    let kind =
        kube::api::ApiResource::from_gvk(&kube::api::GroupVersionKind::gvk("example.org", "v1", "Kind0"));
    let objects: Api<kube::api::DynamicObject> = Api::namespaced_with(cluster.client(), "default", &kind);
    let applied = |manager: usize, value: usize| {
        let fields = (0..20).map(|field| (format!("field{}", manager * 20 + field), json!(value)));
        json!({
            "apiVersion": "example.org/v1", "kind": "Kind0", "metadata": {"name": "a"},
            "spec": fields.collect::<Map<_, _>>(),
        })
    };
    let apply = async |manager: usize, value: usize| {
        let params = PatchParams::apply(&format!("manager-{manager}"));
        let applied = Patch::Apply(applied(manager, value));
        objects.patch("a", &params, &applied).await.unwrap();
    };
    for manager in 0..5 {
        apply(manager, 0).await;
    }
    let begin = Clock::start();
    for value in 1..=200 {
        apply(value % 5, value).await;
    }
    let each = begin.elapsed() / 200;
    met.push(row(
        "apply, 100 fields and 5 managers, each",
        each,
        Duration::from_micros(300),
    ));

    let cluster = Cluster::new().start();
    let api: Api<ConfigMap> = Api::namespaced(cluster.client(), "default");
    let mut watches = Vec::new();
    for _ in 0..WATCHES {
        watches.push(api.watch(&WatchParams::default(), "0").await.unwrap().boxed());
    }
    let mut object = serde_json::to_value(map("x")).unwrap();
    object["apiVersion"] = json!("v1");
    object["kind"] = json!("ConfigMap");
    for number in 0..OBJECTS {
        object["metadata"]["name"] = json!(format!("map-{number:05}"));
        cluster.put(&object);
    }
    let begin = Clock::start();
    for watch in &mut watches {
        let mut added = 0;
        while added < OBJECTS {
            if let Some(WatchEvent::Added(_)) = watch.try_next().await.unwrap() {
                added += 1;
            }
        }
    }
    let delivered = begin.elapsed();
    met.push(row(
        "10,000 events to 10 watches",
        delivered,
        Duration::from_secs(1),
    ));
    let begin = Clock::start();
    assert_eq!(
        api.list(&ListParams::default()).await.unwrap().items.len(),
        OBJECTS
    );
    met.push(row("list of 10,000 objects", begin.elapsed(), milliseconds(150)));
    let missed = met.iter().filter(|is_met| !**is_met).count();
    println!("fake: {} of {} goals are met", met.len() - missed, met.len());
}
