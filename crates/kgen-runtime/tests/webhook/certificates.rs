//! The certificate changes on disk while the server runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http_body_util::BodyExt as _;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use kgen_testenv::{CertifiedKey, ServingCertificates};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::memcached::{Gated, create};
use crate::support::{Http, Running, VALIDATE, request, send, until};

/// The number of requests while the certificate is replaced.
const REQUESTS: usize = 1000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replaced_while_a_thousand_requests_wait_none_fails() {
    let gate = Arc::new(Semaphore::new(0));
    let server = Running::start_with(|builder| builder.validating(Gated(Arc::clone(&gate)))).await;
    let before = server.client().certificate().await;
    let path = format!("{VALIDATE}?timeout=30s");
    let mut requests = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let stream = TokioIo::new(server.client().connect(Http::Two).await);
        let (sender, connection) = http2::handshake(TokioExecutor::new(), stream).await.unwrap();
        tokio::spawn(connection);
        for _ in 0..REQUESTS / 20 {
            let (mut sender, review) = (sender.clone(), create("a", &json!({ "size": 1 })));
            let request = request("POST", &path, review.to_string());
            requests.spawn(async move {
                let answer = sender.send_request(request).await.unwrap();
                assert_eq!(answer.status(), 200);
                let body = answer.into_body().collect().await.unwrap().to_bytes();
                let review: Value = serde_json::from_slice(&body).unwrap();
                review["response"]["allowed"] == true
            });
        }
    }
    let in_flight = format!("controller_runtime_webhook_requests_in_flight{{webhook=\"{VALIDATE}\"}}");
    until("all are in flight", || async {
        (server.metric(&in_flight) == REQUESTS.to_string()).then_some(())
    })
    .await;
    server.certificates.replace().unwrap();
    until("the new certificate", || async {
        (server.client().certificate().await != before).then_some(())
    })
    .await;
    assert_eq!(server.metric(&in_flight), REQUESTS.to_string());
    gate.add_permits(1);
    let allowed = requests.join_all().await;
    assert_eq!(allowed, vec![true; REQUESTS]);
}

/// How many of them are open at once. The server gives a handshake ten seconds, so on a busy machine it must finish one
/// before a hundred others.
const AT_ONCE: usize = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replaced_under_a_thousand_new_connections_none_fails() {
    let server = Running::start().await;
    let before = server.client().certificate().await;
    let (places, answered) = (Arc::new(Semaphore::new(AT_ONCE)), Arc::new(AtomicUsize::new(0)));
    let mut requests = tokio::task::JoinSet::new();
    for number in 0..REQUESTS {
        let (client, places, answered) = (server.client(), Arc::clone(&places), Arc::clone(&answered));
        requests.spawn(async move {
            let _place = places.acquire_owned().await.unwrap();
            let http = if number % 2 == 0 { Http::One } else { Http::Two };
            let stream = client.connect(http).await;
            let chain = stream.get_ref().1.peer_certificates().unwrap();
            let certificate = chain[0].clone().into_owned();
            let review = create("a", &json!({ "size": 1, "mode": "Safe" }));
            let answer = send(stream, http, request("POST", VALIDATE, review.to_string())).await;
            assert_eq!(answer.status(), 200);
            let review: Value = serde_json::from_slice(answer.body()).unwrap();
            assert_eq!(review["response"]["allowed"], true);
            answered.fetch_add(1, Ordering::SeqCst);
            certificate
        });
    }
    until("a quarter is answered", || async {
        (answered.load(Ordering::SeqCst) >= REQUESTS / 4).then_some(())
    })
    .await;
    server.certificates.replace().unwrap();
    assert!(
        answered.load(Ordering::SeqCst) < REQUESTS,
        "there are requests left for the new certificate"
    );
    let mut old = 0;
    while let Some(certificate) = requests.join_next().await {
        if certificate.unwrap() == before {
            old += 1;
        }
    }
    assert_eq!(answered.load(Ordering::SeqCst), REQUESTS);
    assert!(
        (REQUESTS / 4..REQUESTS).contains(&old),
        "{old} of {REQUESTS} had the old certificate"
    );
    assert_ne!(server.client().certificate().await, before);
    assert_eq!(server.metric("certwatcher_read_certificate_total"), "2");
    assert_eq!(server.metric("certwatcher_read_certificate_errors_total"), "0");
}

#[tokio::test]
async fn open_connections_go_on() {
    let server = Running::start().await;
    let before = server.client().certificate().await;
    let stream = server.client().connect(Http::One).await;
    server.certificates.replace().unwrap();
    until("the new certificate", || async {
        (server.client().certificate().await != before).then_some(())
    })
    .await;
    let review = create("a", &json!({ "size": 1, "mode": "Safe" }));
    let answer = send(stream, Http::One, request("POST", VALIDATE, review.to_string())).await;
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn half_of_a_pair_is_not_taken() {
    let server = Running::start().await;
    let before = server.client().certificate().await;
    let other = tempfile::tempdir().unwrap();
    let other = ServingCertificates::new(other.path()).unwrap();
    let read = |certificates: &ServingCertificates, name: &str| {
        std::fs::read_to_string(certificates.folder().join(name)).unwrap()
    };
    let errors = || {
        server
            .metric("certwatcher_read_certificate_errors_total")
            .parse::<u64>()
            .unwrap()
    };
    let nonsense = [
        CertifiedKey {
            certificate: read(&server.certificates, "tls.crt"),
            key: read(&other, "tls.key"),
        },
        CertifiedKey {
            certificate: read(&server.certificates, "tls.crt")[..100].to_owned(),
            key: read(&server.certificates, "tls.key"),
        },
        CertifiedKey {
            certificate: read(&server.certificates, "tls.crt"),
            key: String::new(),
        },
    ];
    for pair in nonsense {
        let seen = errors();
        server.certificates.replace_with(&pair).unwrap();
        until("the pair is looked at", || async {
            (errors() > seen).then_some(())
        })
        .await;
        assert_eq!(server.client().certificate().await, before);
    }
    let seen = errors();
    std::fs::remove_file(server.certificates.folder().join("tls.key")).unwrap();
    until("the missing file is noticed", || async {
        (errors() > seen).then_some(())
    })
    .await;
    assert_eq!(server.client().certificate().await, before);

    std::os::unix::fs::symlink("..data/tls.key", server.certificates.folder().join("tls.key")).unwrap();
    server.certificates.replace().unwrap();
    until("a whole pair", || async {
        (server.client().certificate().await != before).then_some(())
    })
    .await;
}
