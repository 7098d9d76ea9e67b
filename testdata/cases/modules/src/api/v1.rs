mod parts;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use self::parts::Door;
use crate::peel::Peel;

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub door: Door,
    pub peel: Peel,
    #[cfg(feature = "steam")]
    pub steam: i32,
    #[cfg(feature = "stone")]
    pub stone: i32,
    #[cfg(any(test, feature = "steam"))]
    pub tested: i32,
    #[cfg(unix)]
    pub other_cfg_counts_as_on: i32,
    #[cfg_attr(feature = "stone", serde(rename = "renamed"))]
    #[cfg_attr(feature = "steam", serde(rename = "wrong"))]
    pub by_attribute: i32,
}
