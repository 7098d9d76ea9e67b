//! Clients that open connections and send bodies without end: other clients are still served, and memory stays bounded.

use std::sync::Arc;

use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;

use crate::memcached::{Gated, Operator, create};
use crate::support::{Http, Running, VALIDATE, request, until};

const MIB: usize = 1024 * 1024;

fn review() -> String {
    create("a", &json!({ "size": 1, "mode": "Safe" })).to_string()
}

/// Returns a review of so many bytes.
fn padded(bytes: usize) -> String {
    let review = review();
    format!("{review}{}", " ".repeat(bytes - review.len()))
}

async fn post(server: &Running, http: Http) -> u16 {
    let review: Value = serde_json::from_str(&review()).unwrap();
    server
        .client()
        .post(http, VALIDATE, &review)
        .await
        .status()
        .as_u16()
}

/// Returns how much memory bodies hold now.
fn body_bytes(server: &Running) -> usize {
    server.metric("webhook_body_bytes").parse().unwrap()
}

fn in_flight(server: &Running) -> String {
    server.metric(&format!(
        "controller_runtime_webhook_requests_in_flight{{webhook=\"{VALIDATE}\"}}"
    ))
}

/// A request whose body does not end.
struct Unfinished {
    /// Kept, because dropping it would end the body.
    _parts: mpsc::UnboundedSender<Bytes>,
    answer: JoinHandle<hyper::Result<Response<Bytes>>>,
}

/// Sends the head of a request of `announced` bytes, and `sent` bytes of its body.
async fn unfinished(server: &Running, announced: usize, sent: usize) -> Unfinished {
    let stream = TokioIo::new(server.client().connect(Http::One).await);
    let (parts, received) = mpsc::unbounded_channel::<Bytes>();
    let frames = futures::stream::unfold(received, |mut received| async {
        let part = received.recv().await?;
        Some((Ok::<_, std::convert::Infallible>(Frame::data(part)), received))
    });
    let (mut head, _) = request("POST", &format!("{VALIDATE}?timeout=30s"), String::new()).into_parts();
    head.headers.insert("content-length", announced.into());
    let (mut sender, connection) = http1::handshake(stream).await.unwrap();
    tokio::spawn(async move { drop(connection.await) });
    let answer = tokio::spawn(async move {
        let request = Request::from_parts(head, StreamBody::new(Box::pin(frames)));
        let (head, body) = sender.send_request(request).await?.into_parts();
        Ok(Response::from_parts(head, body.collect().await?.to_bytes()))
    });
    parts.send(Bytes::from(vec![b' '; sent])).unwrap();
    Unfinished {
        _parts: parts,
        answer,
    }
}

#[tokio::test]
async fn idle_connections_make_room_the_oldest_first() {
    let slots = 8;
    for http in [Http::One, Http::Two] {
        let server = Running::start_with(|builder| builder.validating(Operator).max_connections(slots)).await;
        let mut senders = Vec::new();
        let mut connections = Vec::new();
        for _ in 0..slots {
            let stream = TokioIo::new(server.client().connect(Http::Two).await);
            let (sender, connection) = http2::handshake::<_, _, Full<Bytes>>(TokioExecutor::new(), stream)
                .await
                .unwrap();
            senders.push(sender);
            connections.push(tokio::spawn(connection));
        }
        // The first one is used, so the second one has been idle longest.
        let used = senders[0].send_request(request("POST", VALIDATE, review()));
        assert_eq!(used.await.unwrap().status(), 200);
        assert_eq!(post(&server, http).await, 200, "{http:?}");
        let _ = connections.remove(1).await.unwrap();
        senders.remove(1);
        assert!(connections.iter().all(|connection| !connection.is_finished()));
        for sender in &mut senders {
            let answer = sender.send_request(request("POST", VALIDATE, review()));
            assert_eq!(answer.await.unwrap().status(), 200, "{http:?}");
        }
    }
}

#[tokio::test]
async fn clients_that_do_not_even_shake_hands_make_room() {
    let slots = 8;
    let server = Running::start_with(|builder| builder.validating(Operator).max_connections(slots)).await;
    let mut silent = Vec::new();
    for _ in 0..slots {
        silent.push(TcpStream::connect(server.address).await.unwrap());
    }
    assert_eq!(post(&server, Http::One).await, 200);
    let mut byte = [0];
    let closed = tokio::io::AsyncReadExt::read(&mut silent[0], &mut byte).await;
    assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
    let second = server.client().handshake(Http::One, silent.remove(1)).await;
    assert!(second.is_ok(), "the first connection did not block the second");
}

#[tokio::test]
async fn requests_that_are_being_handled_are_never_in_the_way() {
    let gate = Arc::new(Semaphore::new(0));
    let server =
        Running::start_with(|builder| builder.validating(Gated(Arc::clone(&gate))).max_connections(1)).await;
    let client = server.client();
    let first = tokio::spawn(async move {
        client
            .post(Http::One, VALIDATE, &create("a", &json!({ "size": 1 })))
            .await
    });
    until("the first is being handled", || async {
        (in_flight(&server) == "1" && body_bytes(&server) > 0).then_some(())
    })
    .await;
    let second = TcpStream::connect(server.address).await.unwrap();
    let client = server.client();
    let second = tokio::spawn(async move { client.handshake(Http::One, second).await });
    gate.add_permits(9);
    assert_eq!(first.await.unwrap().status(), 200);
    assert!(second.await.unwrap().is_ok());
}

#[tokio::test]
async fn unfinished_bodies_share_a_bounded_memory() {
    let (limit, memory, attackers) = (MIB, 4 * MIB, 20);
    let server = Running::start_with(|builder| {
        builder
            .validating(Operator)
            .max_body_bytes(limit)
            .max_body_memory(memory)
    })
    .await;
    let mut unfinished_bodies = Vec::new();
    for number in 0..attackers {
        unfinished_bodies.push(unfinished(&server, limit, limit - 1).await);
        // One after the other, so that their order is known.
        until("the body is there, or something was given up for it", || async {
            let held = body_bytes(&server);
            assert!(held <= memory, "{held}");
            let given_up = unfinished_bodies
                .iter()
                .filter(|body| body.answer.is_finished())
                .count();
            (held == limit * (number + 1 - given_up)).then_some(())
        })
        .await;
    }
    let answer = server
        .client()
        .send(request("POST", VALIDATE, padded(limit)))
        .await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    let mut given_up = 0;
    for (number, body) in unfinished_bodies.into_iter().enumerate() {
        if number <= attackers - memory / limit {
            let answer = body.answer.await.unwrap().unwrap();
            assert_eq!(answer.status(), 408, "{answer:?}");
            given_up += 1;
        } else {
            assert!(!body.answer.is_finished(), "{number} came last");
            body.answer.abort();
        }
    }
    assert_eq!(given_up, 17);
    until("all memory is returned", || async {
        (body_bytes(&server) == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_memory_of_a_large_body_is_returned() {
    for http in [Http::One, Http::Two] {
        let server = Running::start().await;
        assert_eq!(body_bytes(&server), 0);
        let stream = server.client().connect(http).await;
        // The longest time that the API server gives: this machine may be slow.
        let path = format!("{VALIDATE}?timeout=30s");
        let answer = crate::support::send(stream, http, request("POST", &path, padded(6 * MIB))).await;
        assert_eq!(answer.status(), 200);
        until("the memory is returned", || async {
            (body_bytes(&server) == 0).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_request_waits_for_memory_and_is_told_if_there_is_none() {
    let gate = Arc::new(Semaphore::new(0));
    let limit = 2 * review().len();
    let server = Running::start_with(|builder| {
        builder
            .validating(Gated(Arc::clone(&gate)))
            .max_body_bytes(limit)
            .max_body_memory(limit)
    })
    .await;
    let client = server.client();
    // The longest time that the API server gives: the others may be slow.
    let patience = format!("{VALIDATE}?timeout=30s");
    let path = patience.clone();
    let first = tokio::spawn(async move { client.send(request("POST", &path, padded(limit))).await });
    until("the first has all the memory", || async {
        (body_bytes(&server) == limit).then_some(())
    })
    .await;
    let path = format!("{VALIDATE}?timeout=1s");
    let answer = server.client().send(request("POST", &path, padded(limit))).await;
    assert_eq!(answer.status(), 503, "{answer:?}");

    let client = server.client();
    let patient = tokio::spawn(async move { client.send(request("POST", &patience, padded(limit))).await });
    until("it waits", || async { (in_flight(&server) == "2").then_some(()) }).await;
    gate.add_permits(9);
    assert_eq!(first.await.unwrap().status(), 200);
    assert_eq!(patient.await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_body_far_over_the_limit_is_answered() {
    let limit = MIB;
    let server = Running::start_with(|builder| builder.validating(Operator).max_body_bytes(limit)).await;
    for http in [Http::One, Http::Two] {
        let stream = server.client().connect(http).await;
        let answer = crate::support::send(stream, http, request("POST", VALIDATE, padded(8 * MIB))).await;
        assert_eq!(answer.status(), 413, "{http:?}");
    }
    assert_eq!(body_bytes(&server), 0);
}
