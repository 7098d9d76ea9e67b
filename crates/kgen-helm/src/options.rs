//! The input of the generator besides the manifests.

use std::collections::BTreeMap;

use serde_json::Value;

/// The name and contents of the chart, and the files that are already in its folder.
#[derive(Clone, Debug, Default)]
pub struct HelmOptions {
    /// The name of the chart.
    pub name: String,
    /// The version of the chart.
    pub version: String,
    /// The version of the operator, if the user gives it.
    pub app_version: Option<String>,
    /// One line about the operator.
    pub description: String,
    /// The address of its source.
    pub repository: String,
    /// Its keywords.
    pub keywords: Vec<String>,
    /// Its authors, as in `Cargo.toml`.
    pub authors: Vec<String>,
    /// The name of the folder of the chart.
    pub folder: String,
    /// Whether and how the chart has CRDs.
    pub crds: Crds,
    /// More values, with their defaults.
    pub extra_values: Option<Value>,
    /// The files of the chart that exist, by their paths in it.
    pub existing: BTreeMap<String, String>,
    /// Whether templates that were edited are replaced.
    pub force: bool,
}

/// Where the CRDs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crds {
    /// In the templates of the chart, so that Helm updates them.
    #[default]
    Templates,
    /// In a chart of their own, in the folder beside that of the chart.
    Chart,
    /// Nowhere.
    None,
}

impl Crds {
    /// The words for the option.
    pub const WORDS: &'static [&'static str] = &["templates", "chart", "none"];

    /// Returns the value for a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "templates" => Some(Self::Templates),
            "chart" => Some(Self::Chart),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}
