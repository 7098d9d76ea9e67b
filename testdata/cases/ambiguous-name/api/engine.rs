use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setting {
    pub rpm: i32,
}

/// Only here, so a glob finds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fuel {
    pub litres: i32,
}
