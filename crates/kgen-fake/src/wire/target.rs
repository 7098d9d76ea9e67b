//! The resource that a URL names, and the verb of the request.
//!
//! Mirrors `RequestInfoFactory` of the API server.

use std::fmt;

use http::Method;

use super::query::Query;

/// A verb, as roles name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Verb {
    /// Reads one object.
    Get,
    /// Reads a collection.
    List,
    /// Follows the changes of a collection.
    Watch,
    /// Creates an object.
    Create,
    /// Replaces an object.
    Update,
    /// Changes parts of an object.
    Patch,
    /// Deletes an object.
    Delete,
    /// Deletes a collection.
    DeleteCollection,
    /// A method without a meaning for resources.
    Other,
}

impl Verb {
    /// Returns the verb as it is written in roles; empty for a method without a meaning for resources.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::DeleteCollection => "deletecollection",
            Self::Other => "",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A resource and what a request does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) verb: Verb,
    /// The group, empty for the core group.
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) resource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) subresource: String,
}

impl Target {
    /// Reads a path. Returns `None` if it does not name a resource.
    pub(crate) fn read(method: &Method, path: &str, query: &Query) -> Option<Self> {
        let parts: Vec<String> = path
            .trim_matches('/')
            .split('/')
            .map(super::query::unescaped)
            .collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let (group, version, mut rest) = match parts.as_slice() {
            ["api", version, rest @ ..] => ("", *version, rest),
            ["apis", group, version, rest @ ..] => (*group, *version, rest),
            _ => return None,
        };
        let mut verb = match *method {
            Method::POST => Verb::Create,
            Method::GET | Method::HEAD => Verb::Get,
            Method::PUT => Verb::Update,
            Method::PATCH => Verb::Patch,
            Method::DELETE => Verb::Delete,
            _ => Verb::Other,
        };
        if let ["watch", after @ ..] = rest {
            verb = Verb::Watch;
            rest = after;
        }
        let mut namespace = "";
        if let ["namespaces", name, after @ ..] = rest {
            namespace = name;
            // The subresources of a namespace are not resources in it.
            if !matches!(after, [] | ["status" | "finalize", ..]) {
                rest = after;
            }
        }
        let [resource, rest @ ..] = rest else { return None };
        if resource.is_empty() {
            return None;
        }
        let (name, subresource) = match rest {
            [] => ("", ""),
            [name] => (*name, ""),
            [name, subresource, ..] => (*name, *subresource),
        };
        if name.is_empty() && verb == Verb::Get {
            verb = if query.flag("watch") {
                Verb::Watch
            } else {
                Verb::List
            };
        }
        if name.is_empty() && verb == Verb::Delete {
            verb = Verb::DeleteCollection;
        }
        Some(Self {
            verb,
            group: group.to_owned(),
            version: version.to_owned(),
            resource: (*resource).to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            subresource: subresource.to_owned(),
        })
    }

    /// Returns the resource with its subresource, as roles name it: `widgets/status`.
    pub(crate) fn resource_path(&self) -> String {
        if self.subresource.is_empty() {
            self.resource.clone()
        } else {
            format!("{}/{}", self.resource, self.subresource)
        }
    }
}
