// Imported by kgen from kilns.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

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
    /// Color of the pot.
    // +default="Red"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,

    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator: Option<Operator>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<Speed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    // +kubebuilder:validation:Enum=1;2;3
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<i64>,
    // +kubebuilder:validation:Enum=true
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<bool>,
    // +kubebuilder:validation:Enum="☃";"★"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strange: Option<String>,
    // +kubebuilder:validation:MaxLength=2
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounded: Option<Bounded>,
    // +default=["Red"]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colors: Option<Vec<Color>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same: Option<Same>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubled: Option<Doubled>,
    // +kubebuilder:validation:MaxLength=2
    // +kgen:allow=invalid-enum-value
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<Wrong>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Words>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Color {
    Red,
    #[serde(rename = "green")]
    Green,
    #[serde(rename = "dark-blue")]
    DarkBlue,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Operator {
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "!=")]
    NotEqual,
    #[serde(rename = "=~")]
    Match,
    #[serde(rename = "!~")]
    NotMatch,
    #[serde(rename = "*")]
    Any,
    #[serde(rename = "")]
    Empty,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Speed {
    #[serde(rename = "10")]
    Speed10,
    #[serde(rename = "100Mb")]
    Speed100Mb,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Method {
    Replace,
    #[serde(rename = "replace")]
    ReplaceLowercase,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Bounded {
    #[serde(rename = "a")]
    A,
    #[serde(rename = "bb")]
    Bb,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Same {
    Red,
    #[serde(rename = "green")]
    Green,
    #[serde(rename = "dark-blue")]
    DarkBlue,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Doubled {
    #[serde(rename = "a")]
    A,
    #[serde(rename = "b")]
    B,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Wrong {
    #[serde(rename = "a")]
    A,
    #[serde(rename = "abc")]
    Abc,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Words {
    #[serde(rename = "self")]
    SelfValue,
    #[serde(rename = "Self")]
    SelfValueUppercase,
    #[serde(rename = "type")]
    Type,
    #[serde(rename = "true")]
    True,
    #[serde(rename = "null")]
    Null,
    #[serde(rename = "5")]
    Words5,
}
