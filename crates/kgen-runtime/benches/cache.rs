//! Compares the informer's cache with kube's store, in one run on one machine: 100,000 pods in 500 namespaces, with
//! 20,000 owners. It prints a table; `ratio` is the factor by which our cache is better, and `wanted` is the required
//! factor.
//!
//! Memory is the growth of the resident set. Each side is measured in its own process, which deserializes the pods from
//! JSON, like a watch.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a program for people to read from"
)]

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::Pod;
use kgen_runtime::informer::Feed;
use kube::core::Selector;
use kube::runtime::reflector::store::Writer;
use kube::runtime::reflector::{ObjectRef, Store};
use kube::runtime::watcher::Event;

const OBJECTS: usize = 100_000;
const NAMESPACES: usize = 500;
const OWNERS: usize = 20_000;

/// Set in the processes that measure memory; its value selects the side.
const MEMORY_OF: &str = "KGEN_BENCH_MEMORY_OF";

fn main() {
    match std::env::var(MEMORY_OF).as_deref() {
        Ok("kube") => report_memory(|| {
            let mut store = KubeStore::default();
            fill(|event| store.apply(&event));
            store
        }),
        Ok(_) => report_memory(|| {
            let mut feed = Feed::new("pods");
            fill(|event| feed.apply(event));
            feed
        }),
        Err(_) => compare(),
    }
}

/// kube's two ends of a store.
struct KubeStore {
    writer: Writer<Pod>,
    reader: Store<Pod>,
}

impl Default for KubeStore {
    fn default() -> Self {
        let writer = Writer::default();
        Self {
            reader: writer.as_reader(),
            writer,
        }
    }
}

impl KubeStore {
    fn apply(&mut self, event: &Event<Pod>) {
        self.writer.apply_watcher_event(event);
    }
}

fn namespace(number: usize) -> String {
    format!("team-{:03}", number % NAMESPACES)
}

fn name(number: usize) -> String {
    format!("web-7d9f8b6c5d-{number:06}")
}

fn owner(number: usize) -> String {
    format!("5f0c1c52-7a3e-4b5e-9d7c-{:012}", number % OWNERS)
}

/// Returns a pod of typical size, as the server sends it.
fn json(number: usize, version: usize) -> String {
    serde_json::json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name(number),
            "namespace": namespace(number),
            "uid": format!("1b9d6bcd-bbfd-4b2d-9b5d-{number:012}"),
            "resourceVersion": version.to_string(),
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "generateName": "web-7d9f8b6c5d-",
            "labels": { "app": "web", "pod-template-hash": "7d9f8b6c5d", "tier": "front" },
            "annotations": { "prometheus.io/scrape": "true", "prometheus.io/port": "8080" },
            "ownerReferences": [{ "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-7d9f8b6c5d",
                "uid": owner(number), "controller": true, "blockOwnerDeletion": true }],
        },
        "spec": {
            "nodeName": format!("node-{}", number % 97),
            "restartPolicy": "Always",
            "serviceAccountName": "default",
            "containers": [{
                "name": "web", "image": "registry.example.com/web:1.2.3",
                "ports": [{ "containerPort": 8080, "protocol": "TCP" }],
                "env": [{ "name": "LEVEL", "value": "info" }, { "name": "REGION", "value": "eu" }],
                "resources": { "requests": { "cpu": "100m", "memory": "128Mi" } },
            }],
            "tolerations": [{ "key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute" }],
        },
        "status": {
            "phase": "Running", "podIP": "10.0.0.1", "hostIP": "10.1.0.1",
            "conditions": [{ "type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z" }],
        },
    })
    .to_string()
}

fn pod(number: usize, version: usize) -> Pod {
    serde_json::from_str(&json(number, version)).expect("a valid pod")
}

/// Feeds the first list, one deserialized pod after the other.
fn fill(mut apply: impl FnMut(Event<Pod>)) {
    apply(Event::Init);
    for number in 0..OBJECTS {
        apply(Event::InitApply(pod(number, number)));
    }
    apply(Event::InitDone);
}

/// Prints the growth of the resident set that `filled` causes, in bytes.
fn report_memory<T>(filled: impl FnOnce() -> T) {
    black_box(pod(0, 0));
    let before = resident_bytes();
    let filled = filled();
    println!("{}", resident_bytes() - before);
    drop(black_box(filled));
}

/// Returns the resident set of this process, according to Linux.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .expect("a line for the resident set");
    let kilobytes = line
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse::<u64>().ok());
    kilobytes.expect("a number of kilobytes") * 1024
}

/// Returns the bytes per object, measured in a separate process.
fn memory_of(whose: &str) -> f64 {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .env(MEMORY_OF, whose)
        .output()
        .expect("the child runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let bytes: f64 = text.trim().parse().expect("a number of bytes");
    bytes / OBJECTS as f64
}

fn compare() {
    println!(
        "{OBJECTS} pods in {NAMESPACES} namespaces, {OWNERS} owners, {} bytes of JSON each",
        json(1, 1).len()
    );
    println!("{:<34} {:>14} {:>14} {:>9}  wanted", "", "kube", "kgen", "ratio");
    let (kube, kgen) = (memory_of("kube"), memory_of("kgen"));
    row(
        "memory per object, bytes",
        kube,
        kgen,
        "at least 0.83 (1.2 times the memory)",
    );

    let mut store = KubeStore::default();
    let mut feed = Feed::new("pods");
    let list = || {
        (0..OBJECTS)
            .map(|number| Event::InitApply(pod(number, number)))
            .collect::<Vec<_>>()
    };
    let changes = || {
        (0..OBJECTS)
            .map(|number| Event::Apply(pod(number, OBJECTS + number)))
            .collect::<Vec<_>>()
    };

    let (for_kube, for_kgen) = (list(), list());
    let kube = timed(|| {
        store.apply(&Event::Init);
        for_kube.into_iter().for_each(|event| store.apply(&event));
        store.apply(&Event::InitDone);
    });
    let kgen = timed(|| {
        feed.apply(Event::Init);
        for_kgen.into_iter().for_each(|event| feed.apply(event));
        feed.apply(Event::InitDone);
    });
    row("first list, ms", millis(kube), millis(kgen), "at least 1");

    let (for_kube, for_kgen) = (changes(), changes());
    let kube = timed(|| for_kube.into_iter().for_each(|event| store.apply(&event)));
    let kgen = timed(|| for_kgen.into_iter().for_each(|event| feed.apply(event)));
    row("100,000 updates, ms", millis(kube), millis(kgen), "at least 1");

    let lister = feed.lister();
    let everything = Selector::default();
    let kube = each(20, |number| {
        let namespace = namespace(number * 7);
        store
            .reader
            .state_filter(|pod| pod.metadata.namespace.as_deref() == Some(&*namespace))
            .len()
    });
    let kgen = each(5 * NAMESPACES, |number| {
        lister.namespace(&namespace(number * 7)).list(&everything).len()
    });
    row(
        "list one namespace, µs",
        micros(kube),
        micros(kgen),
        "at least 100",
    );

    let kube = each(20, |number| {
        let uid = owner(number * 7);
        let owners = |pod: &Pod| {
            pod.metadata
                .owner_references
                .iter()
                .flatten()
                .any(|owner| owner.uid == uid)
        };
        store.reader.state_filter(owners).len()
    });
    let kgen = each(OWNERS, |number| lister.by_owner(&owner(number * 7)).len());
    row("find by owner, µs", micros(kube), micros(kgen), "at least 100");

    let kube = each(OBJECTS, |number| {
        let number = (number * 7919) % OBJECTS;
        let key = ObjectRef::<Pod>::new(&name(number)).within(&namespace(number));
        usize::from(store.reader.get(&key).is_some())
    });
    let kgen = each(OBJECTS, |number| {
        let number = (number * 7919) % OBJECTS;
        usize::from(lister.get(Some(&namespace(number)), &name(number)).is_ok())
    });
    row("get one, µs", micros(kube), micros(kgen), "");

    let kube = each(10, |_| store.reader.state().len());
    let kgen = each(10, |_| lister.list(&everything).len());
    row(
        "list everything (ours in order), µs",
        micros(kube),
        micros(kgen),
        "",
    );
}

fn row(what: &str, kube: f64, kgen: f64, wanted: &str) {
    println!(
        "{what:<34} {kube:>14.2} {kgen:>14.2} {:>8.2}x  {wanted}",
        kube / kgen
    );
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Returns the mean time of one of `times` calls, each of which must find something.
fn each(times: usize, mut call: impl FnMut(usize) -> usize) -> Duration {
    let start = Instant::now();
    for number in 0..times {
        assert!(black_box(call(number)) > 0, "nothing found");
    }
    start.elapsed() / u32::try_from(times).expect("a small number")
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
