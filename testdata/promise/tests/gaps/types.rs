//! One kind for each known gap of the promise. rustc compiles this file, and kgen reads it.
//! +groupName=promise.example.org
//! +versionName=v1

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::scheduling::v1beta1::BasicSchedulingPolicy;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta, Time};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};

/// A kind.
pub struct Large {
    pub metadata: ObjectMeta,
    pub spec: LargeSpec,
}

#[derive(Serialize, Deserialize)]
pub struct LargeSpec {
    pub value: u64,
}

/// A kind.
pub struct Infinite {
    pub metadata: ObjectMeta,
    pub spec: InfiniteSpec,
}

#[derive(Serialize, Deserialize)]
pub struct InfiniteSpec {
    pub value: f64,
}

/// A kind.
pub struct Port {
    pub metadata: ObjectMeta,
    pub spec: PortSpec,
}

#[derive(Serialize, Deserialize)]
pub struct PortSpec {
    pub value: IntOrString,
}

/// A kind.
pub struct Amount {
    pub metadata: ObjectMeta,
    pub spec: AmountSpec,
}

#[derive(Serialize, Deserialize)]
pub struct AmountSpec {
    pub value: Quantity,
}

/// A kind.
pub struct Checked {
    pub metadata: ObjectMeta,
    pub spec: CheckedSpec,
}

#[derive(Serialize, Deserialize)]
pub struct CheckedSpec {
    pub value: Condition,
}

/// A kind.
pub struct Bytes {
    pub metadata: ObjectMeta,
    pub spec: BytesSpec,
}

#[derive(Serialize, Deserialize)]
pub struct BytesSpec {
    pub value: ByteString,
}

/// A kind.
pub struct Anything {
    pub metadata: ObjectMeta,
    pub spec: AnythingSpec,
}

#[derive(Serialize, Deserialize)]
pub struct AnythingSpec {
    pub value: JSON,
}

/// A kind.
pub struct Moment {
    pub metadata: ObjectMeta,
    pub spec: MomentSpec,
}

#[derive(Serialize, Deserialize)]
pub struct MomentSpec {
    pub value: Time,
}

/// A kind.
pub struct Syntax {
    pub metadata: ObjectMeta,
    pub spec: SyntaxSpec,
}

#[derive(Serialize, Deserialize)]
pub struct SyntaxSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<kube::core::Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<jiff::Span>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<chrono::NaiveTime>,
}

/// A kind.
pub struct Year {
    pub metadata: ObjectMeta,
    pub spec: YearSpec,
}

#[derive(Serialize, Deserialize)]
pub struct YearSpec {
    pub value: chrono::NaiveDate,
}

/// A kind.
pub struct Keys {
    pub metadata: ObjectMeta,
    pub spec: KeysSpec,
}

#[derive(Serialize, Deserialize)]
pub struct KeysSpec {
    pub value: BTreeMap<Key, i32>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    One,
}

/// A kind.
pub struct Flat {
    pub metadata: ObjectMeta,
    pub spec: FlatSpec,
}

#[derive(Serialize, Deserialize)]
pub struct FlatSpec {
    pub value: i32,
    #[serde(flatten)]
    pub others: BTreeMap<String, i32>,
}

/// A kind.
pub struct Empty {
    pub metadata: ObjectMeta,
    pub spec: EmptySpec,
}

#[derive(Serialize, Deserialize)]
pub struct EmptySpec {
    pub value: BasicSchedulingPolicy,
}
