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
    /// Short.
    pub a: i32,
    /// One sentence. Another one that is too long.
    pub b: i32,
    /// No end of a sentence is within the limit here.
    pub c: i32,
    /// Nowordendswithinthelimitatallhere.
    pub d: i32,
    /// Ofen für Brötchen äöüäöüäöüäöü.
    pub e: i32,
    /// Exactly twenty-four abc.
    pub f: i32,
}
