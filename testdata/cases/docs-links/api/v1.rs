//! +groupName=tea.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A thing, unlike a [`Nothing`] or [a lost one](ThingSpec::lost).
// +kubebuilder:resource:path=things
#[derive(Clone, Debug)]
pub struct Thing {
    pub metadata: ObjectMeta,
    pub spec: ThingSpec,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ThingSpec {
    /// The size. See [nowhere](ThingSpec::gone), [ThingSpec::away] and [the other](THING).
    pub size: i32,
}

/// Another kind, whose name differs only in its capital letters from that of [`Thing`].
// +kubebuilder:resource:path=allthings,singular=allthing
#[derive(Clone, Debug)]
pub struct THING {
    pub metadata: ObjectMeta,
    pub spec: LoudSpec,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LoudSpec {
    /// The volume.
    pub volume: i32,
}

/// A kind that is not on the pages.
// +kgen:docs:hide
#[derive(Clone, Debug)]
pub struct Secretive {
    pub metadata: ObjectMeta,
    pub spec: LoudSpec,
}

// +kubebuilder:webhook:path=/validate-thing,mutating=false,failurePolicy=fail,sideEffects=None,groups=tea.example.org,resources=things,verbs=create;update,versions=v1,name=vthing.tea.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/mutate-thing,mutating=true,failurePolicy=fail,sideEffects=None,groups=tea.example.org,resources=*,verbs=create,versions=v1,name=mthing.tea.example.org,admissionReviewVersions=v1
pub fn webhooks() {}
