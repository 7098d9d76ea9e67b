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
    // +default={}
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Object>,
    // +default=[]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<List>>,
    // +default=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    // +kgen:allow=dangerous-type
    // +default=1
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
    // +kgen:allow=dangerous-type
    // +default=0.5
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<f64>,
    // +default="\u2028\u202e\n"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unicode: Option<String>,
    // +default={"list":[null,"a"]}
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<Inner>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Object {
    // +default="x \"y\" `z`"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inner {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<Option<String>>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct List {
    // +kubebuilder:validation:Format=""
    // +default=1
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<i64>,
}
