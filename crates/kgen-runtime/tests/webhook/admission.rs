//! The results of valid requests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict};
use serde_json::{Value, json};

use crate::memcached::{Memcached, create, object, review};
use crate::support::{Http, MUTATE, Running, VALIDATE};

/// Returns the patch of a response, as JSON.
fn patch(response: &Value) -> Value {
    assert_eq!(response["patchType"], "JSONPatch");
    let patch = STANDARD.decode(response["patch"].as_str().unwrap()).unwrap();
    serde_json::from_slice(&patch).unwrap()
}

#[tokio::test]
async fn what_is_right_is_allowed_and_nothing_more_is_said() {
    let server = Running::start().await;
    for http in [Http::One, Http::Two] {
        let review = create("a", &json!({ "size": 3, "mode": "Safe" }));
        let answer = server.client().post(http, VALIDATE, &review).await;
        assert_eq!(answer.status(), 200, "{http:?}");
        assert_eq!(answer.headers()["content-type"], "application/json");
        let expected = json!({
            "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
            "response": { "uid": "uid-of-a", "allowed": true, "auditAnnotations": { "size": "3" } },
        });
        assert_eq!(
            serde_json::from_slice::<Value>(answer.body()).unwrap(),
            expected,
            "{http:?}"
        );
    }
}

#[tokio::test]
async fn both_versions_of_tls_are_spoken() {
    let server = Running::start().await;
    for version in rustls::ALL_VERSIONS {
        let mut client = server.client();
        client.versions = std::slice::from_ref(version);
        let stream = client.connect(Http::One).await;
        assert_eq!(stream.get_ref().1.protocol_version(), Some(version.version));
    }
    assert_eq!(rustls::ALL_VERSIONS.len(), 2);
}

#[tokio::test]
async fn errors_of_fields_come_all_at_once_as_from_kubernetes() {
    let server = Running::start().await;
    let response = server
        .judge(VALIDATE, &create("a", &json!({ "size": 0, "mode": "x" })))
        .await;
    let message = "Memcached.cache.example.com \"a\" is invalid: [spec.size: Invalid value: 0: must be at least 1, \
                   spec.mode: Unsupported value: \"x\": supported values: \"Safe\", \"Fast\"]";
    let expected = json!({
        "status": "Failure", "code": 422, "reason": "Invalid", "message": message,
        "details": {
            "group": "cache.example.com", "kind": "Memcached", "name": "a",
            "causes": [
                { "reason": "FieldValueInvalid", "message": "Invalid value: 0: must be at least 1", "field": "spec.size" },
                {
                    "reason": "FieldValueNotSupported", "field": "spec.mode",
                    "message": "Unsupported value: \"x\": supported values: \"Safe\", \"Fast\"",
                },
            ],
        },
    });
    assert_eq!(response["allowed"], false);
    assert_eq!(response["status"], expected);
}

#[tokio::test]
async fn an_update_sees_both_objects() {
    let server = Running::start().await;
    let (old, new) = (
        object("a", &json!({ "size": 3, "mode": "Safe" })),
        object("a", &json!({ "size": 2, "mode": "Safe" })),
    );
    let response = server.judge(VALIDATE, &review("UPDATE", "a", &new, &old)).await;
    assert_eq!(
        response["status"]["message"],
        "Memcached.cache.example.com \"a\" is invalid: spec.size: Forbidden: may not shrink"
    );
    let response = server.judge(VALIDATE, &review("UPDATE", "a", &old, &new)).await;
    assert_eq!(response["allowed"], true, "{response}");
}

#[tokio::test]
async fn a_deletion_sees_the_old_object_and_who_asks() {
    let server = Running::start().await;
    let old = object("a", &json!({ "size": 3 }));
    let mut review = review("DELETE", "a", &Value::Null, &old);
    let response = server.judge(VALIDATE, &review).await;
    assert_eq!(response["status"]["code"], 403);
    assert_eq!(response["status"]["reason"], "Forbidden");
    assert_eq!(response["status"]["message"], "only jane may do that");
    review["request"]["userInfo"]["username"] = json!("jane");
    assert_eq!(server.judge(VALIDATE, &review).await["allowed"], true);
    // Defaults are not set in an object that is being deleted.
    let response = server.judge(MUTATE, &review).await;
    assert_eq!(response, json!({ "uid": "uid-of-a", "allowed": true }));
}

#[tokio::test]
async fn connections_to_an_object_are_nobodys_business() {
    let server = Running::start().await;
    let review = review("CONNECT", "a", &json!({ "kind": "PodExecOptions" }), &Value::Null);
    for path in [MUTATE, VALIDATE] {
        assert_eq!(
            server.judge(path, &review).await,
            json!({ "uid": "uid-of-a", "allowed": true })
        );
    }
}

#[tokio::test]
async fn warnings_come_with_what_is_allowed() {
    let server = Running::start().await;
    let review = create("a", &json!({ "size": 6, "mode": "Fast" }));
    let response = server.judge(VALIDATE, &review).await;
    assert_eq!(response["allowed"], true);
    assert_eq!(response["warnings"], json!(["spec.size above 5 is slow"]));
}

#[tokio::test]
async fn the_patch_has_what_changed_and_leaves_what_is_unknown() {
    let server = Running::start().await;
    let mut sent = object(
        "a",
        &json!({ "newer": { "than": "we" }, "ports": [{ "name": "b", "nodePort": 7 }, { "name": "a", "port": 1 }] }),
    );
    sent["metadata"]["creationTimestamp"] = Value::Null;
    sent["status"] = json!({ "phase": "Odd" });
    let mut review = review("CREATE", "a", &sent, &Value::Null);
    review["request"]["dryRun"] = json!(true);
    let response = server.judge(MUTATE, &review).await;
    assert_eq!(response["warnings"], json!(["nothing is stored"]), "{response}");
    let expected = json!([
        { "op": "add", "path": "/spec/mode", "value": "Safe" },
        { "op": "add", "path": "/spec/ports/0/port", "value": 11211 },
        { "op": "add", "path": "/spec/size", "value": 3 },
    ]);
    assert_eq!(patch(&response), expected);

    // The result of the patch does not need another patch, and contains everything that was sent.
    let steps: json_patch::Patch = serde_json::from_value(patch(&response)).unwrap();
    json_patch::patch(&mut sent, &steps).unwrap();
    assert_eq!(sent["spec"]["newer"]["than"], "we");
    assert_eq!(
        sent["spec"]["ports"][0],
        json!({ "name": "b", "nodePort": 7, "port": 11211 })
    );
    assert_eq!(sent["status"]["phase"], "Odd");
    review["request"]["object"] = sent;
    let response = server.judge(MUTATE, &review).await;
    assert_eq!(response["allowed"], true);
    assert!(
        response.get("patch").is_none() && response.get("patchType").is_none(),
        "{response}"
    );
}

#[tokio::test]
async fn an_object_that_does_not_fit_is_refused_with_its_field() {
    let server = Running::start().await;
    let review = create(
        "a",
        &json!({ "ports": [{ "name": "a" }, { "name": "b", "port": "http" }] }),
    );
    for path in [MUTATE, VALIDATE] {
        let response = server.judge(path, &review).await;
        assert_eq!(response["allowed"], false);
        assert_eq!(response["status"]["code"], 422);
        assert_eq!(
            response["status"]["message"],
            "Memcached.cache.example.com \"a\" is invalid: spec.ports[1].port: Invalid value: invalid type: string \
             \"http\", expected i32"
        );
        assert_eq!(
            response["status"]["details"]["causes"][0]["reason"],
            "FieldValueTypeInvalid"
        );
    }
    let mut review = create("a", &json!({}));
    review["request"]["object"] = json!([]);
    let response = server.judge(VALIDATE, &review).await;
    assert_eq!(response["status"]["code"], 400, "{response}");
    review["request"]["object"] = Value::Null;
    let response = server.judge(VALIDATE, &review).await;
    assert_eq!(
        response["status"]["message"],
        "the request has no object, which CREATE needs"
    );
}

#[tokio::test]
async fn another_version_is_refused_with_what_was_expected() {
    let server = Running::start().await;
    let mut review = create("a", &json!({ "size": 1 }));
    review["request"]["kind"]["version"] = json!("v2");
    for path in [MUTATE, VALIDATE] {
        let response = server.judge(path, &review).await;
        assert_eq!(response["allowed"], false);
        assert_eq!(response["status"]["code"], 400);
        let message = response["status"]["message"].as_str().unwrap();
        let expected = "this webhook is for cache.example.com/v1 Memcached, and was sent cache.example.com/v2 Memcached; ";
        assert!(message.starts_with(expected), "{message}");
    }
}

#[tokio::test]
async fn a_panic_denies_that_request_and_is_counted() {
    let server = Running::start().await;
    for http in [Http::One, Http::Two] {
        for path in [MUTATE, VALIDATE] {
            let review = create("panics", &json!({ "size": 1 }));
            let answer = server.client().post(http, path, &review).await;
            let review: Value = serde_json::from_slice(answer.body()).unwrap();
            let response = &review["response"];
            assert_eq!(response["uid"], "uid-of-panics");
            assert_eq!(response["allowed"], false);
            assert_eq!(response["status"]["code"], 500);
            assert_eq!(
                response["status"]["message"],
                "the webhook panicked: panics as told"
            );
        }
    }
    let panics = |path: &str| {
        server.metric(&format!(
            "controller_runtime_webhook_panics_total{{webhook=\"{path}\"}}"
        ))
    };
    assert_eq!(
        (panics(MUTATE), panics(VALIDATE)),
        ("2".to_owned(), "2".to_owned())
    );
    let review = create("a", &json!({ "size": 1, "mode": "Safe" }));
    assert_eq!(
        server.judge(VALIDATE, &review).await["allowed"],
        true,
        "the server goes on"
    );
}

#[tokio::test]
async fn a_handler_that_hangs_is_denied_before_the_api_server_gives_up() {
    let server = Running::start().await;
    let review = create("hangs", &json!({ "size": 1 }));
    let response = server.judge(&format!("{VALIDATE}?timeout=1s"), &review).await;
    assert_eq!(response["allowed"], false);
    assert_eq!(response["status"]["code"], 504);
    assert_eq!(
        response["status"]["message"],
        "the webhook did not decide within 900 ms"
    );
}

#[tokio::test]
async fn requests_are_counted_under_the_names_of_controller_runtime() {
    let server = Running::start().await;
    let requests = |code: u16| {
        server.metric(&format!(
            "controller_runtime_webhook_requests_total{{webhook=\"{VALIDATE}\",code=\"{code}\"}}"
        ))
    };
    assert_eq!((requests(200), requests(500)), ("0".to_owned(), "0".to_owned()));
    server.judge(VALIDATE, &create("a", &json!({ "size": 0 }))).await;
    server.client().post(Http::One, VALIDATE, &json!({})).await;
    assert_eq!((requests(200), requests(400)), ("1".to_owned(), "1".to_owned()));
    let labels = format!("{{webhook=\"{VALIDATE}\"}}");
    let metric = |name: &str| server.metric(&format!("controller_runtime_webhook_{name}{labels}"));
    assert_eq!(metric("latency_seconds_count"), "2");
    assert_eq!(metric("requests_in_flight"), "0");
}

/// Handlers that use the remaining methods.
struct Frank;

impl Defaulter for Frank {
    type Object = Memcached;

    async fn default(&self, object: &mut Memcached, _request: &Request) -> Verdict {
        object.spec.size = Some(7);
        Verdict::denied("not today")
    }
}

impl Validator for Frank {
    type Object = Memcached;

    async fn validate_create(&self, object: &Memcached, request: &Request) -> Verdict {
        let mut verdict = Verdict::default();
        verdict.required(kgen_runtime::webhook::field("spec").child("image"), "");
        verdict.required(kgen_runtime::webhook::field("spec").child("image"), "");
        verdict.deny("it rains");
        if object.spec.size.is_some() {
            verdict.fail(format!("no answer about {}", request.name));
        }
        verdict
    }
}

#[tokio::test]
async fn other_paths_and_reasons_are_possible() {
    let server = Running::start_with(|builder| {
        builder
            .defaulting_at("/other/mutate", Frank)
            .validating_at("/other/validate", Frank)
    })
    .await;
    let response = server.judge("/other/mutate", &create("a", &json!({}))).await;
    assert_eq!(response["status"]["message"], "not today");
    assert!(response.get("patch").is_none(), "{response}");

    let response = server.judge("/other/validate", &create("a", &json!({}))).await;
    assert_eq!(
        (&response["status"]["code"], &response["status"]["reason"]),
        (&json!(403), &json!("Forbidden"))
    );
    assert_eq!(
        response["status"]["message"],
        "it rains; Memcached.cache.example.com \"a\" is invalid: spec.image: Required value"
    );
    let response = server
        .judge("/other/validate", &create("a", &json!({ "size": 1 })))
        .await;
    assert_eq!(
        (&response["status"]["code"], &response["status"]["reason"]),
        (&json!(500), &json!("InternalError"))
    );
}
