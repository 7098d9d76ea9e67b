//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet, VecDeque};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub list: Vec<String>,
    pub queue: VecDeque<i32>,
    pub slice: Cow<'static, [String]>,
    pub boxed: Box<[Tray]>,
    pub array: [i32; 3],
    pub sized: [u8; SHELVES],
    pub nested: Vec<Vec<bool>>,
    pub names: BTreeSet<String>,
    pub numbers: HashSet<i64>,
    pub colours: BTreeSet<Colour>,
    /// Sets of objects are plain lists.
    pub trays: HashSet<Tray>,
    pub bytes: Vec<u8>,
}

pub const SHELVES: usize = 4;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Colour {
    Black,
    White,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tray {
    pub loaves: i32,
}
