//! The Grafana dashboard of new projects: it names only metrics that an operator has, and all labels exist. The metrics are
//! those of controller-runtime.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

#[path = "support/recorded_metrics.rs"]
mod recorded_metrics;
#[path = "support/scripted.rs"]
mod scripted;
#[path = "support/mod.rs"]
mod support;

use std::collections::BTreeSet;

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::Connection;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::shutdown::Shutdown;
use kube::client::Body;
use serde_json::Value;
use tokio::sync::mpsc;
use tower::Layer;

use crate::scripted::lease::SharedLease;
use crate::support::{api, map};

const DASHBOARD: &str = include_str!("../../../templates/project/grafana/dashboard.json");
const MAPS: &str = "/api/v1/configmaps";

struct Tells(mpsc::UnboundedSender<()>);

impl Reconciler for Tells {
    type Error = String;

    async fn reconcile(&self, _: &ObjectKey) -> Result<Next, String> {
        self.0.send(()).map_err(|error| error.to_string())?;
        Ok(Next::AwaitChange)
    }
}

/// Returns the metrics of an operator that leads and has reconciled an object.
async fn metrics_of_an_operator() -> String {
    let lease = SharedLease::default();
    let (connection, mut api) = api();
    let (lease, rest) = (lease.view().server.client(), connection.client().clone());
    let service = tower::service_fn(move |request: http::Request<Body>| {
        let is_lease = request.uri().path().starts_with("/apis/coordination.k8s.io/");
        let client = if is_lease { lease.clone() } else { rest.clone() };
        async move { client.send(request).await }
    });
    let mut manager = Manager::builder("operator")
        .leader_election(true)
        .lease("system", "operator")
        .with_client(kube::Client::new(service, "default"), "system");
    let metrics = manager.metrics().clone();
    let maps = manager.informers().informer::<ConfigMap>();
    let (sender, mut reconciled) = mpsc::unbounded_channel();
    manager.add(Controller::new(&manager, "maps", Tells(sender)).watch(&maps));
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&signals).await });
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let _watch = api.watch(MAPS).await.open();
    reconciled.recv().await.unwrap();

    // The layer of a client that connects by itself.
    request_through(&metrics).await;
    let text = metrics.encode(Format::Prometheus);
    shutdown.signal();
    running.await.unwrap().unwrap();
    text
}

/// Sends one request that is answered, and one that is not.
async fn request_through(metrics: &Metrics) {
    let (connection, mut api) = api();
    let layer = metrics.rest_client(&"https://10.0.0.1:6443/".parse().unwrap());
    let below = connection.client().clone();
    let service = tower::service_fn(move |request: http::Request<Body>| {
        let client = below.clone();
        async move { client.send(request).await }
    });
    let client = kube::Client::new(layer.layer(service), "default");
    let maps = kgen_runtime::Handle::<ConfigMap>::namespaced(&Connection::new(client), "default");
    let asked = tokio::spawn(async move { (maps.get("a").await, maps.get("b").await) });
    api.next().await.json(&map("a", "1"));
    drop(api.next().await);
    let (answered, broken) = asked.await.unwrap();
    assert!(answered.is_ok() && broken.is_err());
}

/// Returns the words of an expression that can be names of metrics or labels.
fn words(expression: &str) -> impl Iterator<Item = &str> {
    expression
        .split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .filter(|word| word.contains('_'))
}

/// The labels that Prometheus adds to every metric of a target.
const TARGET_LABELS: [&str; 4] = ["instance", "job", "namespace", "pod"];

/// Returns the labels of an expression: those in `by (…)`, those in matchers, and those of the legend.
fn labels(expression: &str, legend: &str) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    let mut add = |list: &str| {
        let words = list
            .split(',')
            .map(|word| word.split(['=', '!']).next().unwrap().trim());
        labels.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
    };
    for (front, back) in [("by (", ')'), ("{", '}')] {
        for part in expression.split(front).skip(1) {
            add(part.split_once(back).unwrap().0);
        }
    }
    for part in legend.split("{{").skip(1) {
        add(part.split_once("}}").unwrap().0);
    }
    labels
}

#[test]
fn labels_are_found_in_all_places() {
    let found = labels(
        "sum by (a, b) (rate(x_total{c=~\"$c\",d!=\"1\"}[5m]))",
        "{{e}} of {{ f }}",
    );
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        ["a", "b", "c", "d", "e", "f"]
    );
}

#[tokio::test(start_paused = true)]
async fn every_metric_of_the_dashboard_exists() {
    let json = DASHBOARD
        .strip_prefix("{% raw %}")
        .and_then(|text| text.strip_suffix("{% endraw %}"))
        .unwrap();
    let dashboard: Value = serde_json::from_str(json).unwrap();
    let expressions: Vec<&str> = dashboard["panels"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|panel| panel["targets"].as_array().unwrap())
        .map(|target| target["expr"].as_str().unwrap())
        .collect();
    let names: BTreeSet<&str> = expressions
        .iter()
        .flat_map(|expression| words(expression))
        .filter(|word| *word != "histogram_quantile")
        .collect();
    assert!(names.len() > 15, "{names:?}");
    let text = metrics_of_an_operator().await;
    let lacking: Vec<_> = names
        .iter()
        .filter(|name| {
            let has = |end: &str| text.lines().any(|line| line.starts_with(&format!("{name}{end}")));
            !has("{") && !has(" ")
        })
        .collect();
    assert!(lacking.is_empty(), "{lacking:?} are not in\n{text}");

    let targets = dashboard["panels"].as_array().unwrap().iter();
    let mut checked = 0;
    for target in targets.flat_map(|panel| panel["targets"].as_array().unwrap()) {
        let expression = target["expr"].as_str().unwrap();
        let mut metrics = words(expression).filter(|word| *word != "histogram_quantile");
        let metric = metrics.next().unwrap();
        assert_eq!(metrics.next(), None, "one metric in {expression}");
        let legend = target["legendFormat"].as_str().unwrap_or_default();
        for label in labels(expression, legend) {
            let has = |line: &str| {
                let labels = line.strip_prefix(metric).and_then(|rest| rest.strip_prefix('{'));
                labels.is_some_and(|labels| {
                    labels
                        .split(',')
                        .any(|pair| pair.starts_with(&format!("{label}=\"")))
                })
            };
            let exists = TARGET_LABELS.contains(&label.as_str()) || text.lines().any(has);
            assert!(
                exists,
                "{metric} has no label {label}: {expression} {legend}\n{text}"
            );
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked}");

    for line in [
        "rest_client_requests_total{code=\"200\",method=\"GET\",host=\"10.0.0.1:6443\"} 1",
        "rest_client_requests_total{code=\"<error>\",method=\"GET\",host=\"10.0.0.1:6443\"} 1",
        "rest_client_request_duration_seconds_count{verb=\"GET\",host=\"10.0.0.1:6443\"} 2",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let buckets = text
        .lines()
        .filter(|line| line.starts_with("rest_client_request_duration_seconds_bucket"));
    assert_eq!(buckets.count(), 13, "twelve, and the one without end");
}

#[tokio::test(start_paused = true)]
async fn metrics_are_those_of_controller_runtime() {
    let text = metrics_of_an_operator().await;
    let families = [
        "controller_runtime_active",
        "controller_runtime_max",
        "controller_runtime_reconcile",
        "controller_runtime_terminal",
        "leader_election_",
        "rest_client_",
        "workqueue_",
    ];
    assert_eq!(recorded_metrics::compare(&text, &families), 18);
    #[cfg(target_os = "linux")]
    assert_eq!(recorded_metrics::compare(&text, &["process_"]), 9);
}
