//! An admission request without its objects.

use std::fmt;

use k8s_openapi::api::authentication::v1::UserInfo;
use kube::core::{GroupVersionKind, GroupVersionResource};
use serde::Deserialize;
use serde_json::Value;

/// A request to the API server that a webhook has to admit.
///
/// The default is a creation by an unnamed user, for tests of handlers:
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
    /// The UID of the request in the logs of the API server.
    pub uid: String,
    /// The operation.
    pub operation: Operation,
    /// The kind of the object that the handler gets.
    pub kind: GroupVersionKind,
    /// The resource, in the same version.
    pub resource: GroupVersionResource,
    /// The subresource, such as `status`.
    pub sub_resource: Option<String>,
    /// The requested kind, which differs from `kind` if the API server has converted the object.
    pub request_kind: Option<GroupVersionKind>,
    /// The requested resource.
    pub request_resource: Option<GroupVersionResource>,
    /// The requested subresource.
    pub request_sub_resource: Option<String>,
    /// The name of the object. It is empty if the server generates the name.
    pub name: String,
    /// The namespace; `None` for cluster-scoped objects.
    pub namespace: Option<String>,
    /// The user.
    pub user_info: UserInfo,
    /// Whether this is a dry run. Handlers must not have side effects in a dry run.
    pub dry_run: bool,
    /// The options of the operation, such as `CreateOptions`.
    pub options: Option<Value>,
}

/// The operation on an object.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
pub enum Operation {
    /// The object is created.
    #[default]
    Create,
    /// The object is changed.
    Update,
    /// The object is deleted.
    Delete,
    /// A connection to a subresource, such as `kubectl exec`.
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
    /// Returns a request that has only an operation.
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
