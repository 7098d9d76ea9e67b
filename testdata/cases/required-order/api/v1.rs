//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// Rule 1.
    /// +kubebuilder:validation:Optional
    pub r1: Option<i32>,
    /// Rule 2 wins over what the type implies.
    /// +kubebuilder:validation:Required
    pub r2: Option<i32>,
    /// Rule 3.
    /// +optional
    #[serde(default)]
    pub r3: i32,
    /// Rule 3 in its other spelling.
    /// +k8s:optional
    pub r3k: Option<i32>,
    /// Rule 4.
    /// +required
    pub r4: Option<i32>,
    /// Rule 4 in its other spelling.
    /// +k8s:required
    #[serde(default)]
    pub r4k: i32,
    /// Rule 6, a type.
    pub r6: Option<i32>,
    /// Rule 6, a default.
    #[serde(default)]
    pub r6d: i32,
    /// Rule 6, a default by name.
    #[serde(default = "one")]
    pub r6f: i32,
    /// Rule 7.
    pub r7: i32,
    /// Rule 7: a default in the schema does not make it optional.
    /// +kubebuilder:default=7
    pub r7d: i32,
    /// Rule 6 for all of its fields.
    pub group: Group,
}

fn one() -> i32 {
    1
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Group {
    pub a: i32,
    /// +required
    pub b: i32,
}
