//! +groupName=pottery.example.org
//!
//! Hand-written `Default`s that only running code would tell, and code that would never end.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A kiln.
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Serialize, Deserialize)]
pub struct KilnSpec {
    /// The default of the type of the field.
    #[serde(default)]
    pub heat: Heat,
    /// Reported once, not for each field.
    pub shelf: Shelf,
    /// Functions that call each other.
    #[serde(default = "ping")]
    pub rounds: i32,
    /// A loop of many steps.
    #[serde(default = "sum")]
    pub sum: i32,
}

#[derive(Serialize, Deserialize)]
pub struct Heat(i64);

impl Default for Heat {
    fn default() -> Self {
        Heat(i64::from(std::process::id()))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(default)]
pub struct Shelf {
    pub width: i32,
    pub depth: i32,
}

impl Default for Shelf {
    fn default() -> Self {
        Self { width: 40, depth: measured() }
    }
}

fn measured() -> i32 {
    std::env::args().count() as i32
}

fn ping() -> i32 {
    pong() + 1
}

fn pong() -> i32 {
    ping() + 1
}

fn sum() -> i32 {
    let mut sum = 0;
    for x in 0..4_000 {
        for y in 0..4_000 {
            sum += x * y;
        }
    }
    sum
}
