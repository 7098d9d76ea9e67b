//! +groupName=my-group.example.org
//! +versionName=v1
//! A module that is called like a keyword, in a group with a dash.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A kind whose module would be a keyword.
// +genclient
#[derive(Clone, Debug)]
pub struct Type {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: TypeSpec,
    /// A field of its own, called like a keyword.
    pub r#match: Option<String>,
}

/// What is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeSpec {
    /// A keyword.
    pub r#type: String,
    /// A method of clones.
    pub clone: Option<bool>,
    /// Another one.
    pub not: Option<bool>,
    /// And another.
    pub is_ready: Option<bool>,
}
