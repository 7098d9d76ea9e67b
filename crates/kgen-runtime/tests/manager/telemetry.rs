//! Spans of reconciliations in OpenTelemetry.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::manager::{Controller, Manager};
use kgen_runtime::shutdown::Shutdown;
use kgen_runtime::telemetry::Telemetry;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use tracing_subscriber::layer::SubscriberExt;

use crate::MAPS;
use crate::support::{api, map};
use crate::told::{Step, Told};

/// Keeps spans in memory.
#[derive(Clone, Debug, Default)]
struct Memory(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for Memory {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().unwrap().extend(batch);
        Ok(())
    }
}

fn attribute(span: &SpanData, name: &str) -> String {
    let mut attributes = span.attributes.iter();
    let found = attributes.find(|attribute| attribute.key.as_str() == name);
    found.map_or_else(String::new, |found| found.value.to_string())
}

#[tokio::test(start_paused = true)]
async fn reconciliations_become_spans_of_open_telemetry() {
    let memory = Memory::default();
    let telemetry = Telemetry::with_exporter("tester", memory.clone());
    let subscriber = tracing_subscriber::registry().with(telemetry.layer());
    let guard = tracing::subscriber::set_default(subscriber);

    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let maps = manager.informers().informer::<ConfigMap>();
    let (told, mut calls) = Told::new(&[("a", &[Step::Fail, Step::Fine])]);
    manager.add(Controller::new(&manager, "maps", told).watch(&maps));
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&signals).await });
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let _watch = api.watch(MAPS).await.open();
    calls.recv().await.unwrap();
    calls.recv().await.unwrap();
    shutdown.signal();
    running.await.unwrap().unwrap();
    drop(guard);
    telemetry.finish().unwrap();

    let spans = memory.0.lock().unwrap();
    let spans: Vec<&SpanData> = spans.iter().filter(|span| span.name == "reconcile").collect();
    let found: Vec<[String; 3]> = spans
        .iter()
        .map(|span| ["controller", "object", "attempt"].map(|name| attribute(span, name)))
        .collect();
    let expected = ["1", "2"].map(|attempt| ["maps", "default/a", attempt].map(str::to_owned));
    assert_eq!(found, expected);
    let said = |span: &SpanData| span.events.iter().map(|event| event.name.to_string()).collect();
    let said: Vec<Vec<String>> = spans.iter().map(|span| said(span)).collect();
    assert!(
        said[0]
            .iter()
            .any(|event| event == "reconciliation failed, will retry"),
        "{said:?}"
    );
    let traces: Vec<_> = spans.iter().map(|span| span.span_context.trace_id()).collect();
    assert_ne!(traces[0], traces[1], "each attempt is a trace");
}

/// Accepts one request, and returns it.
fn collector() -> (String, std::thread::JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let received = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut part = [0; 4096];
        loop {
            let length = stream.read(&mut part).unwrap();
            assert!(length > 0, "the request is complete");
            request.extend_from_slice(&part[..length]);
            let text = String::from_utf8_lossy(&request).to_ascii_lowercase();
            let Some((head, _)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            let wanted = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            if request.len() >= head.len() + 4 + wanted.unwrap().parse::<usize>().unwrap() {
                break;
            }
        }
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
            .unwrap();
        request
    });
    (address, received)
}

#[test]
fn spans_are_sent_to_a_collector() {
    let (address, received) = collector();
    let telemetry = Telemetry::to_collector("tester", &address).unwrap();
    let subscriber = tracing_subscriber::registry().with(telemetry.layer());
    tracing::subscriber::with_default(subscriber, || {
        tracing::info_span!("reconcile", controller = "maps", object = "default/a").in_scope(|| {});
    });
    telemetry.finish().unwrap();
    let request = received.join().unwrap();
    let text = String::from_utf8_lossy(&request);
    assert!(text.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{text}");
    for part in ["content-type: application/x-protobuf\r\n", "host: 127.0.0.1:"] {
        assert!(text.contains(part), "{text}");
    }
    for part in ["service.name", "tester", "reconcile", "controller", "default/a"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn a_program_ends_although_nothing_collects_its_spans() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let telemetry = Telemetry::to_collector("tester", &address).unwrap();
    let subscriber = tracing_subscriber::registry().with(telemetry.layer());
    tracing::subscriber::with_default(subscriber, || tracing::info_span!("reconcile").in_scope(|| {}));
    let error = telemetry.finish().unwrap_err().to_string();
    assert!(error.starts_with("the last spans could not be sent: "), "{error}");
}

#[test]
fn an_address_that_no_collector_can_have_is_refused() {
    for (endpoint, expected) in [
        (
            "https://collector:4318",
            "\"https://collector:4318\" is not the address of a collector: it must begin with `http://`; a collector in the \
             cluster forwards with TLS",
        ),
        (
            "collector:4318",
            "\"collector:4318\" is not the address of a collector: it must begin with `http://`; a collector in the cluster \
             forwards with TLS",
        ),
        // The rest is what the parser says.
        ("http://", "\"http://\" is not the address of a collector: "),
    ] {
        let error = Telemetry::to_collector("tester", endpoint).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
