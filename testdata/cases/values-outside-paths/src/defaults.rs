use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::sizes::LEAST;

pub fn shelves() -> i32 {
    LEAST + 2
}

pub fn doors() -> Vec<String> {
    vec!["front".to_owned(), BACK.to_string()]
}

const BACK: &str = "back";

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Fuel {
    Gas,
    Wood,
}

impl Fuel {
    pub fn usual() -> Self {
        Self::Wood
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Vent {
    pub width: i32,
}

impl Default for Vent {
    fn default() -> Self {
        Self { width: shelves() }
    }
}

pub fn computed() -> i32 {
    std::env::var("COMPUTED").map_or(0, |text| text.len() as i32)
}
