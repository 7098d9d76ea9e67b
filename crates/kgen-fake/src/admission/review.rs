//! The question to a webhook and its answer, as an `AdmissionReview`.

use base64::Engine as _;
use serde_json::{Value, json};

use super::Operation;
use super::matching::Hook;
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
    name: String,
    fails_closed: bool,
}

/// What an answer means.
pub(super) struct Judged {
    /// A JSON patch, or `null`.
    pub(super) result: Result<Value, Failure>,
    pub(super) warnings: Vec<String>,
}

impl Review {
    pub(super) fn new(
        request: &Request<'_>,
        operation: Operation,
        old: Option<&Value>,
        object: &Value,
        hook: &Hook,
        phase: &str,
    ) -> Self {
        let kind = &request.kind;
        let target = &request.call.target;
        let group_kind = json!({"group": kind.group, "version": request.version(), "kind": kind.kind});
        let resource = json!({"group": kind.group, "version": request.version(), "resource": kind.plural});
        let name = match request.name() {
            "" => crate::meta::name(if object.is_null() {
                old.unwrap_or(object)
            } else {
                object
            }),
            name => name,
        };
        let mut asked = json!({
            "uid": "00000000-0000-4000-8000-000000000000",
            "kind": group_kind, "resource": resource,
            "requestKind": group_kind, "requestResource": resource,
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
        let body = json!({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": asked});
        // Times pass between the question and its answer, so the text of the question leaves them out.
        let mut asked = body.clone();
        crate::kind::remove(&mut asked["request"]["object"], "metadata");
        let metadata = crate::meta::of(object).iter();
        let metadata =
            metadata.filter(|(key, _)| !matches!(key.as_str(), "creationTimestamp" | "managedFields"));
        let metadata: serde_json::Map<String, Value> = metadata
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        Self {
            path: hook.path.clone(),
            question: format!(
                "{phase} {} {} {asked} {}",
                hook.name,
                hook.path,
                Value::Object(metadata)
            ),
            body,
            name: hook.name.clone(),
            fails_closed: hook.fails_closed,
        }
    }

    /// Reads an answer.
    pub(super) fn judge(&self, answer: Result<Value, String>) -> Judged {
        let mut warnings = Vec::new();
        let response = match answer {
            Ok(review) => review.get("response").cloned().unwrap_or_default(),
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
