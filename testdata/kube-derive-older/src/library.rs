//! Types of the standard library, shapes of enums, and forms of texts, defaults and checks that the derive of schemars
//! accepts.

use std::collections::*;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const MIN: u32 = 2;
pub mod re {
    pub static NAME: &str = "^n";
}

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Harbor", namespaced)]
#[kube(
    category = "all",
    shortname = "px",
    selectable = ".spec.name",
    scale = r#"{"specReplicasPath":".spec.a","statusReplicasPath":".status.a"}"#
)]
#[kube(status = "Status")]
#[serde(rename_all = "camelCase")]
pub struct HarborSpec {
    pub a: i32,
    #[validate(length(min = 1, max = "MIN"))]
    pub name: String,
    #[validate(range(min = 1.5, max = 8))]
    pub fl: Option<f64>,
    #[validate(regex = "re::NAME")]
    pub re: String,
    #[validate(regex(path = "re::NAME"))]
    pub re2: Option<String>,
    #[validate(contains = "x.y")]
    pub con: String,
    #[validate(email, required)]
    pub em: Option<String>,
    #[validate(url)]
    pub ur: Option<String>,
    #[validate(phone)]
    pub ph: Option<String>,
    #[schemars(length(equal = 2), regex(pattern = "^[a-z]$"))]
    pub tw: Vec<String>,
    #[schemars(title = "T", description = "D")]
    pub ti: Option<E>,
    #[schemars(with = "Option<String>")]
    pub wi: u8,
    #[schemars(with = "String")]
    pub wj: Option<u8>,
    #[schemars(default)]
    pub df: u8,
    #[schemars(example = "ex")]
    pub ex: E,
    #[schemars(range(min = 3), inner(range(max = 4)))]
    pub rg: Vec<u8>,
    #[schemars(inner(length(min = 1), regex(pattern = "^x")))]
    pub il: Vec<String>,
    pub ip: std::net::IpAddr,
    pub ip4: Option<std::net::Ipv4Addr>,
    pub sock: Option<std::net::SocketAddr>,
    pub dur: std::time::Duration,
    pub path: Option<std::path::PathBuf>,
    pub ch: char,
    pub nz: std::num::NonZeroU8,
    pub onz: Option<std::num::NonZeroU64>,
    pub arr: [String; 2],
    pub set: BTreeSet<E2>,
    pub hm: HashMap<String, Vec<E2>>,
    pub im: BTreeMap<i32, String>,
    pub em2: BTreeMap<E2, u8>,
    pub bx: Box<Option<Rec>>,
    pub ob: Option<Box<Rec>>,
    pub nested: Option<Option<String>>,
    pub fnew: New,
    pub ofnew: Option<New>,
    pub tnew: TNew,
    pub otnew: Option<TNew>,
    pub vnew: Vec<TNew>,
    #[serde(flatten)]
    pub base: Base,
    #[serde(flatten)]
    pub obase: Option<OBase>,
    #[serde(default)]
    pub dd: Defaulted,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sk: Option<i32>,
    #[serde(default = "map")]
    pub mp: BTreeMap<String, u8>,
    #[serde(default)]
    pub en: E,
    #[serde(default)]
    pub boo: bool,
    #[serde(default)]
    pub st: String,
    #[serde(default)]
    pub vv: Vec<u8>,
    #[deprecated(note = "x")]
    pub dep: Option<u8>,
    pub i64x: i64,
    pub u64x: u64,
    pub i16x: i16,
    pub u32x: u32,
    pub usz: usize,
    pub isz: isize,
    #[schemars(range(min = 0, max = 100))]
    pub oi: Option<i16>,
    pub gen: Gen<E2, u8>,
    pub int: Int,
    pub adj: Option<UntN>,
}
fn map() -> BTreeMap<String, u8> {
    BTreeMap::from([("a".to_string(), 1)])
}
fn ex() -> E {
    E::B
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    pub a: i32,
    pub e: Option<E>,
    #[serde(default)]
    pub l: Vec<E2>,
}
/// E doc
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub enum E {
    /// a doc
    #[default]
    A,
    B,
    #[serde(rename = "c-c")]
    C,
}
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum E2 {
    One,
    Two,
}
/// Rec doc
/// more
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Rec {
    /// x
    ///
    /// y
    pub r: Option<u8>,
}
/// New doc
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct New(#[schemars(range(min = 1))] pub u8);
/// TNew doc
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TNew {
    /// inner doc
    #[schemars(length(max = 4))]
    pub inner: String,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Base {
    pub base_a: u8,
    pub base_b: Option<u8>,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OBase {
    pub ob_a: u8,
    pub ob_b: Option<E>,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct Defaulted {
    pub some_num: u16,
    pub e: E,
    pub o: Option<Rec>,
    pub l: Vec<String>,
    pub f: f64,
}
impl Default for Defaulted {
    fn default() -> Self {
        Self {
            some_num: 80,
            e: E::C,
            o: None,
            l: vec!["x".into()],
            f: 0.5,
        }
    }
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Gen<T, U> {
    pub t: T,
    pub u: Option<U>,
    pub m: BTreeMap<String, T>,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Int {
    /// unit struct-like
    Empty {},
    /// b
    Full {
        /// x doc
        x: u8,
        y: Option<E>,
    },
    Tup(Rec),
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum UntN {
    R(Rec),
    X { x: u8 },
}
