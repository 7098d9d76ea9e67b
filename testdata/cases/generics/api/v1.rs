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
    pub pair: Pair<String, i32>,
    pub defaulted: Pair<bool>,
    pub wrapped: Wrapper<Vec<Tray>>,
    pub aliased: Trays<Tray>,
    pub maybe: Maybe<i64>,
    pub choice: Choice<Tray>,
    pub nested: Pair<Pair<i32, i32>, Wrapper<String>>,
    pub array: Fixed<i32, 2>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pair<A, B = String> {
    pub first: A,
    pub second: B,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wrapper<T>(pub T);

pub type Trays<T> = Vec<T>;

pub type Maybe<T> = Option<T>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Choice<T> {
    One(T),
    Many(Vec<T>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fixed<T, const N: usize> {
    pub values: Vec<T>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tray {
    pub loaves: i32,
}
