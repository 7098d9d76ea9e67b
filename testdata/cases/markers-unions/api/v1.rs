//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    pub drive: Drive,
    pub named: Named,
    pub extra: Extra,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Drive {
    /// +k8s:unionDiscriminator
    pub kind: DriveKind,
    /// +k8s:unionMember
    pub wind: Option<i32>,
    /// +k8s:unionMember
    pub water: Option<i32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum DriveKind {
    Wind,
    Water,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Named {
    /// +k8s:unionDiscriminator
    pub kind: String,
    /// +k8s:unionMember(memberName: "by-wind")
    pub wind: Option<i32>,
    /// +k8s:unionMember(memberName: "by-water")
    pub water: Option<i32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Extra {
    /// +k8s:zeroOrOneOfMember
    pub bell: Option<i32>,
    /// +k8s:zeroOrOneOfMember
    pub flag: Option<i32>,
}
