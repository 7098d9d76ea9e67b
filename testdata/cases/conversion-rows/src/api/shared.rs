//! Types of all versions.

use serde::{Deserialize, Serialize};

/// A reference, which is never compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// The name.
    pub name: String,
}
