//! A request as the verbs see it.

use serde_json::Value;

use crate::wire::query::Query;
use crate::wire::target::Target;

/// A user, with the groups that roles can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) groups: Vec<String>,
    /// Whether the role of the cluster limits this user.
    pub(crate) is_limited: bool,
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) user: User,
    /// The user who impersonates `user`.
    pub(crate) asker: Option<User>,
    pub(crate) target: Target,
    pub(crate) query: Query,
    /// The media type of the body, without parameters; empty if the header is missing.
    pub(crate) content_type: String,
    pub(crate) user_agent: String,
    pub(crate) body: Vec<u8>,
}

impl Call {
    pub(crate) fn is_dry_run(&self) -> bool {
        self.query.all("dryRun").any(|value| value == "All")
    }

    /// Returns the body as JSON, if it is JSON.
    pub(crate) fn body_json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }
}
