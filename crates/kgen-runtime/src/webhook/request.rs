//! What a handler is told about a request, beside the object.

use std::fmt;

use k8s_openapi::api::authentication::v1::UserInfo;
use kube::core::{GroupVersionKind, GroupVersionResource};
use serde::Deserialize;
use serde_json::Value;

/// What somebody asks of the API server.
///
/// The default is an ordinary creation by nobody, for tests of handlers:
///
/// ```
/// use kgen_runtime::webhook::{Operation, Request};
///
/// let mut request = Request::new(Operation::Update);
/// request.dry_run = true;
/// request.user_info.username = Some("jane".to_owned());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// The name of this request in logs of the API server.
    pub uid: String,
    /// What is to be done.
    pub operation: Operation,
    /// The kind of the object that the handler gets.
    pub kind: GroupVersionKind,
    /// The resource, in the same version.
    pub resource: GroupVersionResource,
    /// The subresource, such as `status`.
    pub sub_resource: Option<String>,
    /// The kind that was asked for; it differs from `kind` if the API server converted the object.
    pub request_kind: Option<GroupVersionKind>,
    /// The resource that was asked for.
    pub request_resource: Option<GroupVersionResource>,
    /// The subresource that was asked for.
    pub request_sub_resource: Option<String>,
    /// The name of the object. Empty for a creation that leaves the name to the server.
    pub name: String,
    /// The namespace; none for objects that are in none.
    pub namespace: Option<String>,
    /// Who asks.
    pub user_info: UserInfo,
    /// Whether nothing will be stored: then nothing else may be changed either.
    pub dry_run: bool,
    /// The options of the operation, such as `CreateOptions`.
    pub options: Option<Value>,
}

/// What is to be done with an object.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
pub enum Operation {
    /// It is new.
    #[default]
    Create,
    /// It is changed.
    Update,
    /// It is deleted.
    Delete,
    /// A connection is opened, such as `kubectl exec`.
    Connect,
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Create => "CREATE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
            Self::Connect => "CONNECT",
        })
    }
}

impl Request {
    /// A request of which nothing but the operation is known.
    #[must_use]
    pub fn new(operation: Operation) -> Self {
        Self {
            operation,
            ..Self::default()
        }
    }
}

impl Default for Request {
    fn default() -> Self {
        Self {
            uid: String::new(),
            operation: Operation::default(),
            kind: GroupVersionKind::gvk("", "", ""),
            resource: GroupVersionResource::gvr("", "", ""),
            sub_resource: None,
            request_kind: None,
            request_resource: None,
            request_sub_resource: None,
            name: String::new(),
            namespace: None,
            user_info: UserInfo::default(),
            dry_run: false,
            options: None,
        }
    }
}
