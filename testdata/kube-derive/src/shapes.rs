//! Every shape of serde.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Structs, options, lists and maps.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Studio",
    namespaced,
    status = "StudioStatus"
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StudioSpec {
    /// The address.
    ///
    /// In one line.
    pub postal_address: Address,
    pub plain_address: Address,
    /// Another one.
    pub second_address: Option<Address>,
    pub third_address: Option<Address>,
    pub list: Vec<Address>,
    pub optional_list: Option<Vec<String>>,
    pub list_of_options: Vec<Option<String>>,
    pub queue: VecDeque<i32>,
    pub set: BTreeSet<String>,
    pub hash_set: HashSet<i32>,
    pub fixed: [i32; 3],
    pub map: BTreeMap<String, String>,
    pub map_of_structs: HashMap<String, Address>,
    pub optional_map: Option<BTreeMap<String, i32>>,
    pub map_of_options: BTreeMap<String, Option<i32>>,
    pub boxed: Box<Address>,
    pub borrowed: Cow<'static, str>,
    #[serde(rename = "renamed-field")]
    pub renamed: String,
    pub r#type: String,
    #[serde(skip)]
    pub hidden: String,
    #[serde(skip_deserializing)]
    pub read_only: String,
    #[serde(skip_serializing)]
    pub write_only: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    #[serde(flatten)]
    pub flattened: Flattened,
    pub newtype: Name,
    pub transparent: Transparent,
    pub alias: Alias,
    pub generic: Pair<i32>,
    pub generic_default: Pair,
    pub optional_name: Option<Name>,
    pub twice: Option<Option<String>>,
    #[serde(default)]
    pub converted: Converted,
    #[deprecated]
    pub old: Option<String>,
}

/// An address.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Address {
    /// The street.
    pub street: String,
    pub city: Option<String>,
}

/// Among the fields of another.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
pub struct Flattened {
    pub first_one: String,
    pub second_one: Option<String>,
}

/// A name.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Name(pub String);

/// Seen through.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Transparent {
    pub inner: i64,
}

pub type Alias = BTreeMap<String, Name>;

/// Two of a kind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Pair<T = String> {
    pub left: T,
    pub right: Option<T>,
}

/// Written as text.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Converted(i32);

impl From<String> for Converted {
    fn from(text: String) -> Self {
        Self(text.parse().unwrap_or_default())
    }
}

impl From<Converted> for String {
    fn from(value: Converted) -> Self {
        value.0.to_string()
    }
}

/// What the studio does.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StudioStatus {
    #[serde(default)]
    pub open: bool,
}

/// Enums of all sorts.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Pot", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct PotSpec {
    pub colour: Colour,
    pub optional_colour: Option<Colour>,
    /// With a text of its own.
    pub documented_colour: Option<Colour>,
    pub documented: Documented,
    pub optional_documented: Option<Documented>,
    pub external: External,
    pub optional_external: Option<External>,
    pub untagged: Untagged,
    pub optional_untagged: Option<Untagged>,
    pub loose: Loose,
    pub port: Port,
    pub optional_port: Option<Port>,
    pub nothing: BTreeMap<String, Loose>,
    #[serde(flatten)]
    pub flattened: Flat,
    pub by_colour: BTreeMap<String, Colour>,
    pub colours: Vec<Colour>,
    #[serde(default)]
    pub handle: Handle,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    Red,
    DarkBlue,
    #[serde(rename = "none at all")]
    None,
    #[serde(skip)]
    Secret,
}

/// Each with a text.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Documented {
    /// The first.
    First,
    /// The second.
    Second,
}

/// Data in every variant.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum External {
    /// From clay.
    FromClay(Clay),
    Bought {
        shop_name: String,
        #[serde(default)]
        paid: bool,
    },
    /// How many.
    Count(i32),
}

/// What pots are made of.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Clay {
    pub grain: Option<i32>,
}

/// No tag at all.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Untagged {
    /// One way.
    Left { left: String },
    /// The other way.
    Right { right: i32, speed: Option<i32> },
}

/// Nothing is needed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Loose {
    One { one: Option<String> },
    Two { two: i32 },
}

/// A number or a name.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Port {
    Number(i32),
    Name(String),
}

/// Among the fields.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Flat {
    /// Thin.
    Thin(Clay),
    Thick {
        width: i32,
    },
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub enum Handle {
    #[default]
    Without,
    With,
}

/// Other keys among the fields.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Tool", namespaced)]
pub struct ToolSpec {
    pub name: String,
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
}

/// Values of any sort.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Chest", namespaced)]
pub struct ChestSpec {
    pub any: serde_json::Value,
    pub maybe: Option<serde_json::Value>,
    pub newtype: Anything,
    pub map: BTreeMap<String, serde_json::Value>,
    pub object: serde_json::Map<String, serde_json::Value>,
    pub list: Vec<serde_json::Value>,
}

/// Any value.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Anything(pub serde_json::Value);

/// A type parameter among the fields.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Workshop", namespaced)]
pub struct WorkshopSpec {
    pub bench: Group<Clay>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Group<T, R = Address> {
    #[serde(flatten)]
    pub config: T,
    pub role: R,
    pub groups: HashMap<String, Vec<T>>,
}
