//! The expressions, and the items that they use.

use super::Case;

const fn value(rust_type: &'static str, code: &'static str, value: &'static str) -> Case {
    Case {
        rust_type,
        code,
        value: Some(value),
    }
}

const fn unknown(rust_type: &'static str, code: &'static str) -> Case {
    Case {
        rust_type,
        code,
        value: None,
    }
}

pub(crate) const CASES: &[Case] = &[
    // Variables that code elsewhere may change are not followed, and never silently left as they were.
    unknown("i64", "{ let mut x = Limit(4); x.raise(3); x.0 }"),
    unknown("i64", "{ let mut x = Limit(4); Limit::raise(&mut x, 3); x.0 }"),
    unknown(
        "i64",
        "{ let mut x = Limit(4); let y = &mut x; Limit::raise(y, 3); x.0 }",
    ),
    unknown("i64", "{ let mut x = Limit(4); let _ = x.raise(3); x.0 }"),
    value("i64", "{ let x = 4; let _ = x; x }", "4"),
    value(
        "i64",
        "{ let mut x = Some(4); if let None = &mut x { 1 } else { 2 } }",
        "2",
    ),
    unknown(
        "i64",
        "match [1, 2] { [_, rest @ ..] => rest.len() as i64, _ => 9 }",
    ),
    // Literals.
    value("i32", "4", "4"),
    value("i32", "-4", "-4"),
    value("u64", "0xff_u64", "255"),
    value("u64", "1_000", "1000"),
    value("bool", "true", "true"),
    value("bool", "!true", "false"),
    value("char", "'x'", r#""x""#),
    value("f64", "1.5", "1.5"),
    value("f64", "0.1 + 0.7", "0.7999999999999999"),
    value("f32", "0.1 + 0.7", "0.8"),
    value("f32", "0.1f32 + 0.7", "0.8"),
    value("f32", "0.123456789", "0.12345679"),
    value("f64", "0.1f32 as f64", "0.10000000149011612"),
    value("f32", "(1.0 / 3.0) as f32", "0.33333334"),
    value("bool", "0.1f32 + 0.2 == 0.3", "true"),
    value("bool", "0.1f64 + 0.2 == 0.3", "false"),
    value("String", r##"r#"a"b"#.to_string()"##, r#""a\"b""#),
    // Arithmetic, comparison and casts.
    value("i64", "7 * (2 + 3) - 40 / 4 % 6", "31"),
    value("u32", "1 << 4 | 1", "17"),
    value("u8", "300_i32 as u8", "44"),
    value("i8", "200_u8 as i8", "-56"),
    value("u32", "-1_i32 as u32", "4294967295"),
    value("i32", "2.9_f64 as i32", "2"),
    value("f64", "3 as f64 / 2.0", "1.5"),
    value("u32", "'a' as u32", "97"),
    value("i32", "Size::Large as i32", "5"),
    value("i64", "i64::from(u8::MAX) + 1", "256"),
    value("i64", "i64::MIN", "-9223372036854775808"),
    value("i32", "2_i32.pow(10).min(1_000)", "1000"),
    value("bool", "2 > 1 && \"a\" != \"b\"", "true"),
    unknown("u8", "200 + 100"),
    unknown("i32", "1 / 0"),
    unknown("u32", "!0"),
    // Texts.
    value("String", r#""x".to_uppercase()"#, r#""X""#),
    value("String", r#""X".to_lowercase()"#, r#""x""#),
    value("String", r#""  x ".trim().to_owned()"#, r#""x""#),
    value("String", r#"["a", "b"].join("-")"#, r#""a-b""#),
    value("String", r#"["a", "b"].concat()"#, r#""ab""#),
    value("&str", r#"concat!("a", 1, true, 'c', 1.50)"#, r#""a1truec1.50""#),
    value(
        "String",
        r#"format!("{}-{NAME}-{0}-{x}", 1.0, x = 'y')"#,
        r#""1-scale-1-y""#,
    ),
    value("String", r#"format!("{{{}}}", elsewhere::LIMIT)"#, r#""{40}""#),
    value(
        "String",
        r#"String::from("a") + "b" + &1.to_string()"#,
        r#""ab1""#,
    ),
    value(
        "String",
        r#""a,b".split(',').map(|part| part.repeat(2)).collect::<Vec<_>>().join("+")"#,
        r#""aa+bb""#,
    ),
    value("String", r#""a-b".replace("-", "_")"#, r#""a_b""#),
    value("String", r#"'c'.into()"#, r#""c""#),
    value("Box<str>", r#""boxed".into()"#, r#""boxed""#),
    unknown("String", r#"format!("{:>5}", 1)"#),
    unknown("String", r#"format!("{}", Size::Small)"#),
    unknown("String", "Size::Small.to_string()"),
    unknown("String", r#"std::env::var("NAME").unwrap()"#),
    unknown("String", r#"env!("CARGO_PKG_NAME").to_owned()"#),
    // Options and results.
    value("Option<i32>", "Some(4)", "4"),
    value("Option<i32>", "None", "null"),
    value("i32", "Some(4).unwrap_or_default()", "4"),
    value("i32", "None.unwrap_or_default()", "0"),
    value("i32", "None.unwrap_or(3)", "3"),
    value("i32", "None.unwrap_or_else(|| 2 + 3)", "5"),
    value("i32", "Some(2).map_or(0, |x| x * 2)", "4"),
    value("Option<String>", "Some(\"a\".into())", r#""a""#),
    value("i32", "\"12\".parse::<i32>().unwrap()", "12"),
    value("i32", "maybe(1).unwrap_or(9)", "2"),
    value("i32", "maybe(0).unwrap_or(9)", "9"),
    unknown("i32", "None::<i32>.unwrap()"),
    // Constants and functions.
    value("i32", "elsewhere::LIMIT", "40"),
    value("i32", "crate::elsewhere::deep::LIMIT", "41"),
    value("i32", "super::elsewhere::deep::relative()", "41"),
    value("i32", "handed_on::LIMIT + GLOBBED", "47"),
    value("i32", "renamed(1)", "41"),
    value("i32", "Limit::MOST", "99"),
    value("i32", "Limit::least()", "1"),
    value("i32", "Limit::twice(Limit::MOST)", "198"),
    value("i32", "add(1, add(2, 3))", "6"),
    value("i32", "early(3)", "-3"),
    value("String", "NAME.to_owned()", r#""scale""#),
    value("String", "Limit(3).named(\"l\")", r#""l3""#),
    value("i32", "Limit::far_away()", "12"),
    unknown("i32", "missing()"),
    unknown("i32", "elsewhere::MISSING"),
    unknown("i32", "other_crate::LIMIT"),
    // Conversions and types of the source.
    value("Limit", "Limit::from(4)", "8"),
    value("Limit", "4_i64.into()", "8"),
    value("Limit", "From::from(4)", "8"),
    value("Limit", "<Limit as From<i64>>::from(4)", "8"),
    value("Option<Limit>", "Some(4.into())", "8"),
    value("Vec<Limit>", "vec![1.into(), Limit(7)]", "[2, 7]"),
    value(
        "Vec<Limit>",
        "[1, 2].into_iter().map(Limit::from).collect()",
        "[2, 4]",
    ),
    value("Unit", "Unit::from(\"kg\")", r#"{"unitName": "KG", "grams": 1}"#),
    value("Unit", "Unit::from(3)", r#"{"unitName": "g", "grams": 3}"#),
    value("i64", "Unit::from(3).into()", "3"),
    value("Shift", "3.into()", "103"),
    unknown("Opaque", "Opaque::from(3)"),
    unknown("Coded", "Coded(3)"),
    value(
        "Unit",
        "Unit { grams: 2, ..Default::default() }",
        r#"{"unitName": "", "grams": 2}"#,
    ),
    value(
        "Unit",
        "Unit { name: \"a\".into(), grams: i64::default() }",
        r#"{"unitName": "a", "grams": 0}"#,
    ),
    value("i64", "Unit { name: String::new(), grams: 2 }.grams", "2"),
    value("Limit", "Default::default()", "0"),
    value("Limit", "Limit::default()", "0"),
    value("Size", "Size::Small", r#""small""#),
    value("Size", "Default::default()", r#""large""#),
    value(
        "Tagged",
        "Tagged::Held { inner_part: 1 }",
        r#"{"kind": "Held", "innerPart": 1}"#,
    ),
    value("Word", "Word::from(\"alias\")", r#""alias""#),
    // Lists, maps and JSON.
    value("Vec<i32>", "vec![1, 2]", "[1, 2]"),
    value("Vec<i32>", "vec![7; 3]", "[7, 7, 7]"),
    value("Vec<i32>", "(1..=3).filter(|x| x % 2 == 1).collect()", "[1, 3]"),
    value("[i32; 2]", "[1, 2]", "[1, 2]"),
    value(
        "BTreeSet<&str>",
        "BTreeSet::from([\"b\", \"a\", \"b\"])",
        r#"["a", "b"]"#,
    ),
    value(
        "BTreeMap<String, i32>",
        "BTreeMap::from([(\"a\".to_owned(), 1)])",
        r#"{"a": 1}"#,
    ),
    value(
        "BTreeMap<String, Limit>",
        "[(\"a\".to_owned(), 1.into())].into_iter().collect()",
        r#"{"a": 2}"#,
    ),
    value(
        "serde_json::Value",
        "json!({ \"a\": [1, null, Limit::from(2)], NAME: { \"b\": true } })",
        r#"{"a": [1, null, 4], "scale": {"b": true}}"#,
    ),
    value("serde_json::Value", "serde_json::Value::Null", "null"),
    // Blocks, conditions and variables.
    value("i32", "{ let x = 1; let x = x + 1; x * 10 }", "20"),
    value(
        "i32",
        "{ const X: i32 = twice(); fn twice() -> i32 { 2 * 3 } X }",
        "6",
    ),
    value("i32", "{ use elsewhere::LIMIT as NAME; NAME }", "40"),
    value("i32", "if elsewhere::LIMIT > 30 { 1 } else { 2 }", "1"),
    value(
        "&str",
        "match Size::Small { Size::Small => \"s\", _ => \"l\" }",
        r#""s""#,
    ),
    value("i32", "match 7 { 0 => 0, x if x > 5 => x * 2, _ => 1 }", "14"),
    value("i32", "if let Some(x) = Some(3) { x } else { 0 }", "3"),
    value(
        "i32",
        "{ let mut sum = 0; for x in [1, 2, 3] { sum += x; } sum }",
        "6",
    ),
    value(
        "Vec<String>",
        "{ let mut list = Vec::new(); list.push(\"a\".into()); list }",
        r#"["a"]"#,
    ),
    value(
        "Unit",
        "{ let mut unit = Unit::default(); unit.name = \"n\".into(); unit }",
        r#"{"unitName": "n", "grams": 0}"#,
    ),
    unknown("i32", "if cfg!(test) { 1 } else { 2 }"),
    unknown("i32", "{ let x = 1; loop { break x; } }"),
    unknown("i32", "unsafe { 1 }"),
];

/// The items around the expressions.
pub(crate) const ITEMS: &str = r#"
use std::collections::{BTreeMap, BTreeSet};

use kube::{CustomResource, KubeSchema};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::elsewhere::add as renamed_add;
use crate::elsewhere::plus as renamed;
use crate::handed_on::{self, *};
use crate::{elsewhere};

pub const NAME: &str = "scale";

pub type Word = String;

#[derive(Default, Serialize, Deserialize)]
pub struct Limit(pub i64);

impl Limit {
    pub fn raise(&mut self, by: i64) {
        self.0 += by;
    }

    const MOST: i32 = 99;

    fn least() -> i32 {
        1
    }

    fn twice(x: i32) -> i32 {
        x * 2
    }

    fn named(&self, prefix: &str) -> String {
        format!("{prefix}{}", self.0)
    }
}

impl From<i64> for Limit {
    fn from(x: i64) -> Self {
        Limit(x * 2)
    }
}

#[derive(Default, Serialize, Deserialize)]
pub struct Unit {
    #[serde(rename = "unitName")]
    name: String,
    grams: i64,
}

impl From<&str> for Unit {
    fn from(name: &str) -> Self {
        Self { name: name.to_uppercase(), grams: 1 }
    }
}

impl From<i64> for Unit {
    fn from(grams: i64) -> Self {
        Self { name: "g".to_owned(), grams }
    }
}

impl From<Unit> for i64 {
    fn from(unit: Unit) -> i64 {
        unit.grams
    }
}

#[derive(Serialize, Deserialize)]
pub struct Shift(i64);

#[derive(Serialize, Deserialize)]
pub struct Opaque(i64);

impl From<i64> for Opaque {
    fn from(x: i64) -> Self {
        Opaque(x + std::process::id() as i64)
    }
}

pub struct Coded(i64);

impl Serialize for Coded {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0 + 1)
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Size {
    Small,
    #[default]
    Large = 5,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all_fields = "camelCase")]
pub enum Tagged {
    Held { inner_part: i32 },
}

fn add(left: i32, right: i32) -> i32 {
    renamed_add(left, right)
}

fn early(x: i32) -> i32 {
    if x > 2 {
        return -x;
    }
    x
}

fn maybe(x: i32) -> Option<i32> {
    let x = positive(x)?;
    Some(x + 1)
}

fn positive(x: i32) -> Option<i32> {
    (x > 0).then(|| x)
}

"#;

/// The other modules.
pub(crate) const MODULES: &[(&str, &str)] = &[
    (
        "src/elsewhere.rs",
        "pub const LIMIT: i32 = 40;\n\npub mod deep {\n    pub const LIMIT: i32 = super::LIMIT + 1;\n\n    \
         pub fn relative() -> i32 {\n        self::LIMIT\n    }\n}\n\npub fn add(left: i32, right: i32) -> i32 {\n    \
         left + right\n}\n\npub fn plus(x: i32) -> i32 {\n    LIMIT + x\n}\n",
    ),
    (
        "src/handed_on.rs",
        "pub use crate::elsewhere::LIMIT;\n\npub const GLOBBED: i32 = 7;\n",
    ),
    (
        "src/impls.rs",
        "use crate::v1::{Limit, Shift};\n\nimpl Limit {\n    pub fn far_away() -> i32 {\n        Self::BASE * 3\n    }\n\n    \
         const BASE: i32 = 4;\n}\n\nimpl From<i64> for Shift {\n    fn from(x: i64) -> Self {\n        Shift(x + 100)\n    }\n}\n",
    ),
];
