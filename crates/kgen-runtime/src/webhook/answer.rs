//! Creates the responses in the form of Kubernetes: the `Status` of a denied request, and of an HTTP error.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use kgen_schema::{joined, quoted};
use kube::core::Status;
use kube::core::response::{StatusCause, StatusDetails, StatusSummary};
use serde::Serialize;

use super::FieldError;
use super::request::Request;
use super::verdict::Verdict;

/// Returns why a verdict denies the request, if it does. A failure takes precedence over a denial, and a denial over
/// errors of fields: the first determines the code, and the message contains all.
pub(super) fn denial(verdict: &Verdict, request: &Request) -> Option<Box<Status>> {
    if verdict.is_allowed() {
        return None;
    }
    let mut sentences: Vec<String> = verdict.failures().to_vec();
    sentences.extend_from_slice(verdict.denials());
    if !verdict.errors().is_empty() {
        sentences.push(invalid_message(verdict.errors(), request));
    }
    let (code, reason) = if !verdict.failures().is_empty() {
        (500, "InternalError")
    } else if !verdict.denials().is_empty() {
        (403, "Forbidden")
    } else {
        (422, "Invalid")
    };
    let mut status = failure(code, reason, sentences.join("; "));
    status.details = Some(StatusDetails {
        name: request.name.clone(),
        group: request.kind.group.clone(),
        kind: request.kind.kind.clone(),
        uid: String::new(),
        causes: verdict.errors().iter().map(cause).collect(),
        retry_after_seconds: 0,
    });
    Some(status)
}

/// Returns `Foo.example.com "x" is invalid: …`, with every error once, and with brackets around several errors.
fn invalid_message(errors: &[FieldError], request: &Request) -> String {
    let messages = joined(errors);
    let kind = &request.kind;
    let dot = if kind.group.is_empty() { "" } else { "." };
    format!(
        "{}{dot}{} {} is invalid: {messages}",
        kind.kind,
        kind.group,
        quoted(&request.name)
    )
}

fn cause(error: &FieldError) -> StatusCause {
    StatusCause {
        reason: error.kind().reason().to_owned(),
        message: error.body(),
        field: error.field().to_string(),
    }
}

/// Returns a failure with Kubernetes' name for its code.
pub(super) fn failure(code: u16, reason: &str, message: String) -> Box<Status> {
    Box::new(Status {
        status: Some(StatusSummary::Failure),
        code,
        message,
        metadata: None,
        reason: reason.to_owned(),
        details: None,
    })
}

/// Returns a response without an `AdmissionReview`, because the request did not have one. The API server shows the
/// message of such a `Status`.
pub(super) fn http_error(code: StatusCode, reason: &str, message: String) -> Response<Full<Bytes>> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct WithType {
        api_version: &'static str,
        kind: &'static str,
        #[serde(flatten)]
        status: Box<Status>,
    }
    json(
        code,
        &WithType {
            api_version: "v1",
            kind: "Status",
            status: failure(code.as_u16(), reason, message),
        },
    )
}

/// Returns an answer in JSON.
pub(super) fn json(code: StatusCode, body: &impl Serialize) -> Response<Full<Bytes>> {
    // Texts and numbers can always be written.
    let body = serde_json::to_vec(body).unwrap_or_default();
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = code;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
