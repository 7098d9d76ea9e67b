use serde::{Deserialize, Serialize};

/// How hot it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heat {
    pub temperature: i32,
}
