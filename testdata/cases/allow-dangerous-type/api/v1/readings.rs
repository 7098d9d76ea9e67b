//! Everything in this file is a measurement.
//! +kgen:allow=dangerous-type

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reading {
    pub depth: f64,
    pub tide: f64,
}
