//! +groupName=names.example.org
//! Kinds that are called like something else.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// The same for all of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Spec {
    /// How many.
    pub count: i32,
}

/// Its plural is a word of its own in Rust.
// +genclient
#[derive(Clone, Debug)]
pub struct HTTPRoute {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// As in the prelude.
// +genclient
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Option {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
    /// What is there.
    pub status: std::option::Option<Spec>,
}

/// As in the prelude and in the runtime.
// +genclient
#[derive(Clone, Debug)]
pub struct Result {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// As in the prelude.
// +genclient
#[derive(Clone, Debug)]
pub struct Box {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// As in the runtime.
// +genclient
#[derive(Clone, Debug)]
pub struct Handle {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// Its plural is itself.
// +genclient
#[derive(Clone, Debug)]
pub struct Series {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// Capitals only.
// +genclient
// +genclient:nonNamespaced
// +kubebuilder:resource:scope=Cluster
#[derive(Clone, Debug)]
pub struct URL {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// As long as a name may be.
// +genclient
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.count,statuspath=.status.count
#[derive(Clone, Debug)]
pub struct ThisIsTheLongestNameOfAKindThatAnybodyWouldEverThinkOfUsing {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
    /// What is there.
    pub status: std::option::Option<Spec>,
}
