//! Sends the requests of a case to a server and normalizes its answers.

use std::collections::BTreeMap;
use std::time::Duration;

use http::Request;
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

use crate::normal::Normal;

/// The lines of a watch.
struct Lines {
    body: Body,
    rest: Vec<u8>,
}

impl Lines {
    /// Returns the next line, `None` when the watch ends or nothing comes for some time.
    async fn next(&mut self, patience: Duration) -> Option<Value> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                return Some(serde_json::from_slice(&line).unwrap());
            }
            let frame = tokio::time::timeout(patience, self.body.frame()).await.ok()??;
            if let Ok(data) = frame.unwrap().into_data() {
                self.rest.extend_from_slice(&data);
            }
        }
    }
}

/// Returns the normalized answers to all steps.
pub async fn answers(case: &Value, client: &Client, mut normal: Normal) -> Vec<Value> {
    let mut known: BTreeMap<String, Value> = BTreeMap::new();
    let mut watches: BTreeMap<String, Lines> = BTreeMap::new();
    let mut answers = Vec::new();
    for (position, step) in case["steps"].as_array().unwrap().iter().enumerate() {
        let name = step["as"]
            .as_str()
            .map_or_else(|| position.to_string(), str::to_owned);
        if let Some(request) = step.get("request") {
            let request = resolved(request, &known);
            let raw = match step["until"].as_u64() {
                None => send(client, &request).await,
                Some(code) => send_until(client, &request, code, step["within"].as_u64().unwrap_or(30)).await,
            };
            known.insert(name, raw["body"].clone());
            let mut answer = normal.value(&raw);
            for path in step["ignore"].as_array().into_iter().flatten() {
                let pointer = format!("/body/{}", path.as_str().unwrap().replace('.', "/"));
                if let Some(value) = answer.pointer_mut(&pointer) {
                    *value = json!("<any>");
                }
            }
            answers.push(answer);
        } else if let Some(open) = step.get("open") {
            let mut request = resolved(open, &known);
            request["method"] = json!("GET");
            let response = respond(client, &request).await;
            if response.status() == 200 {
                let body = response.into_body();
                let watch = step["watch"].as_str().unwrap().to_owned();
                watches.insert(
                    watch,
                    Lines {
                        body,
                        rest: Vec::new(),
                    },
                );
                answers.push(json!({"code": 200}));
            } else {
                let code = response.status().as_u16();
                let body = parsed(&response.into_body().collect().await.unwrap().to_bytes());
                answers.push(normal.value(&json!({"code": code, "body": body})));
            }
        } else if let Some(read) = step.get("read") {
            let Some(lines) = watches.get_mut(read.as_str().unwrap()) else {
                known.insert(name, json!([]));
                answers.push(json!({"events": null}));
                continue;
            };
            let count = step["count"].as_u64();
            let end =
                tokio::time::Instant::now() + Duration::from_secs(step["seconds"].as_u64().unwrap_or(10));
            let mut events = Vec::new();
            while count.is_none_or(|count| (events.len() as u64) < count) {
                let patience = end.saturating_duration_since(tokio::time::Instant::now());
                let Some(mut event) = lines.next(patience).await else {
                    break;
                };
                if event["type"] == "BOOKMARK" {
                    event["object"]["_bookmark"] = json!(true);
                }
                events.push(event);
            }
            known.insert(name, json!(events));
            answers.push(json!({"events": normal.value(&json!(events))}));
        } else {
            watches.remove(step["close"].as_str().unwrap());
            answers.push(json!({}));
        }
    }
    answers
}

/// Replaces `$(step.path)` by the value of an earlier answer. A missing value counts as `1`.
fn resolved(value: &Value, known: &BTreeMap<String, Value>) -> Value {
    match value {
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| (key.clone(), resolved(value, known)))
            .collect(),
        Value::Array(items) => items.iter().map(|item| resolved(item, known)).collect(),
        Value::String(text) => {
            let mut text = text.clone();
            while let Some(start) = text.find("$(") {
                let end = start + text[start..].find(')').unwrap();
                let inner = &text[start + 2..end];
                let (path, plus) = inner.split_once('+').unwrap_or((inner, ""));
                let (step, path) = path.split_once('.').unwrap();
                let one = json!("1");
                let mut at = known.get(step).unwrap_or(&one);
                for part in path.split('.') {
                    at = match at {
                        Value::Array(items) => items.get(part.parse::<usize>().unwrap()).unwrap_or(&one),
                        Value::Object(entries) => entries.get(part).unwrap_or(&one),
                        other => other,
                    };
                }
                let mut found = at.as_str().map_or_else(|| at.to_string(), str::to_owned);
                if let Ok(plus) = plus.parse::<u64>() {
                    found = (found.parse::<u64>().unwrap_or(1) + plus).to_string();
                }
                text.replace_range(start..=end, &found);
            }
            Value::String(text)
        }
        other => other.clone(),
    }
}

async fn respond(client: &Client, request: &Value) -> http::Response<Body> {
    let mut uri = request["path"].as_str().unwrap().to_owned();
    let pairs: Vec<String> = request["query"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| format!("{}={}", escaped(key), escaped(value.as_str().unwrap())))
        .collect();
    if !pairs.is_empty() {
        uri = format!("{uri}?{}", pairs.join("&"));
    }
    let mut builder = Request::builder()
        .method(request["method"].as_str().unwrap())
        .uri(uri);
    let headers = request["headers"].as_object();
    if headers.is_none_or(|headers| !headers.contains_key("Accept")) {
        builder = builder.header("Accept", "application/json");
    }
    for (key, value) in headers.into_iter().flatten() {
        builder = builder.header(key, value.as_str().unwrap());
    }
    let body = match (request.get("text"), request.get("body")) {
        (Some(text), _) => Some(text.as_str().unwrap().to_owned()),
        (None, Some(body)) => Some(spaced(body)),
        (None, None) => None,
    };
    if body.is_some() {
        let content_type = request["contentType"].as_str().unwrap_or("application/json");
        builder = builder.header("Content-Type", content_type);
    }
    let body = Body::from(body.unwrap_or_default().into_bytes());
    client.send(builder.body(body).unwrap()).await.unwrap()
}

/// Writes JSON as Python does, because some messages quote the body.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), spaced(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(spaced).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

async fn send(client: &Client, request: &Value) -> Value {
    let response = respond(client, request).await;
    let code = response.status().as_u16();
    let mut warnings: Vec<String> = response
        .headers()
        .get_all("warning")
        .iter()
        .map(|warning| warning.to_str().unwrap().to_owned())
        .collect();
    warnings.sort();
    let body = parsed(&response.into_body().collect().await.unwrap().to_bytes());
    let mut answer = json!({"code": code, "body": body});
    if !warnings.is_empty() {
        answer["warnings"] = json!(warnings);
    }
    answer
}

/// Repeats a request until the answer has a code, for some seconds.
async fn send_until(client: &Client, request: &Value, code: u64, seconds: u64) -> Value {
    let end = tokio::time::Instant::now() + Duration::from_secs(seconds);
    loop {
        let answer = send(client, request).await;
        if answer["code"] == code || tokio::time::Instant::now() > end {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn parsed(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|_| json!({"text": String::from_utf8_lossy(bytes)}))
}

/// Returns the part of an answer that counts for a step.
pub fn reduced(step: &Value, answer: &Value) -> Value {
    if step["compare"] == "code" && answer.get("body").is_some() {
        return json!({"code": answer["code"], "reason": answer["body"]["reason"]});
    }
    answer.clone()
}
