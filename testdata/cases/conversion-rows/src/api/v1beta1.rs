//! +groupName=example.com
//! The second version.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use super::shared::Reference;

/// A gadget.
// +kgen:conversion:webhook
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
// +kgen:conversion:dropped=gone
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GadgetSpec {
    /// The same in all versions.
    pub reference: Reference,
    /// A narrow number that becomes wider.
    pub narrow: i64,
    /// A wide number that becomes narrower.
    pub wide: i32,
    /// Optional, later required.
    pub optional: String,
    /// Required, later optional.
    pub required: Option<String>,
    /// Text that becomes a number.
    pub amount: i64,
    /// Seconds that become milliseconds.
    // +kgen:conversion:custom
    pub timeout: i64,
    /// New without a default.
    pub fresh: String,
    /// Both halves of a name.
    // +kgen:conversion:from=first;second
    pub name: String,
    /// The names of the next version, exchanged.
    // +kgen:conversion:from=right
    pub left: String,
    /// The names of the next version, exchanged.
    // +kgen:conversion:from=left
    pub right: String,
    /// Lists of lists.
    pub routes: BTreeMap<String, Vec<Route>>,
    /// Numbers in a list.
    pub levels: Vec<i64>,
    /// Texts that become numbers.
    pub sizes: Vec<i64>,
    /// A list that becomes a map.
    pub labels: BTreeMap<String, String>,
    /// The name of a secret.
    // +kgen:conversion:from=.spec.tls.secret
    pub tls_secret: Option<String>,
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
    // +kgen:conversion:from=host
    pub hostname: String,
}

/// A color.
// +kgen:conversion:droppedVariant:name=Blue,as=Red
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize)]
pub enum Color {
    /// Red.
    Red,
    /// Dark green.
    // +kgen:conversion:from=Green
    Forest,
    /// Yellow.
    // +kgen:conversion:as=Red
    Yellow,
}

/// A source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Source {
    /// A folder.
    Folder {
        /// The path.
        // +kgen:conversion:from=path
        folder: String,
    },
    /// A number.
    Number(i64),
    /// A bucket.
    // +kgen:conversion:as=Folder
    Bucket(String),
}

/// An action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Action {
    /// Starts.
    Start {
        /// The delay.
        // +kgen:conversion:from=delay
        seconds: i32,
    },
    /// Stops.
    // +kgen:conversion:from=Stop
    Halt,
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
    // +kgen:conversion:from=address
    pub url: String,
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
        // +kgen:conversion:from=address
        url: String,
    },
}

/// Limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The smallest.
    // +kgen:conversion:from=lowest
    pub minimum: i32,
}

/// A nested struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nested {
    /// A value.
    // +kgen:conversion:from=old
    pub new: String,
}

/// The state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GadgetStatus {
    /// Whether it runs.
    pub running: bool,
}
