//! +groupName=webapp.example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

/// A book for guests.
// +kubebuilder:subresource:status
// +operator-sdk:csv:customresourcedefinitions:displayName="Book of Guests",order=1
// +operator-sdk:csv:customresourcedefinitions:resources={{Service,v1,book},{Deployment,v1,book},{ConfigMap,v1}}
#[derive(Clone, Debug)]
pub struct Guestbook {
    pub metadata: ObjectMeta,
    pub spec: GuestbookSpec,
    pub status: Option<GuestbookStatus>,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GuestbookSpec {
    /// Number of instances.
    // +operator-sdk:csv:customresourcedefinitions:type=spec,order=2,xDescriptors={"urn:alm:descriptor:com.tectonic.ui:podCount","urn:alm:descriptor:io.kubernetes:custom"}
    pub size: i32,
    /// Whether guests need a key.
    #[serde(default)]
    pub locked: bool,
    /// The pages.
    #[serde(default)]
    pub pages: Vec<Page>,
    /// The cover.
    #[serde(default)]
    pub cover: Option<Cover>,
}

/// A page of the book.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Page {
    /// The title of the page.
    // +operator-sdk:csv:customresourcedefinitions:type=spec
    pub title: String,
}

/// The cover of the book, also of the one that is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cover {
    /// Its color.
    // +operator-sdk:csv:customresourcedefinitions:order=1,type=spec,displayName="Cover color"
    // +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Current color"
    pub color: String,
}

/// The observed state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GuestbookStatus {
    /// The conditions.
    // +listType=map
    // +listMapKey=type
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// The cover that is shown.
    #[serde(default)]
    pub cover: Option<Cover>,
}
