//! Not among the paths: it is read while the function that names it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a brick is made of.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Clay {
    pub colour: String,
}
