//! The event recorder with a scripted API.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

#[path = "support/scripted.rs"]
mod support;

use std::time::Duration;

use http::Method;
use k8s_openapi::api::core::v1::{ConfigMap, Node};
use kgen_runtime::clock::TokioClock;
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::recorder::{EventType, EventWriter, Recorder};
use kube::core::ObjectMeta;
use serde_json::json;
use support::{Answer, Server};
use tokio::time::Instant;

const SOON: Duration = Duration::from_secs(1);

fn object() -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some("settings".into()),
            namespace: Some("team".into()),
            uid: Some("4a1e".into()),
            resource_version: Some("7".into()),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn start(server: &Server) -> (Recorder, EventWriter, Metrics) {
    let metrics = Metrics::default();
    let (recorder, writer) = Recorder::builder(server.client(), "my-operator")
        .clock(TokioClock::starting_at("2026-01-01T00:00:00Z".parse().unwrap()))
        .metrics(&metrics)
        .start();
    (recorder, writer, metrics)
}

fn counted(metrics: &Metrics, what: &str) -> u64 {
    let text = metrics.encode(Format::Prometheus);
    let start = format!("event_recorder_{what}_total{{name=\"my-operator\"}} ");
    text.lines()
        .find_map(|line| line.strip_prefix(&start))
        .unwrap()
        .parse()
        .unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_first_occurrence_is_created_in_full() {
    let server = Server::accepting();
    let (recorder, writer, metrics) = start(&server);
    recorder.event(&object(), EventType::Warning, "Broken", "it broke");
    assert!(writer.shutdown(SOON).await);

    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(
        (&seen[0].method, seen[0].path.as_str()),
        (&Method::POST, "/api/v1/namespaces/team/events")
    );
    let nanosecond = "2026-01-01T00:00:00Z"
        .parse::<k8s_openapi::jiff::Timestamp>()
        .unwrap()
        .as_nanosecond();
    let expected = json!({
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": { "name": format!("settings.{nanosecond:x}"), "namespace": "team" },
        "involvedObject": {
            "apiVersion": "v1", "kind": "ConfigMap", "name": "settings", "namespace": "team", "uid": "4a1e",
            "resourceVersion": "7",
        },
        "type": "Warning",
        "reason": "Broken",
        "message": "it broke",
        "count": 1,
        "firstTimestamp": "2026-01-01T00:00:00Z",
        "lastTimestamp": "2026-01-01T00:00:00Z",
        "source": { "component": "my-operator" },
        "reportingComponent": "my-operator",
        "reportingInstance": "",
    });
    assert_eq!(seen[0].body, expected);
    assert_eq!(counted(&metrics, "written"), 1);
}

#[tokio::test(start_paused = true)]
async fn objects_without_a_namespace_have_their_events_in_default() {
    let server = Server::accepting();
    let (recorder, writer, _) = start(&server);
    let node = Node {
        metadata: ObjectMeta {
            name: Some("n1".into()),
            ..Default::default()
        },
        ..Default::default()
    };
    recorder.event(&node, EventType::Normal, "Seen", "there it is");
    assert!(writer.shutdown(SOON).await);
    let seen = server.seen();
    assert_eq!(seen[0].path, "/api/v1/namespaces/default/events");
    assert_eq!(seen[0].body["involvedObject"].get("namespace"), None);
}

#[tokio::test(start_paused = true)]
async fn repetitions_are_counted_with_a_patch() {
    let server = Server::accepting();
    let (recorder, writer, _) = start(&server);
    recorder.event(&object(), EventType::Normal, "Synced", "synced");
    tokio::time::sleep(Duration::from_secs(60)).await;
    recorder.event(&object(), EventType::Normal, "Synced", "synced");
    recorder.event(&object(), EventType::Normal, "Synced", "differently");
    assert!(writer.shutdown(SOON).await);

    let seen = server.seen();
    let methods: Vec<_> = seen.iter().map(|seen| seen.method.as_str()).collect();
    assert_eq!(methods, ["POST", "PATCH", "POST"]);
    let name = seen[0].body["metadata"]["name"].as_str().unwrap();
    assert_eq!(seen[1].path, format!("/api/v1/namespaces/team/events/{name}"));
    let expected = json!({ "count": 2, "lastTimestamp": "2026-01-01T00:01:00Z", "message": "synced" });
    assert_eq!(seen[1].body, expected);
    assert_ne!(seen[2].body["metadata"]["name"], name);
}

#[tokio::test(start_paused = true)]
async fn the_tenth_message_is_combined_and_then_counted() {
    let server = Server::accepting();
    let (recorder, writer, _) = start(&server);
    for n in 1..=12 {
        recorder.event(&object(), EventType::Normal, "Synced", format!("message {n}"));
    }
    assert!(writer.shutdown(SOON).await);
    let seen = server.seen();
    let told: Vec<_> = seen
        .iter()
        .map(|seen| {
            (
                seen.method.as_str(),
                seen.body["message"].as_str().unwrap(),
                seen.body["count"].as_u64(),
            )
        })
        .collect();
    assert_eq!(told[0], ("POST", "message 1", Some(1)));
    assert_eq!(told[8], ("POST", "message 9", Some(1)));
    assert_eq!(
        told[9],
        ("POST", "(combined from similar events): message 10", Some(1))
    );
    assert_eq!(
        told[10],
        ("PATCH", "(combined from similar events): message 11", Some(2))
    );
    assert_eq!(
        told[11],
        ("PATCH", "(combined from similar events): message 12", Some(3))
    );
    assert_eq!(told.len(), 12);
}

#[tokio::test(start_paused = true)]
async fn an_expired_event_is_created_again() {
    let server = Server::new(|seen| match seen.method {
        Method::PATCH => Answer::error(404, "NotFound"),
        _ => Answer::ok(seen.body.clone()),
    });
    let (recorder, writer, metrics) = start(&server);
    recorder.event(&object(), EventType::Normal, "Synced", "synced");
    tokio::time::sleep(Duration::from_secs(2 * 3600)).await;
    recorder.event(&object(), EventType::Normal, "Synced", "synced");
    assert!(writer.shutdown(SOON).await);

    let seen = server.seen();
    let methods: Vec<_> = seen.iter().map(|seen| seen.method.as_str()).collect();
    assert_eq!(methods, ["POST", "PATCH", "POST"]);
    let (first, again) = (&seen[0].body, &seen[2].body);
    assert_eq!(again["metadata"]["name"], first["metadata"]["name"]);
    assert_eq!(again["count"], 2);
    assert_eq!(again["firstTimestamp"], "2026-01-01T00:00:00Z");
    assert_eq!(again["lastTimestamp"], "2026-01-01T02:00:00Z");
    assert_eq!(counted(&metrics, "written"), 2);
}

#[tokio::test(start_paused = true)]
async fn an_object_with_too_many_events_is_limited_and_others_are_not() {
    let server = Server::accepting();
    let (recorder, writer, metrics) = start(&server);
    for _ in 0..40 {
        recorder.event(&object(), EventType::Normal, "Synced", "synced");
    }
    let mut other = object();
    other.metadata.name = Some("other".into());
    recorder.event(&other, EventType::Normal, "Synced", "synced");
    assert!(writer.shutdown(SOON).await);
    assert_eq!(server.seen().len(), 26);
    assert_eq!(counted(&metrics, "filtered"), 15);
    assert_eq!(counted(&metrics, "written"), 26);
    assert_eq!(counted(&metrics, "dropped"), 0);
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_drops_and_counts_and_never_waits() {
    let server = Server::new(|_| Answer::Silence);
    let (recorder, writer, metrics) = start(&server);
    // The first one is being written; 1000 more are queued.
    recorder.event(&object(), EventType::Normal, "Synced", "first");
    server.wait_for(1).await;
    let started = Instant::now();
    for n in 0..1010 {
        recorder.event(&object(), EventType::Normal, "Synced", format!("message {n}"));
    }
    assert_eq!(started.elapsed(), Duration::ZERO);
    assert_eq!(recorder.dropped(), 10);
    assert_eq!(counted(&metrics, "dropped"), 10);
    assert!(!writer.shutdown(SOON).await, "a silent API cannot be waited for");
    recorder.event(&object(), EventType::Normal, "Synced", "too late");
    assert_eq!(recorder.dropped(), 11);
}

#[tokio::test(start_paused = true)]
async fn broken_connections_are_tried_12_times_10_s_apart() {
    let server = Server::new(|_| Answer::Broken);
    let (recorder, writer, metrics) = start(&server);
    let started = Instant::now();
    recorder.event(&object(), EventType::Normal, "Synced", "synced");
    server.wait_for(1).await;
    server.wait_for(2).await;
    let first_wait = started.elapsed();
    assert!(first_wait <= Duration::from_millis(10_001), "{first_wait:?}");
    server.wait_for(12).await;
    let rest = started.elapsed() - first_wait;
    assert!(
        rest >= Duration::from_secs(100) && rest < Duration::from_secs(101),
        "{rest:?}"
    );
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(server.seen().len(), 12);
    assert_eq!(counted(&metrics, "failed"), 1);
    assert!(writer.shutdown(SOON).await);
}

#[tokio::test(start_paused = true)]
async fn a_silent_api_does_not_stop_the_events_for_ever() {
    let mut asked = 0;
    let server = Server::new(move |seen| {
        asked += 1;
        if asked == 1 {
            Answer::Silence
        } else {
            Answer::ok(seen.body.clone())
        }
    });
    let (recorder, writer, metrics) = start(&server);
    recorder.event(&object(), EventType::Normal, "Synced", "synced");
    let seen = server.wait_for(2).await;
    assert_eq!(seen[0], seen[1]);
    assert!(writer.shutdown(SOON).await);
    assert_eq!(counted(&metrics, "written"), 1);
}

#[tokio::test(start_paused = true)]
async fn what_the_api_refuses_is_not_tried_again() {
    let server = Server::new(|_| Answer::error(403, "Forbidden"));
    let (recorder, writer, metrics) = start(&server);
    recorder.event(&object(), EventType::Normal, "Synced", "synced");
    server.wait_for(1).await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(server.seen().len(), 1);
    assert_eq!(counted(&metrics, "failed"), 1);
    assert!(writer.shutdown(SOON).await);
}

#[tokio::test(start_paused = true)]
async fn an_event_that_arrived_although_the_answer_did_not_is_no_failure() {
    let mut asked = 0;
    let server = Server::new(move |_| {
        asked += 1;
        if asked == 1 {
            Answer::Broken
        } else {
            Answer::error(409, "AlreadyExists")
        }
    });
    let (recorder, writer, metrics) = start(&server);
    recorder.event(&object(), EventType::Normal, "Synced", "synced");
    server.wait_for(2).await;
    assert!(writer.shutdown(SOON).await);
    assert_eq!(
        (counted(&metrics, "written"), counted(&metrics, "failed")),
        (1, 0)
    );
}

/// A patch that conflicts is repeated immediately: the queue must not wait for it.
#[tokio::test(start_paused = true)]
async fn a_conflict_is_no_reason_to_lose_an_event() {
    let mut asked = 0;
    let server = Server::new(move |seen| {
        asked += 1;
        match asked {
            2 | 3 => Answer::error(409, "Conflict"),
            _ => Answer::ok(seen.body.clone()),
        }
    });
    let (recorder, writer, metrics) = start(&server);
    for _ in 0..2 {
        recorder.event(&object(), EventType::Normal, "Synced", "synced");
    }
    let started = Instant::now();
    let seen = server.wait_for(4).await;
    assert!(started.elapsed() < Duration::from_secs(1));
    assert_eq!(seen[1], seen[3]);
    assert!(writer.shutdown(SOON).await);
    assert_eq!(
        (counted(&metrics, "written"), counted(&metrics, "failed")),
        (2, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn shutdown_writes_what_is_queued_without_waiting_between_tries() {
    let server = Server::new(|seen| match seen.body["message"].as_str() {
        Some("broken") => Answer::Broken,
        _ => Answer::ok(seen.body.clone()),
    });
    let (recorder, writer, metrics) = start(&server);
    for message in ["one", "broken", "two"] {
        recorder.event(&object(), EventType::Normal, "Synced", message);
    }
    let started = Instant::now();
    assert!(writer.shutdown(SOON).await);
    assert!(started.elapsed() < SOON);
    assert_eq!(
        (counted(&metrics, "written"), counted(&metrics, "failed")),
        (2, 1)
    );
}

#[tokio::test(start_paused = true)]
async fn the_fake_shows_what_was_told() {
    let (recorder, mut events) = Recorder::fake();
    recorder.event(&object(), EventType::Normal, "Synced", "Foo synced successfully");
    recorder.event(&object(), EventType::Warning, "Broken", "it broke");
    let occurrence = events.next().await.unwrap();
    assert_eq!(occurrence.regarding.name.as_deref(), Some("settings"));
    assert_eq!(occurrence.to_string(), "Normal Synced Foo synced successfully");
    assert_eq!(events.take(), ["Warning Broken it broke"]);
    assert!(events.take().is_empty());
}
