use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A cheese.
pub struct Cheese {
    pub metadata: ObjectMeta,
    pub spec: CheeseSpec,
}

#[derive(Serialize, Deserialize)]
pub struct CheeseSpec {
    /// Its schema is in another module that is read anyway.
    pub fat: Fat,
    /// Its schema is in a module outside the paths.
    pub rennet: Rennet,
}

#[derive(Serialize, Deserialize)]
pub struct Fat(u8);

impl Fat {
    const LEAST: u8 = 10;
}

/// What makes the milk thick.
pub struct Rennet(String);

impl Serialize for Rennet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_lowercase())
    }
}

impl<'de> Deserialize<'de> for Rennet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}
