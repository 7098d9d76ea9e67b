//! Combinations: checks on wrapped types, texts in unusual places, specs of unusual shapes.

#![allow(
    clippy::tabs_in_doc_comments,
    clippy::type_complexity,
    reason = "this is what kube-derive is asked about"
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Checks on wrapped types.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Crate",
    namespaced,
    status = "State<Slot>"
)]
#[serde(rename_all = "camelCase")]
pub struct CrateSpec {
    #[schemars(length(min = 1))]
    pub boxed: Box<String>,
    #[schemars(length(max = 9), regex(pattern = "^a"))]
    pub borrowed: Cow<'static, str>,
    #[schemars(range(min = 2))]
    pub newtype: Number,
    #[schemars(range(max = 200))]
    pub optional_newtype: Option<Number>,
    #[schemars(length(min = 1, max = 2), inner(length(min = 3)))]
    pub list_of_options: Vec<Option<String>>,
    #[schemars(length(equal = 2))]
    pub set: BTreeSet<i32>,
    #[schemars(range(min = -1.5, max = 1e3))]
    pub float: f64,
    #[schemars(range(min = -5))]
    pub negative: Option<i8>,
    #[schemars(range(min = 1, max = 10))]
    pub byte: u8,
    #[validate(nested)]
    pub nested: Slot,
    #[garde(dive)]
    pub dived: Option<Slot>,
    #[schemars(url)]
    pub alias: Word,
    #[schemars(length(min = 1))]
    pub enumeration: Side,
    #[schemars(length(min = 1))]
    pub optional_enumeration: Option<Side>,
    #[schemars(title = "One side", extend("x-kubernetes-map-type" = "atomic"))]
    pub choice: Option<Choice>,
    pub choices: Vec<Option<Choice>>,
    pub by_name: BTreeMap<String, Option<Side>>,
    pub skipped_value: SkippedValue,
    pub numbers: Numbers,
    pub nullable_variant: NullableVariant,
    #[serde(default)]
    pub default_choice: DefaultChoice,
    #[serde(default)]
    pub optional_default: Option<DefaultChoice>,
    #[serde(default = "side")]
    pub optional_side: Option<Side>,
    #[serde(default)]
    pub outer: Outer,
    #[schemars(required, length(min = 2))]
    pub required: Option<Vec<Side>>,
    pub deep: Option<Vec<Option<BTreeMap<String, Vec<Side>>>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State<Number>>,
    pub tuple_like: Slot,
}

pub type Word = String;

fn side() -> Option<Side> {
    Some(Side::Right)
}

/// A number.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("multipleOf" = 2))]
pub struct Number(#[schemars(range(min = 1, max = 100))] pub i32);

/// ## A slot
/// With `code`, and a list:
///
/// - one
///   - two
///
/// ```
/// let x = 1;
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Slot {
    ///#no space
    ///text
    pub tight: i32,
    ///
    /// Begins with an empty line.
    ///
    pub late: i32,
    /// # Only a title
    pub titled: Option<i32>,
    /// Ends with spaces.   
    pub trailing: i32,
    #[doc = "  Indented attribute."]
    pub indented: i32,
    /// "Quoted" \ and 	tab.
    pub quoted: i32,
}

/// Left or right.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Side", extend("maxLength" = 9))]
pub enum Side {
    Left,
    #[serde(rename = "RIGHT")]
    Right,
}

/// One of several.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(extend("minProperties" = 1))]
pub enum Choice {
    /// With a slot.
    Slot(Option<Slot>),
    Side(Side),
    /// Fields.
    Fields {
        /// The first.
        #[schemars(length(max = 3))]
        first: Option<String>,
        #[serde(default = "seven")]
        second: i32,
    },
    Nothing {},
}

fn seven() -> i32 {
    7
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum SkippedValue {
    Kept(i32),
    Empty(#[serde(skip)] i32),
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum NullableVariant {
    Maybe(Option<Side>),
    Either(Option<Choice>),
    List(Vec<Option<i32>>),
}

/// Of several widths.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Numbers {
    One { one: u8, shared: String },
    Two { two: Option<u16>, shared: String },
    Three(Three),
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Three {
    /// The third one.
    pub third_one: Number,
    #[serde(default)]
    pub list: Vec<Number>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum DefaultChoice {
    Fields {
        #[serde(flatten)]
        inner: Inner,
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        list: Vec<i32>,
        #[serde(rename = "other")]
        renamed: Option<i32>,
    },
    Number(Number),
}

impl Default for DefaultChoice {
    fn default() -> Self {
        Self::Fields {
            inner: Inner { own: 3 },
            list: Vec::new(),
            renamed: None,
        }
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Inner {
    pub own: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "SCREAMING_SNAKE_CASE")]
pub struct Outer {
    pub inner: Inner,
    pub map: BTreeMap<String, Vec<i32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none: Option<Inner>,
    pub seen: Seen,
}

impl Default for Outer {
    fn default() -> Self {
        let mut map = BTreeMap::new();
        map.insert("a".to_owned(), vec![1, 2]);
        map.insert("b".to_owned(), vec![3]);
        Self {
            inner: Inner::default(),
            map,
            none: None,
            seen: Seen {
                value: 5,
                marker: std::marker::PhantomData,
            },
        }
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seen {
    pub value: i32,
    pub marker: std::marker::PhantomData<i32>,
}

/// A state of something.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct State<T> {
    /// What it is the state of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<T>,
    #[serde(default)]
    pub all: Vec<T>,
}

/// The spec is a struct inside.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Shell", namespaced)]
pub struct ShellSpec(pub Slot);

/// Nothing in it.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Void")]
pub struct VoidSpec {}

/// Any of two.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Fork")]
#[serde(untagged)]
pub enum ForkSpec {
    Left { left: i32 },
    Right { right: Option<i32> },
}
