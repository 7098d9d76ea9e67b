//! A manager whose mapper panics, and the report about unreadable objects.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::health::Health;
use kgen_runtime::manager::{Controller, Manager, ManagerError, Next, ObjectKey, Reconciler};
use kgen_runtime::shutdown::Shutdown;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::support::{api, map, settle};

const MAPS: &str = "/api/v1/configmaps";

struct Told(mpsc::UnboundedSender<String>);

impl Reconciler for Told {
    type Error = String;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, String> {
        self.0.send(key.to_string()).unwrap();
        Ok(Next::AwaitChange)
    }
}

#[tokio::test(start_paused = true)]
async fn a_manager_ends_after_ten_panics_in_a_row() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let maps = manager.informers().informer::<ConfigMap>();
    let (sender, mut calls) = mpsc::unbounded_channel();
    let controller = Controller::new(&manager, "maps", Told(sender)).watch_with(&maps, |map: &ConfigMap| {
        assert_ne!(map.metadata.name.as_deref(), Some("bad"), "a bug in a mapper");
        vec![ObjectKey::of(map)]
    });
    manager.add(controller);
    let running = tokio::spawn(async move { manager.run(&Shutdown::default()).await });
    api.list(MAPS)
        .await
        .items("2", &[map("bad", "1"), map("good", "2")]);
    let watch = api.watch(MAPS).await.open();
    assert_eq!(
        calls.recv().await.unwrap(),
        "default/good",
        "one panic stops nothing"
    );
    for version in 3..12 {
        watch.modified(&map("bad", &version.to_string()));
    }
    settle().await;
    assert!(!running.is_finished(), "nine in a row");
    watch.modified(&map("bad", "12"));
    let error = running.await.unwrap().unwrap_err();
    let ManagerError::Task { name, source } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(name, "informers");
    assert_eq!(
        source.to_string(),
        "configmaps/v1: a handler has panicked 10 times in a row"
    );
}

#[tokio::test(start_paused = true)]
async fn a_manager_records_events_about_objects_that_cannot_be_read() {
    let (connection, mut api) = api();
    let manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
    let _maps = manager.informers().informer::<ConfigMap>();
    let running = tokio::spawn(async move { manager.run(&Shutdown::default()).await });
    let mut bad = map("a", "1");
    bad["immutable"] = json!("hunter2");
    api.list(MAPS).await.items("2", &[bad]);
    loop {
        let call = api.next().await;
        if call.path.ends_with("/events") {
            assert_eq!(call.body["involvedObject"]["kind"], "ConfigMap");
            assert_eq!(call.body["involvedObject"]["name"], "a");
            assert_eq!(
                call.body["message"],
                "The operator cannot read this object: immutable: invalid type: string, expected a boolean"
            );
            break;
        }
    }
    running.abort();
}

#[tokio::test]
async fn details_of_a_check_are_shown_to_those_who_ask() {
    let health = Health::default().ready_with_details("caches", || {
        Ok("foos: synced\n  cannot read default/a: no size".to_owned())
    });
    let server = health.listen(([127, 0, 0, 1], 0).into()).await.unwrap();
    let address = server.address();
    let serving = tokio::spawn(server.serve(std::future::pending()));
    let mut answers = Vec::new();
    for path in ["/readyz?verbose", "/readyz"] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        answers.push(answer.split_once("\r\n\r\n").unwrap().1.to_owned());
    }
    serving.abort();
    insta::assert_snapshot!(answers[0], @"
    [+]caches ok
        foos: synced
          cannot read default/a: no size
    readyz check passed
    ");
    assert_eq!(answers[1], "ok");
}
