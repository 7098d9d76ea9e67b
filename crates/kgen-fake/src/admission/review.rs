//! The question to a webhook and its answer, as an `AdmissionReview`.

use base64::Engine as _;
use serde_json::{Value, json};

use super::Operation;
use super::matching::{Hook, object_name};
use crate::state::State;
use crate::status::Failure;
use crate::verbs::Request;

/// A question to one webhook.
pub(crate) struct Review {
    /// The path under which the webhook is served.
    pub(crate) path: String,
    /// The `AdmissionReview` that is sent.
    pub(crate) body: Value,
    /// Identifies the question.
    pub(super) question: String,
    uid: String,
    name: String,
    fails_closed: bool,
}

/// The question to a webhook.
pub(super) struct Question<'q> {
    pub(super) operation: Operation,
    /// The version of the objects.
    pub(super) version: &'q str,
    pub(super) object: &'q Value,
    pub(super) old: Option<&'q Value>,
    pub(super) phase: &'q str,
}

/// The meaning of an answer.
pub(super) struct Judged {
    /// A JSON patch, or `null`.
    pub(super) result: Result<Value, Failure>,
    pub(super) warnings: Vec<String>,
}

impl Review {
    pub(super) fn new(state: &State, request: &Request<'_>, asked: &Question<'_>, hook: &Hook) -> Self {
        let kind = &request.kind;
        let target = &request.call.target;
        let Question {
            operation,
            version,
            object,
            old,
            phase,
        } = *asked;
        let group_kind = |version: &str| json!({"group": kind.group, "version": version, "kind": kind.kind});
        let resource =
            |version: &str| json!({"group": kind.group, "version": version, "resource": kind.plural});
        let name = object_name(request, object, old);
        let mut asked = json!({
            "kind": group_kind(version), "resource": resource(version),
            "requestKind": group_kind(request.version()), "requestResource": resource(request.version()),
            "name": name, "operation": operation.as_str(),
            "userInfo": {"username": request.call.user.name, "groups": request.call.user.groups},
            "object": object, "oldObject": old.cloned().unwrap_or_default(),
            "dryRun": request.call.is_dry_run(),
            "options": {"kind": format!("{}Options", option_word(operation)), "apiVersion": "meta.k8s.io/v1"},
        });
        if !request.scope().is_empty() {
            asked["namespace"] = Value::from(request.scope());
        }
        if !target.subresource.is_empty() {
            asked["subResource"] = Value::from(target.subresource.as_str());
            asked["requestSubResource"] = Value::from(target.subresource.as_str());
        }
        let mut body =
            json!({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": asked});
        // Times pass between the question and its answer, so the text of the question leaves them out.
        let mut asked = body.clone();
        crate::kind::remove(&mut asked["request"]["object"], "metadata");
        let metadata = crate::meta::of(object).iter();
        let metadata =
            metadata.filter(|(key, _)| !matches!(key.as_str(), "creationTimestamp" | "managedFields"));
        let metadata: serde_json::Map<String, Value> = metadata
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let question = format!(
            "{phase} {} {} {asked} {}",
            hook.name,
            hook.path,
            Value::Object(metadata)
        );
        // The same in every run, and another one for each request.
        let uid = crate::sha256::uuid(&format!("{} {question}", state.requests.len()));
        body["request"]["uid"] = Value::from(uid.as_str());
        Self {
            path: hook.path.clone(),
            question,
            uid,
            body,
            name: hook.name.clone(),
            fails_closed: hook.fails_closed,
        }
    }

    /// Reads an answer.
    pub(super) fn judge(&self, answer: Result<Value, String>) -> Judged {
        let mut warnings = Vec::new();
        let response = match answer.and_then(|answer| self.response(answer)) {
            Ok(response) => response,
            Err(error) => {
                let result = if self.fails_closed {
                    Err(Failure::new(
                        500,
                        "InternalError",
                        format!(
                            "Internal error occurred: failed calling webhook \"{}\": {error}",
                            self.name
                        ),
                    ))
                } else {
                    Ok(Value::Null)
                };
                return Judged { result, warnings };
            }
        };
        let listed = response
            .get("warnings")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        warnings.extend(listed.filter_map(Value::as_str).map(str::to_owned));
        if response.get("allowed") != Some(&Value::Bool(true)) {
            return Judged {
                result: Err(self.denied(&response)),
                warnings,
            };
        }
        let patch = response.get("patch").and_then(Value::as_str);
        let patch = patch.and_then(|patch| base64::engine::general_purpose::STANDARD.decode(patch).ok());
        let patch = patch.and_then(|patch| serde_json::from_slice(&patch).ok());
        Judged {
            result: Ok(patch.unwrap_or(Value::Null)),
            warnings,
        }
    }

    /// Returns the response in an answer, unless it is the answer to another review.
    fn response(&self, answer: Value) -> Result<Value, String> {
        let response = answer.get("response").cloned().unwrap_or_default();
        let found = response.get("uid").and_then(Value::as_str).unwrap_or_default();
        if found == self.uid {
            return Ok(response);
        }
        Err(format!(
            "received invalid webhook response: expected response.uid={:?}, got {found:?}",
            self.uid
        ))
    }

    fn denied(&self, response: &Value) -> Failure {
        let status = response.get("status").cloned().unwrap_or_default();
        let text = |key: &str| status.get(key).and_then(Value::as_str).unwrap_or_default();
        let code = status
            .get("code")
            .and_then(Value::as_u64)
            .and_then(|code| u16::try_from(code).ok());
        let reason = text("reason");
        let detail = match (text("message"), reason) {
            ("", "") => "denied the request without explanation".to_owned(),
            ("", reason) => format!("denied the request: {reason}"),
            (message, _) => format!("denied the request: {message}"),
        };
        let message = format!("admission webhook \"{}\" {detail}", self.name);
        let code = code.filter(|code| *code >= 400).unwrap_or(400);
        let mut failure = Failure::new(
            code,
            if reason.is_empty() && code == 403 {
                "Forbidden"
            } else {
                reason
            },
            message,
        );
        if let (Some(details), crate::status::Body::Status(body)) = (status.get("details"), &mut failure.body)
        {
            body["details"] = details.clone();
        }
        failure
    }
}

fn option_word(operation: Operation) -> &'static str {
    match operation {
        Operation::Create => "Create",
        Operation::Update => "Update",
        Operation::Delete => "Delete",
    }
}
