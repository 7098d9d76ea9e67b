//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

/// +kubebuilder:validation:Minimum=10
/// +kubebuilder:validation:Maximum=200
/// +kubebuilder:validation:MultipleOf=4
pub type Degrees = i32;

/// +kubebuilder:validation:MinLength=4
/// +kubebuilder:validation:MaxLength=40
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Name(String);

/// +kubebuilder:validation:MinItems=1
/// +kubebuilder:validation:MaxItems=9
pub type Trays = Vec<i32>;

/// +kubebuilder:validation:MinProperties=1
/// +kubebuilder:validation:MaxProperties=9
pub type Labels = std::collections::BTreeMap<String, String>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// The tighter one wins, on each side by itself.
    /// +kubebuilder:validation:Minimum=5
    /// +kubebuilder:validation:Maximum=100
    pub tighter: Degrees,
    /// +kubebuilder:validation:MultipleOf=6
    pub multiple: Degrees,
    /// Equal bounds stand once.
    /// +kubebuilder:validation:Minimum=10
    pub equal: Degrees,
    /// At equal bounds, the exclusive one is the tighter.
    /// +kubebuilder:validation:Minimum=10
    /// +kubebuilder:validation:ExclusiveMinimum=true
    pub exclusive: Degrees,
    /// A larger minimum is not exclusive because a smaller one was.
    /// +kubebuilder:validation:Minimum=20
    pub inclusive: Above,
    /// +kubebuilder:validation:MinLength=10
    /// +kubebuilder:validation:MaxLength=10
    pub name: Name,
    /// +kubebuilder:validation:MinItems=2
    /// +kubebuilder:validation:MaxItems=20
    pub trays: Trays,
    /// +kubebuilder:validation:MaxProperties=3
    pub labels: Labels,
    /// Tighter than the Rust type.
    /// +kubebuilder:validation:Maximum=100
    pub small: u8,
    /// No tighter than the Rust type.
    /// +kubebuilder:validation:Maximum=1000
    pub same: u8,
}

/// +kubebuilder:validation:Minimum=10
/// +kubebuilder:validation:ExclusiveMinimum=true
pub type Above = i32;
