//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

use std::collections::BTreeMap;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// +k8s:minimum=1
    /// +k8s:maximum=9
    pub number: i32,
    /// +k8s:minLength=1
    /// +k8s:maxLength=9
    /// +k8s:format=k8s-short-name
    pub text: String,
    /// +k8s:minItems=1
    /// +k8s:maxItems=9
    /// +k8s:eachVal=+k8s:maxLength=4
    pub list: Vec<String>,
    /// +k8s:minProperties=1
    /// +k8s:maxProperties=9
    /// +k8s:eachVal=+k8s:minimum=2
    pub map: BTreeMap<String, i32>,
    /// +k8s:subfield(name)=+k8s:maxLength=7
    pub stone: Stone,
    /// +k8s:immutable
    pub fixed: String,
    /// +k8s:immutable
    pub once: Option<String>,
    /// +k8s:forbidden
    pub never: Option<String>,
    pub drive: Drive,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stone {
    pub name: String,
}

/// +k8s:enum
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Drive {
    Wind,
    Water,
}
