//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// Never read, so it always has its default.
    #[serde(skip_deserializing)]
    pub state: State,
    /// Read as `Unset` if it is absent.
    #[serde(default)]
    pub mode: Mode,
    #[serde(default = "no_shelf")]
    pub shelf: Shelf,
    #[serde(default)]
    pub doors: Option<Vec<Mode>>,
    /// Not written while it has its default.
    #[serde(default, skip_serializing_if = "Mode::is_unset")]
    pub fine: Mode,
    /// Not written at all.
    #[serde(skip)]
    pub hidden: Mode,
    /// The API server fills in a default that can be written.
    // +kubebuilder:default=Hot
    #[serde(default)]
    pub filled: Mode,
}

fn no_shelf() -> Shelf {
    Shelf {
        trays: vec![Default::default()],
        note: String::new(),
    }
}

/// A shelf with a mode for each tray.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Shelf {
    pub trays: Vec<Mode>,
    pub note: String,
}

/// A mode. `Unset` is only a value of the program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub enum Mode {
    #[default]
    #[serde(skip)]
    Unset,
    Hot,
    Cold,
}

impl Mode {
    fn is_unset(&self) -> bool {
        matches!(self, Self::Unset)
    }
}

/// A state that is written only.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub enum State {
    #[default]
    #[serde(skip_serializing)]
    Unknown,
    Ready,
}
