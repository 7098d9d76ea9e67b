//! +groupName=harbour.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use tides::*;

// +kubebuilder:object:root=true
pub struct Boat {
    pub metadata: ObjectMeta,
    pub spec: BoatSpec,
}

#[derive(Serialize, Deserialize)]
pub struct BoatSpec {
    pub rope: ropes::Rope,
    pub knot: knots::Knot,
    pub tide: Tide,
    /// A problem inside a type of another crate.
    pub hull: hulls::Hull,
    /// A name that the other crate does not have.
    pub keel: hulls::Keal,
    /// Known without its source.
    pub conditions: Vec<Condition>,
}
