//! Asks a real API server for its verdicts on the objects in `testdata/cases`, and stores them in `verdicts.json`.
//!
//! It does nothing unless `KGEN_RECORD` is set: to `all`, or to the names of cases, separated by commas.
//!
//! ```sh
//! KGEN_RECORD=all cargo test -p kgen-schema --test record
//! ```
//!
//! Each case is a CRD. Old objects are stored while the CRD accepts anything, so that they can violate the schema which
//! follows. All other requests are dry runs. Go visits maps in random order, so an answer with several errors is asked for
//! repeatedly, and the answer whose first errors have the smallest paths is stored.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

#[path = "recorded/cases.rs"]
mod cases;

use std::process::ExitCode;
use std::time::Duration;

use cases::{Case, GROUP};
use http::Request;
use http_body_util::BodyExt;
use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, Suite};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

/// How often a request is repeated if its answer has several errors.
const ATTEMPTS: usize = 40;

fn main() -> ExitCode {
    if std::env::var_os("KGEN_RECORD").is_none() {
        println!("KGEN_RECORD is not set, so nothing is recorded");
        return ExitCode::SUCCESS;
    }
    Suite::new(ControlPlane::builder()).test("record", record).run()
}

async fn record() -> Outcome {
    let wanted = std::env::var("KGEN_RECORD")?;
    let control_plane = ControlPlane::start().await?;
    let client = control_plane.client().await?;
    let cases = cases::all();
    let is_wanted = |case: &&Case| wanted == "all" || wanted.split(',').any(|name| name == case.name);
    for case in cases.iter().filter(is_wanted) {
        let verdicts = Recorder {
            client: &client,
            case,
        }
        .verdicts()
        .await;
        let lines: Vec<_> = verdicts.iter().map(|verdict| format!(" {verdict}")).collect();
        std::fs::write(case.verdicts_file(), format!("[\n{}\n]\n", lines.join(",\n")))?;
        println!("{}: {} verdicts", case.name, verdicts.len());
    }
    control_plane.stop().await?;
    Ok(())
}

struct Recorder<'r> {
    client: &'r Client,
    case: &'r Case,
}

impl Recorder<'_> {
    async fn verdicts(&self) -> Vec<Value> {
        self.install(&json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}))
            .await;
        self.wait_for("probe", 201).await;
        for (index, parts) in self.case.objects.iter().enumerate() {
            if let Some(old) = parts.get("old") {
                let object = self.case.object(old, &format!("c{index}"));
                let (code, answer) = self.send("POST", &self.collection(""), &object).await;
                assert_eq!(code, 201, "{answer}");
            }
        }
        self.install(&self.case.definition["schema"]).await;
        self.wait_for("probe", 400).await;
        let mut verdicts = Vec::new();
        for (index, parts) in self.case.objects.iter().enumerate() {
            verdicts.push(self.verdict(parts, index).await);
        }
        verdicts
    }

    async fn verdict(&self, parts: &Value, index: usize) -> Value {
        let name = format!("c{index}");
        let mut verdict = json!({});
        let (method, path, object) = if parts.get("old").is_some() {
            let path = self.collection(&format!("/{name}"));
            let (code, mut stored) = self.send("GET", &path, &Value::Null).await;
            assert_eq!(code, 200, "{stored}");
            let object = self.case.changed(parts, &stored);
            tidy(&mut stored);
            verdict["old"] = stored;
            ("PUT", path, object)
        } else {
            ("POST", self.collection(""), self.case.object(parts, &name))
        };
        let (code, mut answer) = self
            .best(
                method,
                &format!("{path}?dryRun=All&fieldValidation=Ignore"),
                &object,
            )
            .await;
        if code < 300 {
            tidy(&mut answer);
            verdict["object"] = answer;
        } else {
            verdict["refused"] = json!({"code": code, "message": answer["message"]});
            if let Some(causes) = answer["details"].get("causes") {
                verdict["refused"]["causes"] = causes.clone();
            }
        }
        let (code, answer) = self
            .best(
                method,
                &format!("{path}?dryRun=All&fieldValidation=Strict"),
                &object,
            )
            .await;
        let message = answer["message"].as_str().unwrap_or_default();
        if let Some((_, unknown)) = message.split_once("strict decoding error: ")
            && code == 400
        {
            verdict["strict"] = json!(unknown);
        }
        verdict
    }

    /// Sends a request and, if the answer has several errors, repeats it until the order of the errors is the smallest.
    async fn best(&self, method: &str, path: &str, object: &Value) -> (u16, Value) {
        let (code, mut best) = self.send(method, path, object).await;
        let fields = |answer: &Value| -> Vec<String> {
            let causes = answer["details"]["causes"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            causes.iter().map(|cause| cause["field"].to_string()).collect()
        };
        if fields(&best).len() > 1 {
            for _ in 0..ATTEMPTS {
                let (_, answer) = self.send(method, path, object).await;
                if fields(&answer) < fields(&best) {
                    best = answer;
                }
            }
        }
        (code, best)
    }

    fn collection(&self, rest: &str) -> String {
        let namespace = if self.case.is_namespaced() {
            "namespaces/default/"
        } else {
            ""
        };
        format!("/apis/{GROUP}/v1/{namespace}{}{rest}", self.case.plural())
    }

    async fn install(&self, schema: &Value) {
        let crd = self.case.crd(schema);
        let path = format!(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{}.{GROUP}?fieldManager=kgen&force=true",
            self.case.plural()
        );
        let (code, answer) = self.send("PATCH", &path, &crd).await;
        assert!(code < 300, "{}: {}", self.case.name, answer["message"]);
    }

    /// Waits until the API server uses the new schema. Only the first one accepts an unknown field in strict mode.
    ///
    /// A schema that keeps unknown fields of the whole object cannot be told apart in this way.
    async fn wait_for(&self, name: &str, wanted: u16) {
        if wanted == 400 && self.case.definition["schema"]["x-kubernetes-preserve-unknown-fields"] == true {
            tokio::time::sleep(Duration::from_secs(5)).await;
            return;
        }
        let object = self.case.object(&json!({"unknownToEverySchema": true}), name);
        let path = self.collection("?dryRun=All&fieldValidation=Strict");
        for _ in 0..300 {
            let (code, answer) = self.send("POST", &path, &object).await;
            let message = answer["message"].as_str().unwrap_or_default();
            if code == wanted && (wanted != 400 || message.contains("unknownToEverySchema")) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{} is not served", self.case.name);
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let kind = if method == "PATCH" {
            "application/apply-patch+yaml"
        } else {
            "application/json"
        };
        let bytes = if body.is_null() {
            Vec::new()
        } else {
            serde_json::to_vec(body).unwrap()
        };
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("content-type", kind);
        let response = self
            .client
            .send(request.body(Body::from(bytes)).unwrap())
            .await
            .unwrap();
        let code = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (code, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }
}

/// Removes what differs from run to run.
fn tidy(object: &mut Value) {
    let metadata = object["metadata"].as_object_mut().unwrap();
    for key in ["managedFields", "uid", "creationTimestamp", "generation"] {
        metadata.remove(key);
    }
    if let Some(version) = metadata.get_mut("resourceVersion") {
        *version = json!("1");
    }
}
