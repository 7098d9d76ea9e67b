//! Corners of serde and schemars: unusual names, options behind aliases, structs and enums that are flattened into each other.

#![allow(
    non_snake_case,
    non_camel_case_types,
    reason = "serde renames such names in its own way"
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, LinkedList};

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const SIDES: usize = 3;

/// Names that are renamed in unusual ways.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Tag", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct TagSpec {
    pub r#type: String,
    pub r#match_all: bool,
    pub _hidden_name: String,
    pub trailing_: String,
    pub double__under: String,
    pub a1_b2: i32,
    pub x: i32,
    pub ipv4_CIDR: String,
    #[serde(rename = "$ref")]
    pub reference: String,
    #[serde(rename(serialize = "both", deserialize = "both"))]
    pub written_twice: String,
    pub nested: Kebab,
    pub choice: Screaming,
    pub fields: VariantFields,
    pub single: Single,
    pub tagged: Tagged,
    pub raw: Raw,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Kebab {
    pub r#in: String,
    pub one_two3_four: i32,
    pub _x: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Screaming {
    HTTPServer,
    Ipv4Only,
    A,
    X509Cert,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all(serialize = "snake_case", deserialize = "snake_case"))]
pub enum Raw {
    r#Type,
    Snake_Already,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", rename_all_fields = "kebab-case")]
pub enum VariantFields {
    #[serde(rename_all = "SCREAMING-KEBAB-CASE")]
    FirstOne {
        first_field: i32,
        #[serde(rename = "as_is")]
        other_field: i32,
    },
    #[serde(rename = "Renamed", alias = "old")]
    SecondOne {
        second_field: Option<i32>,
    },
    Empty {},
    Boxed(Box<Kebab>),
    List(Vec<Option<i32>>),
    Map(BTreeMap<String, Kebab>),
    Optional(Option<Kebab>),
    Maybe(Maybe<i32>),
}

/// Only one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Single {
    /// The one.
    Only {
        /// The field.
        field: i32,
    },
}

/// With a tag of its own.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub struct Tagged {
    pub value: i32,
}

pub type Maybe<T> = Option<T>;
pub type Text = Option<String>;

/// Options and other wrappers.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Wrapper", namespaced)]
pub struct WrapperSpec {
    pub alias: Maybe<String>,
    pub text: Text,
    pub core: core::option::Option<i32>,
    pub thrice: Option<Option<Option<i32>>>,
    pub boxed_inside: Option<Box<i32>>,
    pub slice: Box<[i32]>,
    pub cow_list: Cow<'static, [i32]>,
    pub linked: LinkedList<Option<i32>>,
    pub fixed_option: [Option<i32>; 2],
    pub fixed_constant: [i32; SIDES],
    pub fixed_expression: [i32; SIDES + 1],
    pub grid: [[i32; 2]; 2],
    pub set_of_structs: BTreeSet<Point>,
    pub set_of_options: BTreeSet<Option<i32>>,
    pub map_of_lists: BTreeMap<String, Vec<BTreeMap<String, Option<bool>>>>,
    pub option_of_map_of_options: Option<BTreeMap<String, Option<String>>>,
    pub newtype_option: NewtypeOption,
    pub optional_newtype_option: Option<NewtypeOption>,
    #[serde(default)]
    pub default_newtype_option: NewtypeOption,
    pub by_char: BTreeMap<char, i32>,
    pub cell: std::cell::Cell<i32>,
    pub reverse: std::cmp::Reverse<u8>,
    pub wrapping: std::num::Wrapping<i16>,
    pub socket: std::net::SocketAddr,
    pub optional_socket: Option<std::net::SocketAddrV4>,
    pub ip: Option<std::net::IpAddr>,
    pub duration: Option<std::time::Duration>,
    pub tuple_with_skip: TupleWithSkip,
    pub phantom: Marked<i32>,
    pub number: serde_json::Number,
    pub empty: Empty,
    pub unsized_text: Box<str>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Empty {}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct NewtypeOption(pub Option<String>);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TupleWithSkip(pub i32, #[serde(skip)] pub i32);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Marked<T> {
    pub value: T,
    #[serde(skip)]
    pub marker: std::marker::PhantomData<T>,
}

/// Flattened in unusual ways.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Pressed", namespaced)]
pub struct PressedSpec {
    #[serde(flatten)]
    pub boxed: Box<One>,
    #[serde(flatten)]
    pub optional: Option<Two>,
    #[serde(flatten)]
    pub untagged: Untagged,
    pub in_variant: InVariant,
    pub generic: Generic<Choice>,
    pub deep: Deep,
    pub value: WithValue,
    pub optional_map: WithOptionalMap,
    pub only_map: OnlyMap,
    pub alternatives: Alternatives,
    pub optional_alternatives: Option<Alternatives>,
    pub of_newtypes: OfNewtypes,
    pub optional_choice: OptionalChoice,
    pub optional_untagged: OptionalUntagged,
    pub closed_outer: ClosedOuter,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct One {
    /// The first.
    pub one: i32,
    #[serde(default)]
    pub with_default: i32,
}

/// The text of two.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Two {
    pub two: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Untagged {
    /// Left.
    Left {
        left: i32,
    },
    Right(Right),
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Right {
    pub right: i32,
    pub maybe: Option<i32>,
}

/// A choice.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum InVariant {
    /// With a struct inside.
    First {
        #[serde(flatten)]
        one: One,
        own: i32,
    },
    Second(Deep),
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Generic<T> {
    #[serde(flatten)]
    pub inner: T,
    pub beside: Option<T>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Choice {
    A(i32),
    B { b: i32 },
}

/// Deep inside.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Deep {
    #[serde(flatten)]
    pub middle: Middle,
    pub outer: i32,
}

/// In the middle.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Middle {
    #[serde(flatten)]
    pub choice: Choice,
    #[serde(flatten)]
    pub two: Two,
    pub middle: Option<i32>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WithValue {
    pub named: i32,
    #[serde(flatten)]
    pub rest: serde_json::Value,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WithOptionalMap {
    pub named: i32,
    #[serde(flatten)]
    pub rest: Option<BTreeMap<String, serde_json::Value>>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OnlyMap {
    #[serde(flatten)]
    pub rest: BTreeMap<String, i32>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Alternatives {
    One(One),
    Two(Two),
    Three {
        three: i32,
        /// The nested one.
        nested: Option<One>,
    },
}

/// All are newtypes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum OfNewtypes {
    /// One of them.
    One(One),
    Again(One),
    Text(String),
    /// Numbers.
    Numbers(Vec<i32>),
    #[serde(skip)]
    Hidden(Hidden),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Hidden;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OptionalChoice {
    pub beside: i32,
    #[serde(flatten)]
    pub choice: Option<Choice>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OptionalUntagged {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Untagged>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ClosedOuter {
    #[serde(flatten)]
    pub one: One,
    pub own: i32,
}
