//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:storageversion
// +kgen:conversion:webhook
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    // A path and a name.
    // +kgen:conversion:from=.spec.size;secret
    pub label: String,
    // The meaning has changed, and no method can name the type.
    // +kgen:conversion:custom
    pub minutes: Minutes,
    // Code writes it as a number.
    // +kubebuilder:validation:Type=integer
    // +kgen:conversion:custom
    #[serde(with = "as_number")]
    pub level: String,
    // +kgen:conversion:from=.spec.inner.host
    pub host: String,
    pub inner: Inner,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inner {
    // +kgen:conversion:from=host
    pub name: String,
    pub port: i32,
    // More sources than a method has arguments.
    // +kgen:conversion:from=part1;part2;part3;part4;part5;part6;part7;part8;part9
    pub whole: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Minutes(i64);
