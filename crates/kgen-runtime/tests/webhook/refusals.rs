//! Requests without an AdmissionReview are rejected with a reason.

use hyper::body::Bytes;
use kgen_runtime::webhook::{CertificateError, WebhookError, WebhookServer};
use serde_json::{Value, json};

use crate::memcached::{Operator, create};
use crate::support::{Answer, Http, MUTATE, Running, VALIDATE, request};

/// Returns the message of a `Status` with this code.
fn message(answer: &Answer, code: u16) -> String {
    let status: Value = serde_json::from_slice(answer.body()).unwrap();
    assert_eq!(answer.status(), code, "{status}");
    assert_eq!(
        (&status["apiVersion"], &status["kind"]),
        (&json!("v1"), &json!("Status"))
    );
    assert_eq!(
        (&status["status"], &status["code"]),
        (&json!("Failure"), &json!(code))
    );
    status["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn bodies_that_are_no_reviews() {
    let server = Running::start().await;
    let review = create("a", &json!({ "size": 1 }));
    let changed = |change: fn(&mut Value)| {
        let mut review = review.clone();
        change(&mut review);
        review.to_string()
    };
    for (body, expected) in [
        (
            String::new(),
            "the body is empty; expected an AdmissionReview of admission.k8s.io/v1",
        ),
        (
            "{".to_owned(),
            "the body is not the JSON of an AdmissionReview: EOF while parsing an object at line 1 column 1",
        ),
        ("[]".to_owned(), "expected kind AdmissionReview, got none"),
        ("{}".to_owned(), "expected kind AdmissionReview, got none"),
        (
            changed(|review| review["kind"] = json!("ConversionReview")),
            "expected kind AdmissionReview, got \"ConversionReview\"",
        ),
        (
            changed(|review| review["apiVersion"] = json!("admission.k8s.io/v1beta1")),
            "expected AdmissionReview of admission.k8s.io/v1, got \"admission.k8s.io/v1beta1\"; admissionReviewVersions of \
             the webhook configuration must have v1",
        ),
        (
            changed(|review| review["request"] = Value::Null),
            "the AdmissionReview has no request",
        ),
        (
            changed(|review| review["request"]["operation"] = json!("PATCH")),
            "the request of the AdmissionReview cannot be read: unknown variant `PATCH`",
        ),
        (
            changed(|review| drop(review["request"].as_object_mut().unwrap().remove("uid"))),
            "the request of the AdmissionReview cannot be read: missing field `uid`",
        ),
        (
            "\u{0}".to_owned(),
            "the body is not the JSON of an AdmissionReview: ",
        ),
        (
            "[".repeat(100_000),
            "the body is not the JSON of an AdmissionReview: ",
        ),
    ] {
        let answer = server.client().send(request("POST", VALIDATE, body)).await;
        let message = message(&answer, 400);
        assert!(message.starts_with(expected), "{message}");
    }
}

#[tokio::test]
async fn heads_that_are_wrong() {
    let server = Running::start().await;
    let client = server.client();
    let review = create("a", &json!({ "size": 1 })).to_string();

    let answer = client.send(request("GET", VALIDATE, review.clone())).await;
    assert_eq!(message(&answer, 405), "only POST is answered here, not GET");
    assert_eq!(answer.headers()["allow"], "POST");

    let answer = client.send(request("POST", "/validate", review.clone())).await;
    assert_eq!(
        message(&answer, 404),
        format!("there is no webhook at \"/validate\"; known paths: {MUTATE}, {VALIDATE}")
    );

    let mut other = request("POST", VALIDATE, review.clone());
    other
        .headers_mut()
        .insert("content-type", "application/yaml".parse().unwrap());
    let answer = client.send(other).await;
    assert_eq!(
        message(&answer, 415),
        "the content type must be application/json, not \"application/yaml\""
    );

    let mut exact = request("POST", VALIDATE, review);
    exact
        .headers_mut()
        .insert("content-type", "Application/JSON; charset=utf-8".parse().unwrap());
    assert_eq!(client.send(exact).await.status(), 200);
}

#[tokio::test]
async fn an_update_of_the_largest_objects_is_not_too_large() {
    let server = Running::start().await;
    let review = create("a", &json!({ "size": 1, "mode": "Safe" })).to_string();
    // The API server accepts bodies of 3 MiB, and sends the old object together with the new one.
    let padded = format!("{review}{}", " ".repeat(2 * 3 * 1024 * 1024));
    let answer = server.client().send(request("POST", VALIDATE, padded)).await;
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn bodies_that_are_too_large() {
    let limit = 2000;
    let server = Running::start_with(|builder| builder.validating(Operator).max_body_bytes(limit)).await;
    let client = server.client();
    let review = create("a", &json!({ "size": 1, "mode": "Safe" })).to_string();
    let padded = |bytes: usize| format!("{review}{}", " ".repeat(bytes - review.len()));
    assert_eq!(
        client
            .send(request("POST", VALIDATE, padded(limit)))
            .await
            .status(),
        200
    );
    let answer = client.send(request("POST", VALIDATE, padded(limit + 1))).await;
    assert_eq!(message(&answer, 413), "the body has more than 2000 bytes");

    // Without a content length, the size is known only while the body is read.
    let chunks = futures::stream::iter((0..limit / 50).map(|_| {
        let part = Bytes::from_static(&[b' '; 100]);
        Ok::<_, std::convert::Infallible>(hyper::body::Frame::data(part))
    }));
    let body = http_body_util::StreamBody::new(chunks);
    let (head, _) = request("POST", VALIDATE, String::new()).into_parts();
    let stream = client.connect(Http::Two).await;
    let (mut sender, connection) = hyper::client::conn::http2::handshake(
        hyper_util::rt::TokioExecutor::new(),
        hyper_util::rt::TokioIo::new(stream),
    )
    .await
    .unwrap();
    tokio::spawn(async move { drop(connection.await) });
    let answer = sender
        .send_request(hyper::Request::from_parts(head, body))
        .await
        .unwrap();
    assert_eq!(answer.status(), 413);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let server = Running::start().await;
    let stream = server.client().connect(Http::One).await;
    let (head, _) = request("POST", &format!("{VALIDATE}?timeout=1s"), String::new()).into_parts();
    let silence = http_body_util::StreamBody::new(futures::stream::pending::<
        Result<hyper::body::Frame<Bytes>, std::convert::Infallible>,
    >());
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(hyper_util::rt::TokioIo::new(stream))
            .await
            .unwrap();
    tokio::spawn(async move { drop(connection.await) });
    let answer = sender
        .send_request(hyper::Request::from_parts(head, silence))
        .await
        .unwrap();
    assert_eq!(answer.status(), 408);
}

#[tokio::test]
async fn plain_http_gets_no_answer_and_does_no_harm() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Running::start().await;
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    stream
        .write_all(b"POST / HTTP/1.1\r\nhost: test\r\n\r\n")
        .await
        .unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    let answer = server
        .client()
        .send(request("POST", VALIDATE, String::new()))
        .await;
    assert_eq!(answer.status(), 400);
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let anywhere = ([127, 0, 0, 1], 0).into();
    let builder = || WebhookServer::builder().certificates(folder.path());
    let error = builder().listen(anywhere).await.unwrap_err();
    assert!(
        matches!(&error, WebhookError::Certificate(CertificateError::Read { path, .. }) if path.ends_with("tls.crt")),
        "{error:?}"
    );

    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let first = kgen_testenv::ServingCertificates::new(first).unwrap();
    let second = kgen_testenv::ServingCertificates::new(second).unwrap();
    std::fs::write(folder.path().join("tls.crt"), "no certificate").unwrap();
    std::fs::copy(second.folder().join("tls.key"), folder.path().join("tls.key")).unwrap();
    let error = builder().listen(anywhere).await.unwrap_err();
    assert!(
        matches!(&error, WebhookError::Certificate(CertificateError::Pem { .. })),
        "{error:?}"
    );

    std::fs::copy(first.folder().join("tls.crt"), folder.path().join("tls.crt")).unwrap();
    let error = builder().listen(anywhere).await.unwrap_err();
    assert!(
        matches!(&error, WebhookError::Certificate(CertificateError::Pair { .. })),
        "{error:?}"
    );

    let builder = || WebhookServer::builder().certificates(first.folder());
    let error = builder()
        .validating(Operator)
        .validating(Operator)
        .listen(anywhere)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{VALIDATE:?} cannot be the path of a webhook: two webhooks have it")
    );
    let error = builder()
        .validating_at("validate", Operator)
        .listen(anywhere)
        .await
        .unwrap_err();
    assert!(matches!(&error, WebhookError::Path { .. }), "{error:?}");

    let taken = builder().listen(anywhere).await.unwrap();
    let error = builder().listen(taken.address()).await.unwrap_err();
    assert!(
        matches!(&error, WebhookError::Listen { address, .. } if *address == taken.address()),
        "{error:?}"
    );
}
