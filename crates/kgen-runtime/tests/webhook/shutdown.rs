//! The end of the server: new connections are rejected, and all requests are answered.

use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use crate::memcached::{Gated, Operator, create};
use crate::support::{Http, PATIENCE, Running, VALIDATE, request, send, until};

/// Longer than any test waits: a server that waits for its handlers fails the test.
const HANDLER_TIMEOUT: Duration = Duration::from_secs(3600);
/// How long a running server waits for a handshake or a first request. A server that stops does not wait that long.
const FIRST_REQUEST: Duration = Duration::from_secs(10);

#[tokio::test]
async fn requests_in_flight_are_answered() {
    for http in [Http::One, Http::Two] {
        let gate = Arc::new(Semaphore::new(0));
        let server = Running::start_with(|builder| builder.validating(Gated(Arc::clone(&gate)))).await;
        let client = server.client();
        let asking = tokio::spawn(async move {
            let review = create("a", &json!({ "size": 1, "mode": "Safe" }));
            client.post(http, VALIDATE, &review).await
        });
        let in_flight = format!("controller_runtime_webhook_requests_in_flight{{webhook=\"{VALIDATE}\"}}");
        until("the request is in flight", || async {
            (server.metric(&in_flight) == "1").then_some(())
        })
        .await;
        server.stop.cancel();
        until("nobody new is let in", || async {
            TcpStream::connect(server.address).await.is_err().then_some(())
        })
        .await;
        gate.add_permits(1);
        assert_eq!(asking.await.unwrap().status(), 200, "{http:?}");
        server.task.await.unwrap();
    }
}

#[tokio::test]
async fn who_has_connected_before_the_end_is_answered() {
    let server = Running::start().await;
    let stream = TcpStream::connect(server.address).await.unwrap();
    server.stop.cancel();
    let stream = server.client().handshake(Http::One, stream).await.unwrap();
    let review = create("a", &json!({ "size": 1, "mode": "Safe" }));
    let answer = send(stream, Http::One, request("POST", VALIDATE, review.to_string())).await;
    assert_eq!(answer.status(), 200);
    server.task.await.unwrap();
}

#[tokio::test]
async fn idle_connections_do_not_keep_it() {
    let server = Running::start_with(|builder| {
        let builder = builder.handler_timeout(HANDLER_TIMEOUT);
        builder.defaulting(Operator).validating(Operator)
    })
    .await;
    let review = || {
        request(
            "POST",
            VALIDATE,
            create("a", &json!({ "size": 1, "mode": "Safe" })).to_string(),
        )
    };
    let stream = TokioIo::new(server.client().connect(Http::One).await);
    let (mut one, connection) = hyper::client::conn::http1::handshake(stream).await.unwrap();
    let one_ends = tokio::spawn(connection);
    let stream = TokioIo::new(server.client().connect(Http::Two).await);
    let (mut two, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream)
        .await
        .unwrap();
    let two_ends = tokio::spawn(connection);
    assert_eq!(one.send_request(review()).await.unwrap().status(), 200);
    assert_eq!(two.send_request(review()).await.unwrap().status(), 200);
    server.stop.cancel();
    // Without an error: HTTP/2 gets a GOAWAY, HTTP/1.1 is closed.
    one_ends.await.unwrap().unwrap();
    two_ends.await.unwrap().unwrap();
    tokio::time::timeout(PATIENCE, server.task)
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn who_says_nothing_does_not_keep_it() {
    let server =
        Running::start_with(|builder| builder.handler_timeout(HANDLER_TIMEOUT).validating(Operator)).await;
    let _no_handshake = TcpStream::connect(server.address).await.unwrap();
    let _no_request = server.client().connect(Http::One).await;
    // From here on the clock advances only when nothing else can happen, so a busy machine does not count.
    tokio::time::pause();
    let stopped = tokio::time::Instant::now();
    server.stop.cancel();
    server.task.await.unwrap();
    assert!(stopped.elapsed() < FIRST_REQUEST, "{:?}", stopped.elapsed());
}
