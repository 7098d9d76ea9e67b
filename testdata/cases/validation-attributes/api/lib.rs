mod limits;

use std::sync::LazyLock;

use kube::CustomResource;
use once_cell::sync::Lazy;
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use limits::{LONGEST, SHORT as SHORTEST};

static LETTERS: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[a-z]+$").unwrap());
static DIGITS: Lazy<Regex> = Lazy::new(|| Regex::new(r"^\d+$").expect("a pattern"));
const PREFIX: &str = "^pot-";

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "kiln.example.org", version = "v1", kind = "Firing", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct FiringSpec {
    #[schemars(length(min = SHORTEST, max = LONGEST))]
    pub name: String,
    #[schemars(length(max = limits::LONGEST + 1))]
    pub title: String,
    #[schemars(length(equal = 2))]
    pub pair: Vec<String>,
    #[validate(range(min = -273, max = i16::MAX))]
    pub degrees: i32,
    #[validate(range(exclusive_min = 0, exclusive_max = LONGEST))]
    pub between: i32,
    #[garde(prefix("pot."))]
    pub prefixed: String,
    #[garde(suffix(".pot"))]
    pub suffixed: String,
    #[garde(ascii)]
    pub plain: String,
    #[garde(range(min = 0.5, max = 2.5))]
    pub factor: f64,
    #[schemars(regex(pattern = *LETTERS))]
    pub letters: String,
    #[validate(regex(path = *DIGITS))]
    pub digits: String,
    #[schemars(regex(pattern = concat!("^pot-", "[0-9]+$")))]
    pub pot: String,
    #[garde(pattern("^g"))]
    pub glaze: String,
    #[garde(pattern(PREFIX))]
    pub shelf: String,
    #[schemars(email)]
    pub mail: Option<String>,
    #[validate(url)]
    pub site: Option<String>,
    #[schemars(contains(pattern = "a.b"))]
    pub label: String,
    #[schemars(inner(length(min = 1), regex(pattern = "^x")))]
    pub marks: Vec<String>,
    #[schemars(inner(inner(range(max = 9))))]
    pub grid: Vec<Vec<i32>>,
    #[schemars(required)]
    pub wanted: Option<String>,
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    pub parts: Vec<Part>,
    #[schemars(extend("default" = { "name": "lid" }))]
    pub spare: Part,
    /// A marker goes before all of them.
    // +kubebuilder:validation:MaxLength=5
    #[schemars(length(min = 1, max = 9))]
    pub overruled: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-kubernetes-preserve-unknown-fields" = true), title = "A part")]
pub struct Part {
    pub name: String,
}
