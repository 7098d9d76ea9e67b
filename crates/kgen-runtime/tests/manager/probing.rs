//! The probes of a manager.

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::manager::Manager;
use kgen_runtime::shutdown::Shutdown;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::MAPS;
use crate::support::{api, map};

#[tokio::test]
async fn readyz_lists_the_objects_that_cannot_be_read() {
    let (connection, mut api) = api();
    let manager = Manager::builder("tester")
        .serve_probes(Some(([127, 0, 0, 1], 0).into()))
        .with_client(connection.client().clone(), "default");
    let maps = manager.informers().informer::<ConfigMap>();
    let addresses = manager.addresses();
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&signals).await });
    let mut odd = map("b", "2");
    odd["immutable"] = json!("no boolean");
    api.list(MAPS).await.items("3", &[map("a", "1"), odd]);
    let _watch = api.watch(MAPS).await.open();
    assert!(maps.synced().await);

    let mut stream = TcpStream::connect(addresses.probes().unwrap()).await.unwrap();
    let request = "GET /readyz?verbose HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let lines = [
        "[+]caches ok",
        "    configmaps/v1: synced",
        "      cannot read default/b: immutable: invalid type: string, expected a boolean",
        "readyz check passed\n",
    ];
    assert_eq!(body, lines.join("\n"));
    shutdown.signal();
    running.await.unwrap().unwrap();
}
