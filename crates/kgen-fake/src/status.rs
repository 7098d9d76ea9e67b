//! The answers of the API server to requests that fail: a `Status` with code, reason, message and details.
//!
//! Every message of the server that is not about a field has its home here.

use kgen_schema::{FieldError, joined};
use serde_json::{Map, Value, json};

/// An answer to a request that failed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub(crate) code: u16,
    pub(crate) body: Body,
    /// Seconds of the header `Retry-After`.
    pub(crate) retry_after: Option<u32>,
    pub(crate) warnings: Vec<String>,
}

/// The body of a failed answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    Status(Value),
    Text(&'static str),
}

/// A resource in messages: `widgets.example.org`, or `configmaps` in the core group.
pub(crate) fn qualified(name: &str, group: &str) -> String {
    if group.is_empty() {
        name.to_owned()
    } else {
        format!("{name}.{group}")
    }
}

impl Failure {
    pub(crate) fn new(code: u16, reason: &str, message: impl Into<String>) -> Self {
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": message.into(), "code": code,
        });
        if !reason.is_empty() {
            status["reason"] = Value::from(reason);
        }
        Self {
            code,
            body: Body::Status(status),
            retry_after: None,
            warnings: Vec::new(),
        }
    }

    fn with_details(mut self, details: Value) -> Self {
        if let Body::Status(status) = &mut self.body {
            status["details"] = details;
        }
        self
    }

    /// Adds details without any content.
    pub(crate) fn with_empty_details(self) -> Self {
        self.with_details(json!({}))
    }

    /// Details of a resource or kind. Empty parts are left out.
    fn about(self, name: &str, group: &str, kind: &str) -> Self {
        let details = [("name", name), ("group", group), ("kind", kind)];
        let details = details.into_iter().filter(|(_, text)| !text.is_empty());
        let details = details.map(|(key, text)| (key.to_owned(), Value::from(text)));
        self.with_details(Value::Object(details.collect()))
    }

    /// Sets a field of the list metadata of the `Status`.
    pub(crate) fn with_continue(mut self, token: String) -> Self {
        if let Body::Status(status) = &mut self.body {
            status["metadata"]["continue"] = Value::from(token);
        }
        self
    }

    pub(crate) fn page_not_found() -> Self {
        Self {
            code: 404,
            body: Body::Text("404 page not found\n"),
            retry_after: None,
            warnings: Vec::new(),
        }
    }

    pub(crate) fn no_such_path() -> Self {
        Self::new(
            404,
            "NotFound",
            "the server could not find the requested resource",
        )
        .with_details(json!({}))
    }

    pub(crate) fn method_not_allowed() -> Self {
        let message = "the server does not allow this method on the requested resource";
        Self::new(405, "MethodNotAllowed", message).with_details(json!({}))
    }

    pub(crate) fn verb_not_supported(verb: &str, plural: &str, group: &str) -> Self {
        let message = format!(
            "{verb} is not supported on resources of kind \"{}\"",
            qualified(plural, group)
        );
        Self::new(405, "MethodNotAllowed", message).about("", group, plural)
    }

    pub(crate) fn not_found(name: &str, plural: &str, group: &str) -> Self {
        let message = format!("{} \"{name}\" not found", qualified(plural, group));
        Self::new(404, "NotFound", message).about(name, group, plural)
    }

    pub(crate) fn already_exists(name: &str, plural: &str, group: &str) -> Self {
        let message = format!("{} \"{name}\" already exists", qualified(plural, group));
        Self::new(409, "AlreadyExists", message).about(name, group, plural)
    }

    /// A generated name was taken, however often one was drawn.
    pub(crate) fn generated_name_taken(name: &str, plural: &str, group: &str) -> Self {
        let message = format!(
            "{} \"{name}\" already exists, the server was not able to generate a unique name for the object",
            qualified(plural, group)
        );
        let mut failure = Self::new(409, "AlreadyExists", message).about(name, group, plural);
        failure.retry_after = Some(1);
        failure
    }

    pub(crate) fn being_deleted(name: &str, plural: &str, group: &str) -> Self {
        let message = format!(
            "object is being deleted: {} \"{name}\" already exists",
            qualified(plural, group)
        );
        Self::new(409, "AlreadyExists", message).about(name, group, plural)
    }

    pub(crate) fn conflict(name: &str, plural: &str, group: &str, detail: &str) -> Self {
        let message = format!(
            "Operation cannot be fulfilled on {} \"{name}\": {detail}",
            qualified(plural, group)
        );
        Self::new(409, "Conflict", message).about(name, group, plural)
    }

    pub(crate) fn modified(name: &str, plural: &str, group: &str) -> Self {
        let detail =
            "the object has been modified; please apply your changes to the latest version and try again";
        Self::conflict(name, plural, group, detail)
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "BadRequest", message)
    }

    /// An error that the server did not expect. It has no reason.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(500, "", message)
    }

    /// An error that the server expects, with its cause.
    pub(crate) fn internal_error(detail: &str) -> Self {
        let message = format!("Internal error occurred: {detail}");
        Self::new(500, "InternalError", message).with_details(json!({"causes": [{"message": detail}]}))
    }

    pub(crate) fn forbidden(name: &str, plural: &str, group: &str, detail: &str) -> Self {
        let message = if name.is_empty() {
            format!("{} is forbidden: {detail}", qualified(plural, group))
        } else {
            format!("{} \"{name}\" is forbidden: {detail}", qualified(plural, group))
        };
        Self::new(403, "Forbidden", message).about(name, group, plural)
    }

    pub(crate) fn namespace_terminating(name: &str, plural: &str, group: &str, namespace: &str) -> Self {
        let detail =
            format!("unable to create new content in namespace {namespace} because it is being terminated");
        let mut failure = Self::forbidden(name, plural, group, &detail);
        if let Body::Status(status) = &mut failure.body {
            status["details"]["causes"] = json!([{
                "reason": "NamespaceTerminating",
                "message": format!("namespace {namespace} is being terminated"),
                "field": "metadata.namespace",
            }]);
        }
        failure
    }

    pub(crate) fn invalid(name: &str, kind: &str, group: &str, errors: &[FieldError]) -> Self {
        let message = format!(
            "{} \"{name}\" is invalid: {}",
            qualified(kind, group),
            joined(errors)
        );
        let causes: Vec<Value> = errors
            .iter()
            .map(|error| json!({"reason": error.kind().reason(), "message": error.body(), "field": error.field()}))
            .collect();
        let mut failure = Self::new(422, "Invalid", message).about(name, group, kind);
        if let Body::Status(status) = &mut failure.body {
            status["details"]["causes"] = Value::from(causes);
        }
        failure
    }

    /// Options in the query that are wrong, such as those of `CreateOptions`.
    pub(crate) fn invalid_options(kind: &str, errors: &[FieldError]) -> Self {
        Self::invalid("", kind, "meta.k8s.io", errors)
    }

    pub(crate) fn unsupported_media_type(accepted: &[&str]) -> Self {
        let message = format!(
            "the body of the request was in an unknown format - accepted media types include: {}",
            accepted.join(", ")
        );
        Self::new(415, "UnsupportedMediaType", message)
    }

    pub(crate) fn not_acceptable(message: impl Into<String>) -> Self {
        Self::new(406, "NotAcceptable", message)
    }

    pub(crate) fn too_large_version(asked: u64, current: u64) -> Self {
        let message = format!("Timeout: Too large resource version: {asked}, current: {current}");
        let mut failure = Self::new(504, "Timeout", message).with_details(json!({
            "causes": [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}],
            "retryAfterSeconds": 1,
        }));
        failure.retry_after = Some(1);
        failure
    }

    pub(crate) fn expired(message: impl Into<String>) -> Self {
        Self::new(410, "Expired", message)
    }

    pub(crate) fn too_many_requests(message: &str, seconds: u32) -> Self {
        let failure = Self::new(429, "TooManyRequests", message);
        if seconds == 0 {
            return failure.with_empty_details();
        }
        let mut failure = failure.with_details(json!({"retryAfterSeconds": seconds}));
        failure.retry_after = Some(seconds);
        failure
    }

    /// Names a disruption budget as the cause.
    pub(crate) fn with_budget(mut self, message: &str) -> Self {
        if let Body::Status(status) = &mut self.body {
            status["details"]["causes"] = json!([{"reason": "DisruptionBudget", "message": message}]);
        }
        self
    }

    /// A request that the fake cannot answer as a real server would.
    pub(crate) fn not_implemented(what: &str) -> Self {
        let message =
            format!("kgen-fake: {what} is not supported; use a control plane of kgen-testenv instead");
        Self::new(501, "NotImplemented", message)
    }

    /// Returns the `Status` object; plain texts become one.
    pub(crate) fn status(&self) -> Value {
        match &self.body {
            Body::Status(status) => status.clone(),
            Body::Text(text) => json!({
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                "message": text.trim_end(), "code": self.code,
            }),
        }
    }

    pub(crate) fn message(&self) -> String {
        let status = self.status();
        status
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    }
}

/// The `Status` of a deletion that is complete.
pub(crate) fn deleted(name: &str, plural: &str, group: &str, uid: &str) -> Value {
    let details = [("name", name), ("group", group), ("kind", plural), ("uid", uid)];
    let details = details.into_iter().filter(|(_, text)| !text.is_empty());
    let details: Map<String, Value> = details
        .map(|(key, text)| (key.to_owned(), Value::from(text)))
        .collect();
    json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details})
}
