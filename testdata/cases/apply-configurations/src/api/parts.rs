//! Parts that several versions share, in a module that nobody sees.

use serde::{Deserialize, Serialize};

/// A port.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Port {
    /// Which.
    pub container_port: u16,
    /// How.
    pub protocol: Option<Protocol>,
}

/// A protocol.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Protocol {
    /// With a connection.
    Tcp,
    /// Without one.
    Udp,
}
