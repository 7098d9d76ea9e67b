//! +groupName=workshop.example.org

mod parts;
mod status;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use self::parts::{Color, Drawer};
use self::status::BenchStatus;

/// Bench has a status type that only this module can name.
// +genclient
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Bench {
    pub metadata: ObjectMeta,
    pub spec: BenchSpec,
    pub status: Option<BenchStatus>,
}

/// A struct inside the spec may be private; the enum must be named.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchSpec {
    pub drawers: Vec<Drawer>,
    pub color: Option<Color>,
}

/// Vise is less visible than its mirror, and its spec less than itself.
// +genclient
// +genclient:onlyVerbs=apply
#[derive(Clone, Debug)]
pub(crate) struct Vise {
    pub metadata: ObjectMeta,
    spec: ViseSpec,
}

/// Saw has a spec that is less visible.
#[derive(Clone, Debug)]
pub struct Saw {
    pub metadata: ObjectMeta,
    pub spec: ViseSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ViseSpec {
    pub jaws: i32,
}

mod hidden {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

    /// Nobody can name it.
    #[derive(Clone, Debug)]
    pub struct Plane {
        pub metadata: ObjectMeta,
    }
}
