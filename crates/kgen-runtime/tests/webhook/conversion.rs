//! Reviews of conversions over the wire.

use kgen_runtime::conversion::{Change, Conversion};
use kgen_runtime::metrics::Format;
use serde_json::{Value, json};

use crate::memcached::Operator;
use crate::recorded_metrics;
use crate::support::{Http, Running, VALIDATE, request};

const SCHEMAS: &str = r#"{
    "v1": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "size": {"type": "integer"}, "note": {"type": "string"}, "text": {"type": "string"}
    }}}},
    "v2": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "replicas": {"type": "integer"}, "length": {"type": "integer"}
    }}}}
}"#;

fn conversion(kind: &str) -> Conversion {
    let spec = Change::new()
        .renamed("size", "replicas")
        .dropped("note")
        .translated(
            ["text"],
            ["length"],
            |(text,): (String,)| {
                assert_ne!(text, "panic", "as the test wants");
                (text.len(),)
            },
            |(length,): (usize,)| ("x".repeat(length),),
        );
    Conversion::new("example.com", kind, SCHEMAS).step("v1", "v2", Change::new().inside("spec", spec))
}

async fn server() -> Running {
    Running::start_with(|server| {
        server
            .validating(Operator)
            .converting(conversion("Widget"))
            .converting(conversion("Gadget"))
            .converting_at("/other", conversion("Widget"))
    })
    .await
}

fn review(desired: &str, objects: Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "ConversionReview",
        "request": {"uid": "the-uid", "desiredAPIVersion": desired, "objects": objects},
    })
}

async fn convert_at(server: &Running, path: &str, review: &Value) -> Value {
    let answer = server.client().post(Http::One, path, review).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert_eq!(answer.headers()["content-type"], "application/json");
    let review: Value = serde_json::from_slice(answer.body()).unwrap();
    assert_eq!(review["apiVersion"], "apiextensions.k8s.io/v1");
    assert_eq!(review["kind"], "ConversionReview");
    assert_eq!(review["response"]["uid"], "the-uid");
    review["response"].clone()
}

fn object(kind: &str, version: &str, spec: Value) -> Value {
    json!({"apiVersion": format!("example.com/{version}"), "kind": kind, "metadata": {"name": "a"}, "spec": spec})
}

#[tokio::test]
async fn mixed_lists_are_converted_in_order() {
    let server = server().await;
    let mut full = object("Widget", "v1", json!({"size": 1, "note": "x"}));
    full["metadata"] = json!({
        "name": "a", "namespace": "default", "uid": "1-2", "labels": {"l": "1"}, "annotations": {"b": "2"},
        "generation": 5, "managedFields": [{"manager": "m", "fieldsV1": {"f:spec": {}}}],
    });
    let mut same = object("Widget", "v2", json!({"replicas": 2, "undeclared": 3}));
    same["metadata"]["resourceVersion"] = json!("7");
    let objects = json!([
        full,
        object("Gadget", "v1", json!({"size": 3})),
        same,
        {"apiVersion": "example.com/v1", "kind": "Widget"},
        {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": null, "spec": "wrong"},
    ]);
    let response = convert_at(&server, "/convert", &review("example.com/v2", objects)).await;
    assert_eq!(response["result"], json!({"status": "Success"}));
    assert_eq!(
        response["convertedObjects"],
        json!([
            {
                "apiVersion": "example.com/v2",
                "kind": "Widget",
                "metadata": {
                    "name": "a", "namespace": "default", "uid": "1-2", "labels": {"l": "1"},
                    "annotations": {"b": "2", "example.com/conversion-v1": r#"[{"at":["spec","note"],"is":"x"}]"#},
                },
                "spec": {"replicas": 1},
            },
            object("Gadget", "v2", json!({"replicas": 3})),
            object("Widget", "v2", json!({"replicas": 2, "undeclared": 3})),
            {"apiVersion": "example.com/v2", "kind": "Widget", "metadata": {}},
            {"apiVersion": "example.com/v2", "kind": "Widget", "metadata": {}, "spec": "wrong"},
        ])
    );
    let empty = convert_at(&server, "/other", &review("example.com/v2", json!([]))).await;
    assert_eq!(empty["convertedObjects"], json!([]));
    for (metric, value) in [
        (
            r#"kgen_conversion_objects_total{kind="Widget",from="v1",to="v2"}"#,
            "3",
        ),
        (
            r#"kgen_conversion_objects_total{kind="Widget",from="v2",to="v1"}"#,
            "0",
        ),
        (r#"kgen_conversion_kept_bytes_count{kind="Widget"}"#, "1"),
        (
            r#"controller_runtime_webhook_requests_total{webhook="/convert",code="200"}"#,
            "1",
        ),
    ] {
        assert_eq!(server.metric(metric), value, "{metric}");
    }
}

#[tokio::test]
async fn a_review_fails_with_the_object_and_the_known_values() {
    let server = server().await;
    let fine = object("Widget", "v1", json!({}));
    let long = object("Widget", "v1", json!({"note": "x".repeat(300 * 1024)}));
    for (desired, wrong, message) in [
        (
            "example.com/v3",
            fine.clone(),
            r#"object 1 ("a"): Widget.example.com has no version "v3"; it has: v1, v2"#,
        ),
        (
            "other.com/v2",
            fine.clone(),
            r#"object 1 ("a"): Widget.example.com has no version "other.com/v2"; it has: v1, v2"#,
        ),
        (
            "example.com/v2",
            object("Widget", "v9", json!({})),
            r#"object 1 ("a"): Widget.example.com has no version "v9"; it has: v1, v2"#,
        ),
        (
            "example.com/v2",
            object("Other", "v1", json!({})),
            r#"object 1 ("a"): expected Widget.example.com, Gadget.example.com, got Other.example.com"#,
        ),
        (
            "example.com/v2",
            json!([1, {"a": 2}]),
            "object 1: it is not an object",
        ),
        ("example.com/v2", json!(null), "object 1: it is not an object"),
        (
            "example.com/v2",
            long,
            "object 1 (\"a\"): Widget.example.com \"a\": the values that v2 cannot represent need 307257 bytes of \
             annotations, and 262144 are allowed",
        ),
    ] {
        // The first object has the desired version already, or is wrong in the same way.
        let first = object("Widget", "v2", json!({}));
        let objects = match desired {
            "example.com/v2" => json!([first, wrong]),
            _ => json!([wrong]),
        };
        let message = match desired {
            "example.com/v2" => message.to_owned(),
            _ => message.replace("object 1", "object 0"),
        };
        let response = convert_at(&server, "/convert", &review(desired, objects)).await;
        assert_eq!(
            response["result"],
            json!({"status": "Failure", "message": message})
        );
        assert_eq!(response["convertedObjects"], json!([]));
    }
}

#[tokio::test]
async fn a_method_that_panics_is_counted_and_its_source_is_kept() {
    let server = server().await;
    let objects = json!([object("Widget", "v1", json!({"text": "panic"}))]);
    let response = convert_at(&server, "/convert", &review("example.com/v2", objects)).await;
    let converted = &response["convertedObjects"][0];
    assert_eq!(converted["spec"], json!({}));
    assert_eq!(
        converted["metadata"]["annotations"]["example.com/conversion-v1"],
        r#"[{"at":["spec","text"],"is":"panic"}]"#
    );
    let metric = r#"kgen_conversion_untranslated_total{kind="Widget",field="spec.text"}"#;
    assert_eq!(server.metric(metric), "1");
}

#[tokio::test]
async fn metrics_are_those_of_controller_runtime() {
    let server = server().await;
    let objects = json!([object("Widget", "v1", json!({}))]);
    convert_at(&server, "/convert", &review("example.com/v2", objects)).await;
    let text = server.metrics.encode(Format::Prometheus);
    let families = [
        "controller_runtime_webhook",
        "controller_runtime_conversion",
        "certwatcher_",
    ];
    assert_eq!(recorded_metrics::compare(&text, &families), 7);
    // Panics of conversions have a counter of their own, as in controller-runtime.
    let panics = |name: &str, path: &str| {
        let sample = format!("controller_runtime_{name}_total{{webhook=\"{path}\"}} 0");
        text.lines().any(|line| line == sample)
    };
    for path in ["/convert", "/other"] {
        assert!(panics("conversion_webhook_panics", path), "{text}");
        assert!(!panics("webhook_panics", path), "{text}");
    }
    assert!(panics("webhook_panics", VALIDATE), "{text}");
}

#[tokio::test]
async fn other_requests_are_refused() {
    let server = server().await;
    let wrong = |body: &str| request("POST", "/convert", body.to_owned());
    let admission = r#"{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}"#;
    let old = r#"{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"ConversionReview"}"#;
    let none = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview"}"#;
    let bare = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{}}"#;
    for (request, code, part) in [
        (
            request("GET", "/convert", String::new()),
            405,
            "only POST is answered here",
        ),
        (
            wrong(""),
            400,
            "the body is empty; expected a ConversionReview of apiextensions.k8s.io/v1",
        ),
        (wrong("{"), 400, "the body is not the JSON of a ConversionReview"),
        (
            wrong(admission),
            400,
            r#"expected kind ConversionReview, got \"AdmissionReview\""#,
        ),
        (
            wrong(old),
            400,
            "conversionReviewVersions of the CRD must have v1",
        ),
        (wrong(none), 400, "the ConversionReview has no request"),
        (
            wrong(bare),
            400,
            "the request of the ConversionReview cannot be read: missing field `uid`",
        ),
    ] {
        let answer = server.client().send(request).await;
        let text = String::from_utf8_lossy(answer.body()).into_owned();
        assert_eq!(answer.status(), code, "{text}");
        assert!(text.contains(part), "{text}");
    }
}

#[tokio::test]
async fn large_reviews_are_converted() {
    let server = server().await;
    // Larger than the maximum of an admission review, so that it is converted on another thread.
    let objects: Vec<Value> = (0..4_000)
        .map(|size| {
            let mut object = object("Widget", "v1", json!({"size": size}));
            object["metadata"]["managedFields"] = json!([{"manager": "m".repeat(2000)}]);
            object
        })
        .collect();
    let response = convert_at(&server, "/convert", &review("example.com/v2", json!(objects))).await;
    let converted = response["convertedObjects"].as_array().unwrap();
    assert_eq!(converted.len(), 4_000);
    for (size, object) in converted.iter().enumerate() {
        assert_eq!(object["spec"], json!({"replicas": size}));
    }
}

#[tokio::test]
async fn mistakes_in_tables_are_found_before_anything_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let listen = |twice: bool| {
        let server = kgen_runtime::webhook::WebhookServer::builder().certificates(folder.path());
        let server = match twice {
            true => server
                .converting(conversion("Widget"))
                .converting(conversion("Widget")),
            false => server.converting(Conversion::new("example.com", "Widget", "{}")),
        };
        server.listen(([127, 0, 0, 1], 0).into())
    };
    let error = listen(true).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the conversion of Widget.example.com is wrong: it is registered twice"
    );
    let error = listen(false).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the conversion of Widget.example.com is wrong: it has no steps"
    );
}
