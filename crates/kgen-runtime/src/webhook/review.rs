//! `AdmissionReview` of `admission.k8s.io/v1` on the wire: the request and the response.

use std::borrow::Cow;
use std::collections::BTreeMap;

use k8s_openapi::api::authentication::v1::UserInfo;
use kube::core::{GroupVersionKind, GroupVersionResource};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::request::{Operation, Request};

const API_VERSION: &str = "admission.k8s.io/v1";
const KIND: &str = "AdmissionReview";

/// A request, with its objects still as text: only the handler knows their type.
#[derive(Debug)]
pub(super) struct Incoming<'a> {
    pub(super) request: Request,
    pub(super) object: Option<&'a RawValue>,
    pub(super) old_object: Option<&'a RawValue>,
}

/// The request as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire<'a> {
    uid: String,
    kind: GroupVersionKind,
    resource: GroupVersionResource,
    #[serde(default)]
    sub_resource: Option<String>,
    #[serde(default)]
    request_kind: Option<GroupVersionKind>,
    #[serde(default)]
    request_resource: Option<GroupVersionResource>,
    #[serde(default)]
    request_sub_resource: Option<String>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    namespace: Option<String>,
    operation: Operation,
    #[serde(default)]
    user_info: UserInfo,
    #[serde(borrow, default)]
    object: Option<&'a RawValue>,
    #[serde(borrow, default)]
    old_object: Option<&'a RawValue>,
    #[serde(default)]
    dry_run: Option<bool>,
    #[serde(default)]
    options: Option<Value>,
}

/// The part that says what a body is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    #[serde(borrow, default)]
    api_version: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    request: Option<&'a RawValue>,
}

/// Parses a body. The error explains what is wrong with it.
pub(super) fn read(body: &[u8]) -> Result<Incoming<'_>, String> {
    let head: Head<'_> = serde_json::from_slice(body).map_err(|error| match body {
        [] => format!("the body is empty; expected an {KIND} of {API_VERSION}"),
        _ => format!("the body is not the JSON of an {KIND}: {error}"),
    })?;
    let (api_version, kind) = (
        head.api_version.as_deref().unwrap_or_default(),
        head.kind.as_deref().unwrap_or_default(),
    );
    if kind != KIND {
        return Err(format!("expected kind {KIND}, got {}", named(kind)));
    }
    if api_version != API_VERSION {
        return Err(format!(
            "expected {KIND} of {API_VERSION}, got {}; admissionReviewVersions of the webhook configuration must have v1",
            named(api_version)
        ));
    }
    let Some(request) = head.request else {
        return Err(format!("the {KIND} has no request"));
    };
    let request: Wire<'_> = serde_json::from_str(request.get())
        .map_err(|error| format!("the request of the {KIND} cannot be read: {error}"))?;
    Ok(request.into())
}

fn named(word: &str) -> String {
    if word.is_empty() {
        "none".to_owned()
    } else {
        format!("{word:?}")
    }
}

impl<'a> From<Wire<'a>> for Incoming<'a> {
    fn from(wire: Wire<'a>) -> Self {
        Self {
            request: Request {
                uid: wire.uid,
                operation: wire.operation,
                kind: wire.kind,
                resource: wire.resource,
                sub_resource: wire.sub_resource.filter(|name| !name.is_empty()),
                request_kind: wire.request_kind,
                request_resource: wire.request_resource,
                request_sub_resource: wire.request_sub_resource.filter(|name| !name.is_empty()),
                name: wire.name,
                namespace: wire.namespace.filter(|name| !name.is_empty()),
                user_info: wire.user_info,
                dry_run: wire.dry_run.unwrap_or(false),
                options: wire.options,
            },
            object: wire.object,
            old_object: wire.old_object,
        }
    }
}

/// The response.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outgoing<'a> {
    api_version: &'static str,
    kind: &'static str,
    response: Response<'a>,
}

/// The verdict.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response<'a> {
    pub(super) uid: &'a str,
    pub(super) allowed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<Box<kube::core::Status>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) patch_type: Option<&'static str>,
    /// In base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) patch: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) audit_annotations: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<String>,
}

impl<'a> From<Response<'a>> for Outgoing<'a> {
    fn from(response: Response<'a>) -> Self {
        Self {
            api_version: API_VERSION,
            kind: KIND,
            response,
        }
    }
}
