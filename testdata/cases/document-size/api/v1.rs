//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: Level4,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Level4 {
    pub north: Level3,
    pub east: Level3,
    pub south: Level3,
    pub west: Level3,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Level3 {
    pub north: Level2,
    pub east: Level2,
    pub south: Level2,
    pub west: Level2,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Level2 {
    pub north: Level1,
    pub east: Level1,
    pub south: Level1,
    pub west: Level1,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Level1 {
    pub north: Level0,
    pub east: Level0,
    pub south: Level0,
    pub west: Level0,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Level0 {
    /// Line 1 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    /// Line 2 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    /// Line 3 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    /// Line 4 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    /// Line 5 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    /// Line 6 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    /// Line 7 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    /// Line 8 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    /// Line 9 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    /// Line 10 of a text that is long and that stands two hundred and fifty-six times in the definition of the kind.
    pub name: String,
}
