// Imported by kgen from berths.port.example.com and 1 more.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Side {
    #[serde(rename = "port")]
    Port,
    #[serde(rename = "starboard")]
    Starboard,
}
