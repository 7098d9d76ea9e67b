//! Random types with random values. The build script writes the types; the tests compare them with the schemas that kgen
//! makes of them.

mod kubernetes;
pub mod random;

use random::Random;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A random kind.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name of its module; the kind has the same name in upper case.
    pub name: &'static str,
    /// The text of its module.
    pub source: &'static str,
    /// Writes a random spec as JSON.
    pub write: fn(&mut fastrand::Rng) -> Result<Value, String>,
    /// Reads a spec from JSON, and writes it again.
    pub read: fn(&Value) -> Result<Result<Value, String>, String>,
}

fn write<T: Random + Serialize>(rng: &mut fastrand::Rng) -> Result<Value, String> {
    rewrite(&T::random(rng))
}

/// Writes to text, as clients do; the errors of `serde_json::to_value` are others.
fn rewrite<T: Serialize>(value: &T) -> Result<Value, String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| format!("{error} in {text}"))
}

fn read<T: DeserializeOwned + Serialize>(value: &Value) -> Result<Result<Value, String>, String> {
    let text = value.to_string();
    let read: T = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    Ok(rewrite(&read))
}

/// The generated types.
#[allow(missing_docs, dead_code, clippy::all)]
pub mod kinds {
    use fastrand::Rng;

    use super::random::Random;
    use super::{Kind, read, write};

    include!(concat!(env!("OUT_DIR"), "/kinds/all.rs"));
}
