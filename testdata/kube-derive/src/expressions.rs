//! Defaults and examples that functions make of plain expressions.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU16;
use std::time::Duration;

use k8s_openapi::api::core::v1::ResourceRequirements;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use elsewhere::imported_text;

/// Made of expressions.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Ledger", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct LedgerSpec {
    #[serde(default = "newtype")]
    pub newtype: Weight,
    #[serde(default = "Weight::heavy")]
    pub own_newtype: Weight,
    #[serde(default = "nested_newtype")]
    pub nested_newtype: Load,
    #[serde(default = "duration")]
    pub duration: Duration,
    #[serde(default = "parts_of_a_second")]
    pub parts_of_a_second: Duration,
    #[serde(default = "boxed")]
    pub boxed: Box<str>,
    #[serde(default = "list")]
    pub list: Vec<String>,
    #[serde(default = "mapped")]
    pub mapped: Vec<String>,
    #[serde(default = "set")]
    pub set: BTreeSet<String>,
    #[serde(default = "labels")]
    pub labels: BTreeMap<String, String>,
    #[serde(default = "collected")]
    pub collected: BTreeMap<String, i32>,
    #[serde(default = "inserted")]
    pub inserted: BTreeMap<String, String>,
    #[serde(default = "nested")]
    pub nested: Page,
    #[serde(default = "Page::short")]
    pub by_variables: Page,
    #[serde(default = "Page::of_constants")]
    pub by_constants: Page,
    #[serde(default = "with_arguments")]
    pub with_arguments: Page,
    #[serde(default = "held")]
    pub held: Cover,
    #[serde(default = "held_fields")]
    pub held_fields: Cover,
    #[serde(default = "imported_text")]
    pub imported: String,
    #[serde(default = "elsewhere::formatted")]
    pub formatted: String,
    #[serde(default = "port")]
    pub port: IntOrString,
    #[serde(default = "named_port")]
    pub named_port: IntOrString,
    #[serde(default = "not_zero")]
    pub not_zero: NonZeroU16,
    #[serde(default = "largest")]
    pub largest: u16,
    #[serde(default = "product")]
    pub product: i64,
    #[serde(default = "resources")]
    pub resources: ResourceRequirements,
    #[serde(default = "optional")]
    pub optional: Option<Weight>,
    #[serde(default = "returned")]
    pub returned: bool,
    #[serde(default = "of_parts")]
    pub of_parts: String,
    #[serde(default)]
    pub derived_newtype: Weight,
    #[schemars(example = 7)]
    pub with_number: i32,
    #[schemars(example = &"some text")]
    pub with_text: String,
    #[schemars(example = Page::short(), example = Page::of_constants())]
    pub with_value: Page,
    pub with_type: Sample,
    pub words: Vec<Word>,
    /// No `Option` for schemars, which asks the type that the function is.
    #[schemars(schema_with = "any_text")]
    pub stated_by_function: Option<String>,
    #[schemars(with = "String")]
    pub stated_by_type: Option<Duration>,
    #[schemars(with = "Option<String>")]
    pub stated_by_option: Option<Duration>,
}

/// No text for the derive, which sees a `String`.
pub type Word = String;

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Weight(pub u32);

impl Weight {
    const UNIT: u32 = 10;

    fn heavy() -> Self {
        Self(100 * Self::UNIT)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Load(Weight);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    pub line_count: i32,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub weight: Weight,
}

impl Page {
    const TITLE: &'static str = "constant";

    fn short() -> Self {
        let title = String::from("short");
        let line_count = 2;
        Page {
            line_count,
            title,
            ..Default::default()
        }
    }

    fn of_constants() -> Self {
        Self {
            title: Self::TITLE.to_string(),
            note: Some(elsewhere::NOTE.to_owned()),
            ..Self::short()
        }
    }

    fn titled(title: &str, line_count: i32) -> Self {
        Self {
            title: title.to_string(),
            line_count: line_count + 1,
            ..Default::default()
        }
    }
}

impl Default for Page {
    fn default() -> Self {
        Self {
            line_count: 40,
            title: String::new(),
            note: None,
            weight: Weight(1),
        }
    }
}

/// What is around it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Cover {
    Paper(Weight),
    #[serde(rename_all = "camelCase")]
    HardBoard {
        main_colour: String,
        depth: i32,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(example = Sample { amount: 3 })]
pub struct Sample {
    pub amount: i32,
}

mod elsewhere {
    pub const NOTE: &str = "noted";
    const REGISTRY: &str = "example.com";

    pub fn imported_text() -> String {
        "imported".into()
    }

    pub fn formatted() -> String {
        let name = "pots";
        format!("{REGISTRY}/{name}:{}", 3)
    }
}

fn newtype() -> Weight {
    Weight(5)
}

fn nested_newtype() -> Load {
    Load(Weight(6))
}

fn duration() -> Duration {
    Duration::from_secs(60 * 5)
}

fn parts_of_a_second() -> Duration {
    std::time::Duration::from_millis(1_500)
}

fn boxed() -> Box<str> {
    "boxed".into()
}

fn list() -> Vec<String> {
    vec!["one".to_string(), String::from("two"), "three".into()]
}

fn mapped() -> Vec<String> {
    ["one", "two"].iter().map(|name| name.to_string()).collect()
}

fn set() -> BTreeSet<String> {
    BTreeSet::from(["only".to_owned()])
}

fn labels() -> BTreeMap<String, String> {
    BTreeMap::from([("app".to_string(), "pots".to_string())])
}

fn collected() -> BTreeMap<String, i32> {
    vec![("one".to_string(), 1), ("two".to_string(), 2)]
        .into_iter()
        .collect()
}

fn inserted() -> BTreeMap<String, String> {
    let mut map = BTreeMap::new();
    map.insert("key".to_string(), "value".to_string());
    map
}

fn nested() -> Page {
    Page {
        weight: Weight(9),
        ..Page::default()
    }
}

fn with_arguments() -> Page {
    Page::titled("given", 6)
}

fn held() -> Cover {
    Cover::Paper(Weight(2))
}

fn held_fields() -> Cover {
    Cover::HardBoard {
        main_colour: "blue".to_string(),
        depth: 4,
    }
}

fn port() -> IntOrString {
    IntOrString::Int(8080)
}

fn named_port() -> IntOrString {
    IntOrString::String("http".to_string())
}

fn not_zero() -> NonZeroU16 {
    NonZeroU16::new(3).expect("three is not zero")
}

fn largest() -> u16 {
    u16::MAX
}

fn product() -> i64 {
    const DAY: i64 = 24 * 60 * 60;
    7 * DAY
}

fn resources() -> ResourceRequirements {
    let limits = BTreeMap::from([
        ("cpu".to_owned(), Quantity("2".to_string())),
        ("memory".to_owned(), Quantity("2Gi".to_string())),
    ]);
    ResourceRequirements {
        limits: Some(limits),
        ..ResourceRequirements::default()
    }
}

fn optional() -> Option<Weight> {
    Some(Weight(8))
}

#[allow(clippy::needless_return, reason = "people write it")]
fn returned() -> bool {
    return true;
}

fn of_parts() -> String {
    let page = Page::of_constants();
    let note = page.note.expect("there is one");
    format!("{}/{note}:{}", page.line_count, page.weight.0)
}

fn any_text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string" })
}
