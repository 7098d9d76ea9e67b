// Types that serde and kgen both read. The test compiles them and has kgen describe the same text.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::net::{Ipv4Addr, Ipv6Addr};

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Root {
    pub numbers: Numbers,
    pub texts: Texts,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<Lists>,
    pub maps: Maps,
    pub presence: Presence,
    #[serde(flatten)]
    pub flat: Flat,
    pub external: External,
    pub internal: Vec<Internal>,
    pub adjacent: Vec<Adjacent>,
    pub adjacent_always: AdjacentAlways,
    pub untagged: Vec<Untagged>,
    pub open: Open,
    pub generic: Generic<i8, Option<u16>>,
    pub defaulted: Defaulted,
    pub boxed: Box<Wrapped>,
    pub with_rest: WithRest,
    pub read_as: ReadAs,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Numbers {
    pub a: i8,
    pub b: i16,
    pub c: i32,
    pub d: i64,
    pub e: u8,
    pub f: u16,
    pub g: u32,
    pub h: u64,
    pub i: isize,
    pub j: usize,
    pub k: std::num::NonZeroU8,
    pub l: std::num::NonZero<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
pub struct Texts {
    pub plain_text: String,
    pub one_character: char,
    pub r#type: Wrapped,
    pub path_of_file: std::path::PathBuf,
    #[serde(rename = "fixed name")]
    pub renamed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Wrapped(pub String);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lists {
    pub list: Vec<u8>,
    pub queue: VecDeque<bool>,
    pub fixed: [i16; 3],
    pub set: BTreeSet<Colour>,
    pub set_of_text: BTreeSet<String>,
    pub nested: Vec<Vec<Option<i32>>>,
    pub shared: Box<[u8]>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Maps {
    pub plain: BTreeMap<String, i32>,
    pub by_wrapped: HashMap<String, Option<Colour>>,
    pub nested: BTreeMap<Wrapped, BTreeMap<String, Vec<u16>>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    #[default]
    DarkRed,
    #[serde(rename = "go slowly")]
    Yellow,
    Green2,
    #[serde(skip)]
    Invisible,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    pub needed: i32,
    pub maybe: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maybe_skipped: Option<String>,
    #[serde(default)]
    pub defaulted: Colour,
    #[serde(default = "seven")]
    pub by_function: u8,
    #[serde(skip)]
    pub hidden: u8,
    #[serde(skip_serializing, default)]
    pub write_only: Option<bool>,
    pub alias: Alias<u8>,
}

pub type Alias<T> = Option<T>;

fn seven() -> u8 {
    7
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flat {
    pub flat_number: i32,
    #[serde(flatten)]
    pub inner: Inner,
    #[serde(flatten)]
    pub maybe_inner: Option<MaybeInner>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inner {
    pub inner_text: String,
    pub inner_maybe: Option<u8>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MaybeInner {
    pub all_or_nothing: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "kebab-case")]
pub enum External {
    FirstCase { some_field: i32, other: Option<u8> },
    SecondCase(Wrapped),
    Other(BTreeMap<String, u8>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Internal {
    Nothing,
    Fields { shared: i32, own: String },
    Others { shared: i32, extra: Option<bool> },
    Struct(Inner),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
pub enum Adjacent {
    Nothing,
    One(u16),
    Two(u16),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
pub enum AdjacentAlways {
    One { value: u16 },
    Two { value: u16 },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Untagged {
    Narrow { first: i32, second: i32 },
    Wide { third: String },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Open {
    Known,
    #[serde(other)]
    Unknown,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Generic<T, U, V = u8> {
    pub t: T,
    pub u: U,
    pub v: Vec<V>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Defaulted {
    pub number: u32,
    pub text: String,
    pub colour: Colour,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WithRest {
    pub known: i32,
    pub v4: Ipv4Addr,
    pub v6: Ipv6Addr,
    #[serde(flatten)]
    pub rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Inner", into = "Inner")]
pub struct ReadAs {
    pub anything: (u8, u8),
    pub inner: Inner,
}

impl From<Inner> for ReadAs {
    fn from(inner: Inner) -> Self {
        Self {
            anything: (0, 0),
            inner,
        }
    }
}

impl From<ReadAs> for Inner {
    fn from(outer: ReadAs) -> Self {
        outer.inner
    }
}
