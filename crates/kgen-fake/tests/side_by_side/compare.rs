//! Runs a case on both servers.

use std::time::SystemTime;

use jiff::Timestamp;
use kgen_fake::Cluster;
use kgen_testenv::ControlPlane;
use kube::Client;
use serde_json::{Value, json};

use crate::normal::Normal;
use crate::{plan, steps};

/// A real server, and a fake for all cases.
pub struct Servers {
    real: Client,
    fake: Cluster,
}

/// The first answer that differs.
#[derive(Clone)]
pub struct Difference {
    pub case: Value,
    pub step: usize,
    pub expected: Value,
    pub found: Value,
    /// All answers of the real server.
    pub answers: Vec<Value>,
}

impl Servers {
    pub async fn new(control_plane: &ControlPlane) -> Result<Self, kgen_testenv::Error> {
        for name in plan::DEFINITIONS {
            let text = plan::definition(name).to_string();
            control_plane.install_crds(text.as_str()).await?;
        }
        let real = control_plane.client().await?;
        let fake = Self::fake();
        Ok(Self { real, fake })
    }

    fn fake() -> Cluster {
        let mut builder = Cluster::new().lenient().starting_at(SystemTime::now());
        for name in plan::DEFINITIONS {
            builder = builder.definition(plan::definition(name));
        }
        builder.start()
    }

    /// Runs a case on both servers, in a namespace with this name.
    pub async fn compare(&self, case: &Value, namespace: &str) -> Option<Difference> {
        let case: Value = serde_json::from_str(&case.to_string().replace("@NS@", namespace)).unwrap();
        let prepare = json!({"steps": [{"request": {"method": "POST", "path": "/api/v1/namespaces",
            "body": {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}}}]});
        let normal = || Normal::new(case["managedFields"] == true, Timestamp::now());
        let admin = self.fake.admin();
        for client in [&self.real, &admin] {
            steps::answers(&prepare, client, normal()).await;
        }
        let (expected, found) = tokio::join!(
            steps::answers(&case, &self.real, normal()),
            steps::answers(&case, &admin, normal())
        );
        let position = (0..expected.len()).find(|index| {
            let step = &case["steps"][*index];
            let normal =
                |answer: &Value| without_generated_name(step, with_times(steps::reduced(step, answer)));
            let (expected, found) = (normal(&expected[*index]), normal(&found[*index]));
            expected != found
        })?;
        Some(Difference {
            step: position,
            expected: steps::reduced(&case["steps"][position], &expected[position]),
            found: steps::reduced(&case["steps"][position], &found[position]),
            answers: expected,
            case,
        })
    }
}

/// Removes generated names of objects that were refused.
fn without_generated_name(step: &Value, answer: Value) -> Value {
    let name = answer["body"]["details"]["name"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    if step["op"] != "create-generated" || name.is_empty() || answer["code"] == 201 {
        return answer;
    }
    serde_json::from_str(&answer.to_string().replace(&name, "<generated>")).unwrap()
}

/// Replaces resource versions within texts.
fn without_versions(value: &mut Value) {
    match value {
        Value::String(text) => {
            let mut result = String::new();
            let mut rest = text.as_str();
            while let Some(start) = rest.find("resourceVersion") {
                let (front, back) = rest.split_at(start + "resourceVersion".len());
                result.push_str(front);
                let digits = back
                    .find(|c: char| c.is_ascii_digit())
                    .filter(|digits| *digits < 8);
                let Some(digits) = digits else {
                    rest = back;
                    continue;
                };
                let end = back[digits..]
                    .find(|c: char| !c.is_ascii_digit())
                    .map_or(back.len(), |end| digits + end);
                result.push_str(&back[..digits]);
                result.push_str("<rv>");
                rest = &back[end..];
            }
            result.push_str(rest);
            *text = result;
        }
        Value::Array(items) => items.iter_mut().for_each(without_versions),
        Value::Object(entries) => entries.values_mut().for_each(without_versions),
        _ => {}
    }
}

/// Sorts the parts of texts with managed fields. The order of these depends on the seconds in which they changed.
fn without_order(value: &mut Value) {
    match value {
        Value::String(text) if text.contains("managedFields") => {
            let mut parts: Vec<&str> = text.split(['\n', '{', '}']).collect();
            parts.sort_unstable();
            *text = parts.join("\n");
        }
        Value::Array(items) => items.iter_mut().for_each(without_order),
        Value::Object(entries) => entries.values_mut().for_each(without_order),
        _ => {}
    }
}

/// Removes the age of objects in tables, because seconds pass, and bookmarks that only keep a watch alive.
fn with_times(mut answer: Value) -> Value {
    without_versions(&mut answer);
    without_order(&mut answer);
    // Which one of several undeclared fields the server finds first is random.
    if let Some(Value::String(message)) = answer.pointer_mut("/body/message")
        && message.ends_with(": field not declared in schema")
    {
        *message = "field not declared in schema".to_owned();
    }
    if let Some(events) = answer.get_mut("events").and_then(Value::as_array_mut) {
        events.retain(|event| {
            event["type"] != "BOOKMARK" || event["object"]["metadata"]["annotations"].is_object()
        });
    }
    let rows: Vec<&mut Value> = match answer.get_mut("events") {
        Some(events) => events
            .as_array_mut()
            .into_iter()
            .flatten()
            .filter_map(|event| event.get_mut("object"))
            .collect(),
        None => answer.get_mut("body").into_iter().collect(),
    };
    for body in rows {
        for row in body
            .get_mut("rows")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            for cell in row
                .get_mut("cells")
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                let is_age = cell.as_str().is_some_and(|text| {
                    text.strip_suffix('s').is_some_and(|digits| {
                        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
                    })
                });
                if is_age {
                    *cell = json!("<age>");
                }
            }
        }
    }
    answer
}

impl Difference {
    fn request(&self) -> &Value {
        let step = &self.case["steps"][self.step];
        step.get("request").or_else(|| step.get("open")).unwrap_or(step)
    }

    /// Returns a text that is equal for similar differences.
    pub fn signature(&self) -> String {
        let step = &self.case["steps"][self.step];
        let path = self.request()["path"].as_str().unwrap_or("-");
        let plural = path
            .split('/')
            .skip_while(|part| !part.starts_with('r'))
            .nth(1)
            .unwrap_or("-");
        let mut place = Vec::new();
        let (left, right) = first_difference(&self.expected, &self.found, &mut place);
        let mut shown = format!("{left} / {right}");
        if shown.len() > 300 {
            shown = shown.chars().take(300).collect();
        }
        let place: Vec<String> = place
            .into_iter()
            .filter(|name| name.parse::<usize>().is_err())
            .collect();
        let _ = &mut shown;
        format!(
            "{} {plural} {} -> {}: {}",
            step["op"].as_str().unwrap_or("-"),
            self.expected["code"],
            self.found["code"],
            place.join(".")
        )
    }

    /// Describes the difference with its request.
    pub fn describe(&self) -> String {
        let mut place = Vec::new();
        let (left, right) = first_difference(&self.expected, &self.found, &mut place);
        let cut = |value: &Value| value.to_string().chars().take(1500).collect::<String>();
        format!(
            "  {} step {}: {}\n  at {}\n  expected {}\n     found {}",
            self.case["name"],
            self.step,
            cut(self.request()),
            place.join("."),
            cut(&left),
            cut(&right)
        )
    }
}

/// Returns the first values that differ, and their path.
fn first_difference(left: &Value, right: &Value, place: &mut Vec<String>) -> (Value, Value) {
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            for key in a.keys().chain(b.keys()) {
                let (x, y) = (a.get(key), b.get(key));
                if x != y {
                    place.push(key.clone());
                    return match (x, y) {
                        (Some(x), Some(y)) => first_difference(x, y, place),
                        (x, y) => (
                            x.cloned().unwrap_or(json!("<absent>")),
                            y.cloned().unwrap_or(json!("<absent>")),
                        ),
                    };
                }
            }
            (Value::Null, Value::Null)
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (x, y)) in a.iter().zip(b).enumerate() {
                if x != y {
                    place.push(index.to_string());
                    return first_difference(x, y, place);
                }
            }
            (Value::Null, Value::Null)
        }
        _ => (left.clone(), right.clone()),
    }
}
