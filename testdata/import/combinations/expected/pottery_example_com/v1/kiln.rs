// Imported by kgen from kilns.pottery.example.com.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub either: Option<Either>,
    // +kgen:validation:AnyOf=[{"minLength":5},{"pattern":"^x"}]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any: Option<String>,
    // +kgen:validation:AllOf=[{"pattern":"^a"},{"pattern":"z$"}]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<String>,
    // +kgen:validation:Not={"enum":["root"]}
    #[serde(skip_serializing_if = "Option::is_none")]
    pub never: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<Item>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Values>,
    // +kgen:allow=structural-schema
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<Exact>,
}

// +kgen:validation:OneOf=[{"required":["a"]},{"required":["b"]}]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Either {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c: Option<String>,
}

// +kgen:validation:OneOf=[{"properties":{"kind":{"enum":["small"]},"size":{"maximum":5}}},{"not":{"anyOf":[{"required":["size"]},{"properties":{"kind":{"pattern":"^s"}}}]}},{"allOf":[{"required":["size"]}],"required":["kind"]}]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Values {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
}

// +kgen:validation:AllOf=[{"required":["b"]}]
// +kgen:allow=structural-schema
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    pub a: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Exact {
    A(String),
    B(String),
}

// +kgen:validation:AnyOf=[{"required":["a"]},{"required":["b"]}]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<i64>,
}
