//! The record of the requests that a cluster got.

use serde_json::Value;

use crate::Verb;

/// A request that the cluster has answered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// The name of the user.
    pub user: String,
    /// The verb.
    pub verb: Verb,
    /// The group of the resource, empty for the core group.
    pub group: String,
    /// The version in the URL.
    pub version: String,
    /// The resource with its subresource, such as `foos/status`.
    pub resource: String,
    /// The namespace, empty if the request has none.
    pub namespace: String,
    /// The name, empty for collections.
    pub name: String,
    /// The query as it was sent.
    pub query: String,
    /// The media type of the body.
    pub content_type: String,
    /// The body, `null` if there was none or it was not JSON.
    pub body: Value,
    /// The code of the answer, 0 if the client got none.
    pub code: u16,
}

impl Request {
    /// Returns whether the request writes.
    pub fn is_write(&self) -> bool {
        !matches!(self.verb, Verb::Get | Verb::List | Verb::Watch)
    }

    /// Returns verb, resource and name in one line, such as `update foos/status default/a`.
    pub fn line(&self) -> String {
        let place = crate::store::key(&self.namespace, &self.name);
        format!("{} {} {place}", self.verb, self.resource)
            .trim_end()
            .to_owned()
    }
}
