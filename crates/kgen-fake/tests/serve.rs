//! The cluster on a port, and the example that serves it: plain HTTP, without kubectl and without a control plane.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

#[allow(dead_code, reason = "the example has a `main` of its own")]
#[path = "../examples/serve.rs"]
mod example;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

const WIDGETS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../testdata/conformance/fake/definitions/widgets.json"
);

/// Sends a request and returns the code and the body of its answer.
async fn send(port: u16, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    });
    let answer = answer.await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let code = head.split(' ').nth(1).unwrap().parse().unwrap();
    (
        code,
        serde_json::from_str(body).unwrap_or_else(|_| Value::from(body)),
    )
}

#[tokio::test]
async fn the_example_serves_what_its_arguments_say() {
    let arguments = ["--port", "0", "--definitions", WIDGETS].map(str::to_owned);
    let (_cluster, served) = example::start(arguments).await.unwrap();
    let port = served.port();
    let kubeconfig = served.kubeconfig();
    assert!(
        kubeconfig.contains(&format!("http://127.0.0.1:{port}")),
        "{kubeconfig}"
    );
    let (code, version) = send(port, "GET", "/version", &Value::Null).await;
    assert_eq!((code, &version["minor"]), (200, &json!("36")));
    assert_eq!(
        send(port, "GET", "/readyz", &Value::Null).await,
        (200, json!("ok"))
    );
    let path = "/apis/example.org/v1/namespaces/default/widgets";
    let (code, list) = send(port, "GET", path, &Value::Null).await;
    assert_eq!((code, &list["kind"]), (200, &json!("WidgetList")), "{list}");
    let map = json!({"metadata": {"name": "a"}, "data": {"k": "v"}});
    let path = "/api/v1/namespaces/default/configmaps";
    let (code, created) = send(port, "POST", path, &map).await;
    assert_eq!((code, &created["data"]), (201, &json!({"k": "v"})));
    let (code, refused) = send(port, "POST", path, &map).await;
    assert_eq!((code, &refused["reason"]), (409, &json!("AlreadyExists")));
}

#[tokio::test]
async fn the_example_refuses_arguments_that_it_does_not_know() {
    for (arguments, expected) in [
        (vec!["--prot", "1"], "unknown argument --prot"),
        (vec!["--port"], "--port needs a value"),
    ] {
        let arguments = arguments.into_iter().map(str::to_owned);
        let error = example::start(arguments).await.err().unwrap();
        assert_eq!(error.to_string(), expected);
    }
}
