//! Types of the standard library, shapes of enums, and forms of texts, defaults and checks that the derive of schemars
//! accepts. They are compared with `compat=kube-derive` only.

use std::borrow::Cow;
use std::collections::*;
use std::num::{NonZero, NonZeroU16, Wrapping};

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Vessel", namespaced)]
#[schemars(extend("x-kubernetes-validations" = [{"rule": "self.a > 0", "message": "m"}]))]
pub struct VesselSpec {
    #[schemars(with = "i64")]
    pub a: i32,
    pub deque: VecDeque<u8>,
    pub linked: LinkedList<String>,
    pub heap: Vec<char>,
    pub wrapping: Wrapping<u16>,
    pub nz: NonZero<u32>,
    pub nz16: Option<NonZeroU16>,
    pub cow: Cow<'static, str>,
    pub boxed: Box<str>,
    pub arr: [u8; 3],
    pub path: std::path::PathBuf,
    pub dur: Option<std::time::Duration>,
    pub range: std::ops::Range<u8>,
    pub incl: Option<std::ops::RangeInclusive<i32>>,
    pub set: HashSet<String>,
    pub bset: BTreeSet<u8>,
    pub opt_box: Option<Box<Vec<Option<String>>>>,
    pub bytes: Box<[u8]>,
    pub nested: BTreeMap<String, BTreeMap<String, Option<u8>>>,
    #[schemars(extend("enum" = ["a", "b"], "const" = "z"))]
    pub ext: String,
    #[schemars(extend("minLength" = 3, "maximum" = 5, "pattern" = "^x"))]
    pub ext2: String,
    #[schemars(title = "T", description = "D")]
    /// Doc
    pub titled: Option<Inner>,
    /// Only field doc
    pub inner: Inner,
    #[serde(flatten)]
    pub flat: Option<Flat>,
    #[serde(rename(serialize = "ser", deserialize = "de"))]
    pub renamed: u8,
    #[serde(alias = "other")]
    pub aliased: u8,
    #[serde(skip)]
    pub skipped: u8,
    #[schemars(skip)]
    pub sskipped: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vdef: Vec<Inner>,
    #[schemars(rename = "reName")]
    pub sren: u8,
    #[schemars(required)]
    pub req: Option<String>,
    #[schemars(range(min = 1), inner(range(min = 1)))]
    pub rng: Option<u8>,
    #[schemars(length(min = 1), inner(length(max = 3)))]
    pub names: Option<Vec<String>>,
    #[schemars(regex(pattern = r"^\d+$"))]
    pub re: Option<String>,
    #[schemars(email)]
    #[schemars(length(max = 9))]
    pub em: Option<String>,
    #[schemars(url)]
    pub url: String,
    #[validate(length(equal = 3), nested)]
    #[garde(length(graphemes, min = 2), skip)]
    pub v: String,
    #[garde(inner(length(min = 1), pattern("^b")))]
    pub gi: Vec<String>,
    #[garde(length(bytes, max = 7))]
    pub gb: String,
    #[validate(custom(function = "x"), must_match(other = "a"))]
    pub cust: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "SCREAMING-KEBAB-CASE")]
pub struct Inner {
    pub a_b: u8,
    pub c: Option<String>,
    pub d: f32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Flat {
    pub flat_one: u8,
    pub flat_two: Option<u8>,
}

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Plate",
    status = "PlateStatus"
)]
#[kube(shortname = "x")]
#[serde(deny_unknown_fields)]
pub struct PlateSpec {
    pub u: Unit,
    pub ou: Option<Unit>,
    pub t: TupleNew,
    pub e: Ext,
    pub oe: Option<Ext>,
    pub g: Gen<u8>,
    pub g2: Gen<Option<String>>,
    pub lst: Vec<Ext>,
    pub m: BTreeMap<String, Unit>,
    pub unt: Unt,
    pub ount: Option<Unt>,
    pub vu: Vec<Option<Unit>>,
    pub al: Al,
    pub with: W,
    pub from: F,
    pub mixed: Option<Doc>,
    pub unit_struct_opt: Option<Empty>,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlateStatus {
    pub conditions: Vec<Unit>,
    #[serde(default)]
    pub n: i64,
}
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    #[default]
    One,
    #[serde(rename = "zwei")]
    Two,
    #[serde(skip)]
    Three,
    #[serde(alias = "x")]
    FourFive,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TupleNew(#[schemars(length(min = 1))] pub String);
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Ext {
    AOne(u8),
    BTwo {
        x_y: u8,
        z: Option<u8>,
    },
    #[serde(rename_all = "UPPERCASE")]
    CThree {
        q_r: u8,
    },
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Gen{T}")]
pub struct Gen<T> {
    pub value: T,
    pub list: Vec<T>,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Unt {
    A { a: u8 },
    B { b: u8, c: Option<String> },
}
type Al = Option<Vec<String>>;
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(with = "String")]
pub struct W {
    pub x: u8,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
pub struct F {
    pub x: u8,
}
impl From<String> for F {
    fn from(_: String) -> Self {
        F { x: 0 }
    }
}
impl From<F> for String {
    fn from(_: F) -> Self {
        String::new()
    }
}
/// Doc
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Doc {
    /// one
    One,
    Two,
    /// # three
    ///
    /// text
    #[schemars(description = "other")]
    Three,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Empty {}
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "HTTPGlaze",
    namespaced,
    doc = "Docs.\nMore."
)]
#[serde(rename_all = "camelCase")]
pub struct HTTPGlazeSpec {
    /// First line
    /// second line.
    ///
    /// - a list
    /// - of two
    ///
    /// ```text
    /// code
    ///   more
    /// ```
    pub listed: u8,
    /** Block
     * comment
     */
    pub block: Option<u64>,
    #[doc = "attribute"]
    pub attr: i8,
    ///    Indented
    pub indented: usize,
    /// # Title
    /// text
    pub titled_one: f64,
    /// Trailing backslash \
    /// next
    pub back: Option<f32>,
    pub value: serde_json::Value,
    pub ovalue: Option<serde_json::Value>,
    pub vvalue: Vec<serde_json::Value>,
    pub mvalue: BTreeMap<String, serde_json::Value>,
    pub jmap: serde_json::Map<String, serde_json::Value>,
    #[serde(default = "seven")]
    pub def: u8,
    #[serde(default)]
    pub dopt: Option<Inner>,
    #[serde(default)]
    pub dunit: Unit,
    #[serde(default = "dgen")]
    pub dgen: Vec<Inner>,
    #[schemars(example = seven())]
    pub ex: u8,
    #[schemars(schema_with = "sch")]
    pub sw: u8,
    #[schemars(schema_with = "sch2")]
    pub sw2: Option<u8>,
    pub int: Internal,
    pub oint: Option<Adj>,
    #[serde(flatten)]
    pub fl: FlatEnum,
    #[serde(skip_serializing)]
    pub ss: Option<u8>,
    #[serde(skip_deserializing, default)]
    pub sd: u8,
    pub tup: Option<TupleNew>,
    pub ur: Option<Unt>,
    pub om: Option<BTreeMap<String, Option<Ext>>>,
}
fn seven() -> u8 {
    7
}
fn dgen() -> Vec<Inner> {
    vec![Inner {
        a_b: 3,
        ..Default::default()
    }]
}
fn sch(g: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let _ = g;
    schemars::json_schema!({"type": "string", "pattern": "^a"})
}
fn sch2(g: &mut schemars::SchemaGenerator) -> schemars::Schema {
    g.subschema_for::<Option<Inner>>()
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Internal {
    /// doc a
    A {
        x: u8,
    },
    /// doc b
    B(Inner),
    C {},
}
/// Adj doc
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Adj {
    /// A
    A(u8),
    #[serde(rename = "bee")]
    B(Option<String>),
    V(Vec<Inner>),
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum FlatEnum {
    PodName(String),
    #[serde(rename_all = "camelCase")]
    SelectOr {
        match_it: String,
    },
}
