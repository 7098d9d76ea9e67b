//! +groupName=shop.example.org
//! The first version.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::LocalObjectReference;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::CustomResource;
use serde::{Deserialize, Serialize};

use super::Port;

/// A stand on the market.
// +genclient
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Stand {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: StandSpec,
    /// What is there.
    pub status: Option<StandStatus>,
}

/// What is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StandSpec {
    /// What it sells.
    ///
    /// The second paragraph stays here.
    pub goods: Vec<Goods>,
    /// - a list
    /// - as documentation
    pub opening_hours: BTreeMap<String, Hours>,
    /// A keyword.
    pub r#type: Option<String>,
    /// A name of its own in JSON.
    #[serde(rename = "URL")]
    pub url: String,
    /// A type of another crate.
    // +kubebuilder:validation:Schemaless
    // +kubebuilder:pruning:PreserveUnknownFields
    pub credentials: Option<LocalObjectReference>,
    /// Another one.
    pub weight: Option<Quantity>,
    /// A newtype.
    pub owner: Name,
    /// A type that is generic.
    pub range: Bounds<i32>,
    /// In a box, with a name that would mislead.
    pub to_window: Option<Box<Port>>,
    /// Metadata of what it makes.
    pub template: Option<ObjectMeta>,
    /// Fields in its place.
    #[serde(flatten)]
    pub extra: Extra,
    /// Nobody sees it.
    #[serde(skip)]
    pub cache: Vec<u8>,
    /// A pair.
    pub pair: Option<[i32; 2]>,
}

/// What is sold.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Goods {
    /// What.
    pub name: String,
    /// How many.
    pub count: Option<i64>,
}

/// From when to when.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hours {
    /// From.
    pub from: Option<String>,
    /// To.
    pub to: Option<String>,
}

/// A name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Name(pub String);

/// Two bounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bounds<T> {
    /// From.
    pub lower: T,
    /// To.
    pub upper: T,
}

/// More.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Extra {
    /// Anything.
    pub remark: Option<String>,
}

/// What is there.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StandStatus {
    /// Whether it is open.
    pub open: bool,
}

/// An umbrella, for kube-derive.
// +genclient
// +genclient:skipVerbs=applyStatus
#[derive(Clone, Debug, CustomResource, Serialize, Deserialize)]
#[kube(
    group = "shop.example.org",
    version = "v1",
    kind = "Umbrella",
    schema = "disabled"
)]
#[kube(namespaced)]
pub struct UmbrellaSpec {
    /// Across.
    pub diameter: i32,
}
