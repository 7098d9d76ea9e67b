//! Compares apply with a real API server: random sequences of writes by several managers.
//!
//! With `KGEN_RECORD`, it also stores the answers of the server for the cases in `testdata/apply/cases` (`all`, or names
//! separated by commas), and for the random sequences with these seeds (`random-1,random-2`).
//!
//! ```sh
//! KGEN_RECORD=all cargo test -p kgen-fake --test apply_server record
//! KGEN_SEEDS=100..200 cargo test -p kgen-fake --test apply_server random
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

#[path = "apply/case.rs"]
mod case;
#[path = "apply/model.rs"]
mod model;
#[path = "apply/random.rs"]
mod random;
#[path = "apply/requests.rs"]
mod requests;

use std::ops::Range;
use std::process::ExitCode;
use std::time::Duration;

use http::Request;
use http_body_util::BodyExt;
use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, Suite};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

/// How many steps a random sequence has.
const STEPS: usize = 40;

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder())
        .test("random_sequences_are_answered_alike", random_sequences)
        .test("record", record)
        .run()
}

async fn random_sequences() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let server = Server::new(&control_plane).await?;
    let mut failures = Vec::new();
    let mut count = 0;
    for seed in seeds() {
        let case = server.random_case(seed).await;
        let mut model = model::Model::new(&case::definition(&case));
        for (index, step) in case["steps"].as_array().unwrap().iter().enumerate() {
            match model.check(step) {
                Ok(is_compared) => count += usize::from(is_compared),
                Err(difference) => failures.push(format!("seed {seed}, step {index}:\n{difference}")),
            }
        }
    }
    control_plane.stop().await?;
    println!("{count} answers are alike, {} are not", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    Ok(())
}

/// Returns the seeds in `KGEN_SEEDS`, such as `5..10`.
fn seeds() -> Range<u64> {
    let range = std::env::var("KGEN_SEEDS").ok();
    let range = range.and_then(|range| {
        let (from, to) = range.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.unwrap_or(0..20)
}

async fn record() -> Outcome {
    let Ok(wanted) = std::env::var("KGEN_RECORD") else {
        println!("KGEN_RECORD is not set, so nothing is recorded");
        return Ok(());
    };
    let wanted: Vec<_> = wanted.split(',').collect();
    let control_plane = ControlPlane::start().await?;
    let server = Server::new(&control_plane).await?;
    for file in case::files() {
        let mut case = case::read(&file);
        let name = case["name"].as_str().unwrap().to_owned();
        let is_random = name.starts_with("random-");
        if !is_random && wanted.iter().any(|wanted| *wanted == "all" || *wanted == name) {
            server.record(&mut case).await;
            write(&case);
        }
    }
    for name in &wanted {
        if let Some(seed) = name.strip_prefix("random-") {
            write(&server.random_case(seed.parse()?).await);
        }
    }
    control_plane.stop().await?;
    Ok(())
}

/// Writes a case, one line per step.
fn write(case: &Value) {
    let steps = case["steps"].as_array().unwrap();
    let steps: Vec<_> = steps.iter().map(|step| format!("  {step}")).collect();
    let text = format!(
        "{{\n \"name\": {},\n \"about\": {},\n \"definition\": {},\n \"steps\": [\n{}\n ]\n}}\n",
        case["name"],
        case["about"],
        case["definition"],
        steps.join(",\n")
    );
    let file = format!("cases/{}.json", case["name"].as_str().unwrap());
    std::fs::write(case::folder().join(file), text).unwrap();
}

struct Server {
    client: Client,
}

impl Server {
    async fn new(control_plane: &ControlPlane) -> Result<Self, kgen_testenv::Error> {
        for name in ["things", "plains"] {
            let file = case::folder().join(format!("definitions/{name}.json"));
            control_plane.install_crds(&*file).await?;
        }
        Ok(Self {
            client: control_plane.client().await?,
        })
    }

    async fn random_case(&self, seed: u64) -> Value {
        let mut random = random::Random::new(seed);
        let name = format!("random-{seed}");
        self.create_namespace(&name).await;
        let mut live = Value::Null;
        let mut steps = Vec::new();
        while steps.len() < STEPS {
            let request = random.request(&name, &live);
            let is_scale = request["path"].as_str().unwrap().ends_with("/scale");
            if random.is_pause() {
                tokio::time::sleep(Duration::from_millis(1100)).await;
            }
            let mut step = json!({"request": request});
            self.send(&mut step).await;
            steps.push(step);
            if is_scale {
                let path = format!("/apis/example.org/v1/namespaces/{name}/things/a");
                let mut step = json!({"request": {"method": "GET", "path": path}});
                self.send(&mut step).await;
                steps.push(step);
            }
            let answer = steps.last().map(|step| &step["answer"]).unwrap();
            if answer["code"].as_u64() < Some(300) {
                live = answer["body"].clone();
            }
        }
        json!({"name": name, "about": "a random sequence of writes", "definition": "things", "steps": steps})
    }

    /// Sends the requests of a case. `merge` instead of a body changes the object of the last answer.
    async fn record(&self, case: &mut Value) {
        self.create_namespace(case["name"].as_str().unwrap()).await;
        let mut live = Value::Null;
        for step in case["steps"].as_array_mut().unwrap() {
            if let Some(merge) = step.get("merge") {
                let mut body = live.clone();
                json_patch::merge(&mut body, merge);
                step["request"]["body"] = body;
            }
            if step["pause"] == true {
                tokio::time::sleep(Duration::from_millis(1100)).await;
            }
            self.send(step).await;
            let answer = &step["answer"];
            if answer["code"].as_u64() < Some(300) {
                live = answer["body"].clone();
            }
        }
    }

    async fn create_namespace(&self, name: &str) {
        let request = json!({
            "method": "POST", "path": "/api/v1/namespaces", "contentType": "application/json",
            "body": {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}},
        });
        let mut step = json!({"request": request});
        self.send(&mut step).await;
        assert!(step["answer"]["code"].as_u64() < Some(300), "{step}");
    }

    /// Sends the request of a step, and adds the answer to the step.
    async fn send(&self, step: &mut Value) {
        let request = &step["request"];
        let mut path = request["path"].as_str().unwrap().to_owned();
        let query = request["query"].as_object().into_iter().flatten();
        let query: Vec<_> = query
            .map(|(key, value)| format!("{key}={}", value.as_str().unwrap()))
            .collect();
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        let body = match &request["body"] {
            Value::Null => Vec::new(),
            body => serde_json::to_vec(body).unwrap(),
        };
        let request = Request::builder()
            .method(request["method"].as_str().unwrap())
            .uri(path)
            .header(
                "content-type",
                request["contentType"].as_str().unwrap_or("application/json"),
            );
        step["sent"] = json!(jiff::Timestamp::now().to_string());
        let response = self
            .client
            .send(request.body(Body::from(body)).unwrap())
            .await
            .unwrap();
        let code = response.status().as_u16();
        let date = response.headers()["date"].to_str().unwrap();
        let date = jiff::fmt::rfc2822::parse(date).unwrap().timestamp();
        step["date"] = json!(date.to_string());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        step["answer"] = json!({"code": code, "body": body});
    }
}
