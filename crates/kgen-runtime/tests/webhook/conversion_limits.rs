//! Reviews of conversions at their limits: size, depth and time. A paused clock stands still while a review is converted, so the
//! speed of the machine does not matter.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use hyper::service::Service;
use kgen_runtime::conversion::{Change, Conversion};
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::webhook::{InProcess, WebhookServer, WebhookServerBuilder};
use serde_json::Value;

use crate::support::request;

const MIB: usize = 1024 * 1024;

const SCHEMAS: &str = r#"{
    "v1": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "size": {"type": "integer"},
        "free": {"x-kubernetes-preserve-unknown-fields": true},
        "note": {"x-kubernetes-preserve-unknown-fields": true},
        "text": {"type": "string"}
    }}}},
    "v2": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "replicas": {"type": "integer"},
        "free": {"x-kubernetes-preserve-unknown-fields": true},
        "length": {"type": "integer"}
    }}}}
}"#;

/// Returns a server whose conversion calls a function of the test.
fn server(
    configure: impl FnOnce(WebhookServerBuilder) -> WebhookServerBuilder,
    observe: impl Fn() + Send + Sync + 'static,
) -> InProcess {
    let spec = Change::new()
        .renamed("size", "replicas")
        .dropped("note")
        .translated(
            ["text"],
            ["length"],
            move |(text,): (String,)| {
                observe();
                (text.len(),)
            },
            |(length,): (usize,)| ("x".repeat(length),),
        );
    let conversion = Conversion::new("example.com", "Widget", SCHEMAS).step(
        "v1",
        "v2",
        Change::new().inside("spec", spec),
    );
    configure(WebhookServer::builder().converting(conversion))
        .in_process()
        .unwrap()
}

/// Returns the status and the text of an answer. Deep values cannot be read as JSON here.
async fn post(server: &InProcess, body: String) -> (u16, String) {
    let answer = server.call(request("POST", "/convert", body)).await.unwrap();
    let status = answer.status().as_u16();
    let body = http_body_util::BodyExt::collect(answer.into_body())
        .await
        .unwrap();
    (status, String::from_utf8(body.to_bytes().to_vec()).unwrap())
}

fn review(desired: &str, objects: &str) -> String {
    format!(
        r#"{{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{{"uid":"the-uid","desiredAPIVersion":"example.com/{desired}","objects":[{objects}]}}}}"#
    )
}

fn object(version: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Widget","metadata":{{"name":"a"}},"spec":{spec}}}"#
    )
}

/// Returns the text of the converted objects.
fn converted(answer: &(u16, String)) -> &str {
    assert_eq!(answer.0, 200, "{}", answer.1);
    let head = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"the-uid","result":{"status":"Success"},"convertedObjects":["#;
    let objects = answer
        .1
        .strip_prefix(head)
        .and_then(|rest| rest.strip_suffix("]}}"));
    objects.unwrap_or_else(|| panic!("{}", answer.1))
}

/// Returns a value with a number of levels, in objects and lists.
fn nested(levels: usize) -> String {
    let half = levels / 2;
    format!("{}1{}", r#"{"a":["#.repeat(half), "]}".repeat(half))
}

#[tokio::test(start_paused = true)]
async fn objects_of_every_depth_are_converted() {
    let metrics = Metrics::default();
    let server = server(|server| server.metrics(&metrics), || {});
    let shallow = object("v1", r#"{"size":1}"#);
    // Around the limit of serde_json, and close to the limit of the API server.
    for levels in [90, 100, 120, 126, 128, 200, 9_980] {
        let deep = object("v1", &format!(r#"{{"size":2,"free":{}}}"#, nested(levels)));
        let answer = post(&server, review("v2", &format!("{shallow},{deep},{shallow}"))).await;
        let expected = [
            object("v2", r#"{"replicas":1}"#),
            object("v2", &format!(r#"{{"free":{},"replicas":2}}"#, nested(levels))),
            object("v2", r#"{"replicas":1}"#),
        ];
        assert_eq!(converted(&answer), expected.join(","), "{levels} levels");
    }
    // The review begins again, but no object is counted twice.
    let text = metrics.encode(Format::Prometheus);
    let count = r#"kgen_conversion_objects_total{kind="Widget",from="v1",to="v2"} 21"#;
    assert!(text.contains(count), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_kept_value_of_every_depth_is_restored() {
    let server = server(|server| server, || {});
    for levels in [100, 120, 128, 9_980] {
        let original = object("v1", &format!(r#"{{"note":{},"size":2}}"#, nested(levels)));
        let answer = post(&server, review("v2", &original)).await;
        let new = converted(&answer);
        assert!(
            new.contains("example.com/conversion-v1"),
            "{levels} levels: {new}"
        );
        let answer = post(&server, review("v1", new)).await;
        assert_eq!(converted(&answer), original, "{levels} levels");
    }
}

#[tokio::test(start_paused = true)]
async fn no_depth_ends_the_process() {
    let server = server(|server| server, || {});
    // Deeper than every API server accepts.
    let endless = "[".repeat(MIB);
    let (status, text) = post(&server, review("v2", &endless)).await;
    assert_eq!(status, 400, "{text}");
    let closed = object("v1", &format!(r#"{{"free":{}}}"#, nested(20_000)));
    let (status, text) = post(&server, review("v2", &closed)).await;
    assert_eq!(status, 400);
    assert!(text.contains("nested more than 10000 levels deep"), "{text}");
    // Somebody wrote an annotation by hand.
    let forged = format!(r#"[{{"at":["spec","note"],"is":{}}}]"#, nested(20_000));
    let forged = Value::from(forged).to_string();
    let forged = format!(
        r#"{{"apiVersion":"example.com/v2","kind":"Widget","metadata":{{"name":"a","annotations":{{"example.com/conversion-v1":{forged}}}}},"spec":{{"replicas":3}}}}"#
    );
    let answer = post(&server, review("v1", &forged)).await;
    assert_eq!(converted(&answer), object("v1", r#"{"size":3}"#));
}

#[tokio::test(start_paused = true)]
async fn a_review_of_64_mib_is_answered_and_a_larger_one_is_refused() {
    let server = server(|server| server, || {});
    let of_size = |bytes: usize| {
        let object = |filler: &str| {
            format!(
                r#"{{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"a","managedFields":["{filler}"]}},"spec":{{"size":1}}}}"#
            )
        };
        let rest = review("v2", &object("")).len();
        review("v2", &object(&"m".repeat(bytes - rest)))
    };
    let answer = post(&server, of_size(64 * MIB)).await;
    assert_eq!(converted(&answer), object("v2", r#"{"replicas":1}"#));
    let (status, text) = post(&server, of_size(64 * MIB + 1)).await;
    assert_eq!(status, 413);
    assert!(text.contains("the body has more than 67108864 bytes"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn objects_are_converted_while_the_review_is_read() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let server = server(
        |server| server,
        move || {
            counter.fetch_add(1, Ordering::SeqCst);
        },
    );
    let first = object("v1", r#"{"text":"abc"}"#);
    // The second object is not JSON, so only a server that holds one object at a time has converted the first one.
    let (status, text) = post(&server, review("v2", &format!("{first},{{"))).await;
    assert_eq!(status, 400, "{text}");
    assert_eq!(calls.load(Ordering::SeqCst), 1);

    // The order of fields does not matter.
    let reordered = format!(
        r#"{{"request":{{"objects":[{first}],"desiredAPIVersion":"example.com/v2","uid":"the-uid"}},"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview"}}"#
    );
    let answer = post(&server, reordered).await;
    assert!(
        converted(&answer).ends_with(r#""spec":{"length":3}}"#),
        "{}",
        answer.1
    );
    let deep = reordered_deep();
    let answer = post(&server, deep).await;
    assert_eq!(
        converted(&answer),
        object("v2", &format!(r#"{{"free":{}}}"#, nested(1_000)))
    );
    // A review with two lists is not a review.
    let twice = review("v2", &first).replace(r#""objects""#, r#""objects":[],"objects""#);
    let (status, text) = post(&server, twice).await;
    assert_eq!(status, 400);
    assert!(text.contains("duplicate field `objects`"), "{text}");
}

fn reordered_deep() -> String {
    let deep = object("v1", &format!(r#"{{"free":{}}}"#, nested(1_000)));
    format!(
        r#"{{"request":{{"objects":[{deep}],"desiredAPIVersion":"example.com/v2","uid":"the-uid"}},"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview"}}"#
    )
}

#[tokio::test]
async fn a_large_review_that_takes_too_long_fails_with_its_uid() {
    // The conversion ends after the answer, whatever the clock does.
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let server = server(
        |server| server.handler_timeout(Duration::from_millis(1)),
        move || {
            let _ = released.lock().unwrap().recv();
        },
    );
    let slow = object("v1", r#"{"text":"abc"}"#);
    let body = review("v2", &format!("{slow}{}", " ".repeat(2 * MIB)));
    let (status, text) = post(&server, body).await;
    assert_eq!(status, 200);
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["response"]["uid"], "the-uid");
    assert_eq!(
        answer["response"]["result"]["message"],
        "the objects were not converted within 1 ms"
    );
    drop(release);
}
