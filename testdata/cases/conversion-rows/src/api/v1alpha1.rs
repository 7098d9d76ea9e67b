//! +groupName=example.com
//! The first version.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use super::shared::Reference;

/// A gadget.
#[derive(Clone, Debug, PartialEq)]
pub struct Gadget {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// The wish of the user.
    pub spec: GadgetSpec,
    /// The state.
    pub status: Option<GadgetStatus>,
}

/// The wish of the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GadgetSpec {
    /// The same in all versions.
    pub reference: Reference,
    /// A narrow number that becomes wider.
    pub narrow: i32,
    /// A wide number that becomes narrower.
    pub wide: Option<i64>,
    /// Optional, later required.
    pub optional: Option<String>,
    /// Required, later optional.
    pub required: String,
    /// Text that becomes a number.
    pub amount: String,
    /// Seconds that become milliseconds.
    pub timeout: i64,
    /// Gone without a default.
    pub gone: String,
    /// The first half of a name.
    pub first: String,
    /// The second half of a name.
    pub second: Option<String>,
    /// The names of the next version, exchanged.
    pub left: String,
    /// The names of the next version, exchanged.
    pub right: String,
    /// Lists of lists.
    pub routes: BTreeMap<String, Vec<Route>>,
    /// Numbers in a list.
    pub levels: Vec<i32>,
    /// Texts that become numbers.
    pub sizes: Vec<String>,
    /// A list that becomes a map.
    pub labels: Vec<String>,
    /// A struct that is dissolved.
    pub tls: Option<Tls>,
    /// Unit variants.
    pub color: Color,
    /// Keys that are variants.
    pub shades: BTreeMap<Color, i32>,
    /// External tags.
    pub source: Source,
    /// Internal tags.
    pub action: Action,
    /// Adjacent tags.
    pub check: Check,
    /// No tags.
    pub target: Target,
    /// Flattened fields.
    #[serde(flatten)]
    pub limits: Limits,
    /// In a box.
    pub nested: Box<Nested>,
}

/// A route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The host.
    pub host: String,
}

/// Encryption.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tls {
    /// The name of a secret.
    pub secret: String,
}

/// A color.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize)]
pub enum Color {
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Green.
    Green,
}

/// A source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Source {
    /// A folder.
    Folder {
        /// The path.
        path: String,
    },
    /// A number.
    Number(String),
}

/// An action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Action {
    /// Starts.
    Start {
        /// The delay.
        delay: i32,
    },
    /// Stops.
    Stop,
}

/// A check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value")]
pub enum Check {
    /// By HTTP.
    Http(Probe),
    /// Never.
    Never,
}

/// A probe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// The address.
    pub address: String,
}

/// A target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Target {
    /// By name.
    Name {
        /// The name.
        name: String,
    },
    /// By address.
    Address {
        /// The address.
        address: String,
    },
}

/// Limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The smallest.
    pub lowest: i32,
}

/// A nested struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nested {
    /// A value.
    pub old: String,
}

/// The state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GadgetStatus {
    /// Whether it runs.
    pub running: bool,
}
