//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

use super::common::{self, Brick as Block, metal::{Iron, deep}};
use super::common::prelude::*;
use super::common::*;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub renamed: Block,
    pub grouped: Iron,
    pub glob: Clay,
    pub by_module: common::Brick,
    pub absolute: crate::common::Clay,
    pub re_exported: crate::material::Iron,
    pub deep: deep::Steel,
    pub deeper: deep::Loam,
    pub relative: super::common::metal::deep::Steel,
    pub own: self::Door,
    pub shadowing: Door,
    pub inline: inline::Bolt,
    pub prelude: core::option::Option<std::string::String>,
    pub raw: r#Door,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Door {
    pub door: i32,
}

mod inline {
    use serde::{Deserialize, Serialize};

    use super::Door as Other;

    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Bolt {
        pub door: Other,
        pub up: super::super::common::Brick,
    }
}
