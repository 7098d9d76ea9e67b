//! +groupName=harbor.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

/// An alias that never ends; Rust does not accept it either.
pub type Crew = Option<Crew>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub crew: Crew,
}
