//! +groupName=bakery.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    #[cfg(feature = "steam")]
    pub steam: i32,
    /// A feature that another one turns on.
    #[cfg(feature = "water")]
    pub water: i32,
    #[cfg(feature = "stone")]
    pub stone: i32,
    #[cfg(all(feature = "steam", not(feature = "stone")))]
    pub both: i32,
}
