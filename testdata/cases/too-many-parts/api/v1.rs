//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: Half00,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half00 {
    pub left: Half01,
    pub right: Half01,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half01 {
    pub left: Half02,
    pub right: Half02,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half02 {
    pub left: Half03,
    pub right: Half03,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half03 {
    pub left: Half04,
    pub right: Half04,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half04 {
    pub left: Half05,
    pub right: Half05,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half05 {
    pub left: Half06,
    pub right: Half06,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half06 {
    pub left: Half07,
    pub right: Half07,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half07 {
    pub left: Half08,
    pub right: Half08,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half08 {
    pub left: Half09,
    pub right: Half09,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half09 {
    pub left: Half10,
    pub right: Half10,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half10 {
    pub left: Half11,
    pub right: Half11,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half11 {
    pub left: Half12,
    pub right: Half12,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half12 {
    pub left: Half13,
    pub right: Half13,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half13 {
    pub left: Half14,
    pub right: Half14,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half14 {
    pub left: Half15,
    pub right: Half15,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half15 {
    pub left: Half16,
    pub right: Half16,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half16 {
    pub left: Half17,
    pub right: Half17,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half17 {
    pub left: Half18,
    pub right: Half18,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half18 {
    pub left: Half19,
    pub right: Half19,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half19 {
    pub left: Half20,
    pub right: Half20,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half20 {
    pub left: Half21,
    pub right: Half21,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half21 {
    pub left: Half22,
    pub right: Half22,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half22 {
    pub left: Half23,
    pub right: Half23,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half23 {
    pub left: Half24,
    pub right: Half24,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Half24 {
    pub size: i32,
}
