//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

use serde::{Deserializer, Serializer};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    #[serde(with = "seconds")]
    pub every: u64,
    #[serde(deserialize_with = "read_knots")]
    pub speed: u64,
    #[serde(serialize_with = "write_knots")]
    pub top_speed: u64,
    pub code: Code,
    /// Settled by a marker.
    /// +kubebuilder:validation:Type=string
    #[serde(with = "seconds")]
    pub settled: u64,
    /// Settled by the schema of another type.
    #[serde(with = "seconds")]
    #[schemars(with = "String")]
    pub stated: u64,
    /// Settled by keeping everything.
    /// +kubebuilder:validation:Schemaless
    /// +kubebuilder:pruning:PreserveUnknownFields
    #[serde(with = "seconds")]
    pub anything: u64,
}

#[derive(Clone, Debug)]
pub struct Code(u8);

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("T{}", self.0))
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(text.len() as u8))
    }
}
