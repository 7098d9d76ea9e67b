//! +groupName=harbor.example.org

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Convoy {
    pub metadata: ObjectMeta,
    pub spec: ConvoySpec,
}

/// What is cheap enough:
/// +kubebuilder:validation:XValidation:rule="self.leaders.all(a, self.leaders.exists_one(b, a == b))"
/// +kubebuilder:validation:XValidation:rule="self.ships.size() < 10 && self.flag.startsWith('x')"
/// What is not:
/// +kubebuilder:validation:XValidation:rule="self.ships.all(a, self.ships.exists_one(b, a.name == b.name))"
/// +kubebuilder:validation:XValidation:rule="self.flag.contains(self.motto)"
/// +kubebuilder:validation:XValidation:rule="self.leaders.size() > 0",messageExpression="self.flag.replace('', self.motto) + '!'"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConvoySpec {
    /// +kubebuilder:validation:MaxItems=8
    /// +kubebuilder:validation:items:MaxLength=20
    pub leaders: Vec<String>,
    pub ships: Vec<Ship>,
    pub flag: String,
    pub motto: String,
    pub cargo: BTreeMap<String, Cargo>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ship {
    /// +kubebuilder:validation:MaxLength=64
    pub name: String,
    /// +kubebuilder:validation:MaxItems=100
    pub masts: Vec<Mast>,
}

/// Runs for every mast of every ship.
/// +kubebuilder:validation:XValidation:rule="self.wood.matches('^(oak|pine|birch)$')"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mast {
    /// +kubebuilder:validation:MaxLength=64
    pub wood: String,
}

/// +kubebuilder:validation:XValidation:rule="self.tons > 0",messageExpression="'there is no cargo of ' + string(self.tons)"
/// +kubebuilder:validation:XValidation:rule="self.tons > 1",messageExpression="'there is no cargo of %d'.format([self.tons])"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cargo {
    pub tons: i32,
}
