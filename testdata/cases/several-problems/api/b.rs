use serde::{Deserialize, Serialize};

/// Used twice, told once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Shared {
    pub pair: (i32, i32),
    pub missing: Nowhere,
}
