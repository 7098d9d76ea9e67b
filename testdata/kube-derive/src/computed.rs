//! Schemas and defaults that code makes in ways that few people choose.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use kube::CustomResource;
use schemars::generate::SchemaGenerator as Generator;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Schemas that code makes in unusual ways.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Form", namespaced)]
pub struct FormSpec {
    #[schemars(schema_with = "by_insert")]
    pub by_insert: String,
    #[schemars(schema_with = "by_subschema")]
    pub by_subschema: BTreeMap<String, Leaf>,
    #[schemars(schema_with = "by_default")]
    pub by_default: String,
    #[schemars(schema_with = "names")]
    pub by_names: String,
    #[schemars(schema_with = "by_loop")]
    pub by_loop: String,
    #[schemars(schema_with = "by_map")]
    pub by_map: String,
    #[schemars(schema_with = "Leaf::schema")]
    pub by_method: Leaf,
    #[schemars(schema_with = "by_match")]
    pub by_match: String,
    #[schemars(schema_with = "by_ensure")]
    pub by_ensure: String,
    #[schemars(schema_with = "any")]
    pub any: serde_json::Value,
    #[schemars(schema_with = "nullable")]
    pub nullable: Option<String>,
    #[schemars(schema_with = "int_or_string")]
    pub int_or_string: String,
    pub level: Level,
    pub optional_level: Option<Level>,
    pub levels: Vec<Level>,
    #[serde(default)]
    pub default_level: Level,
    pub by_level: HashMap<String, Level>,
    pub inline: Inlined,
    /// A text here.
    pub documented: Level,
    #[schemars(with = "Vec::<String>")]
    pub with_turbofish: String,
    #[schemars(with = "&'static str")]
    pub with_reference: i32,
    #[schemars(with = "[u8; 4]")]
    pub with_array: String,
    #[schemars(with = "BTreeMap<String, Leaf>")]
    pub with_map: String,
    #[schemars(with = "std::string::String")]
    pub with_path: i32,
    #[schemars(with = "Option::<Leaf>")]
    pub with_option: String,
    #[schemars(with = "Leaf", description = "Beside with.", title = "With")]
    pub with_text: String,
    #[schemars(extend("nullable" = true))]
    pub extended_null: String,
    #[schemars(extend("type" = "integer", "format" = "int64"))]
    pub extended_type: String,
    #[schemars(extend("x-kubernetes-validations" = [{"rule": "self != 'a'", "message": "not a"}]))]
    pub extended_rule: String,
    #[schemars(extend("enum" = ["a", "b"]), extend("minLength" = 1))]
    pub extended_enum: String,
    #[schemars(extend("default" = {"veins": 2}))]
    pub extended_default: Leaf,
    #[schemars(extend("x-kubernetes-embedded-resource" = true, "x-kubernetes-preserve-unknown-fields" = true))]
    pub embedded: Leaf,
    #[schemars(extend("maxProperties" = 3, "x-kubernetes-map-type" = "atomic"))]
    pub extended_map: BTreeMap<String, String>,
    #[schemars(extend("items" = {"type": "string", "maxLength": 3}))]
    pub extended_items: Vec<String>,
    #[schemars(extend("pattern" = PATTERN))]
    pub extended_constant: String,
}

const PATTERN: &str = "^[a-z]+$";

/// A leaf.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Leaf {
    #[serde(default)]
    pub veins: i32,
}

impl Leaf {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = <Self as JsonSchema>::json_schema(generator);
        schema.insert("description".into(), "Made by a method.".into());
        schema
    }
}

fn by_insert(_: &mut SchemaGenerator) -> Schema {
    let mut schema = Schema::default();
    schema.insert("type".to_owned(), json!("string"));
    schema.insert("maxLength".to_owned(), 8.into());
    schema
}

fn by_subschema(generator: &mut Generator) -> Schema {
    let leaf = generator.subschema_for::<Leaf>();
    json_schema!({ "type": "object", "additionalProperties": leaf })
}

fn by_default(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = String::json_schema(generator);
    schema.insert("default".to_string(), json!("made"));
    schema
}

const NAMES: [&str; 2] = ["one", "two"];

fn names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": NAMES })
}

fn by_loop(_: &mut SchemaGenerator) -> Schema {
    let mut values = Vec::new();
    for name in NAMES {
        values.push(json!(name));
    }
    json_schema!({ "type": "string", "enum": values })
}

fn by_map(_: &mut SchemaGenerator) -> Schema {
    let mut map = serde_json::Map::new();
    map.insert("type".to_owned(), "string".into());
    map.insert("minLength".to_owned(), json!(NAMES.len()));
    Schema::from(map)
}

fn by_match(_: &mut SchemaGenerator) -> Schema {
    let length = match NAMES.len() {
        0 => 1,
        2 => 22,
        _ => 3,
    };
    json_schema!({ "type": "string", "maxLength": length })
}

fn by_ensure(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = generator.subschema_for::<String>();
    let object = schema.ensure_object();
    object.insert("pattern".to_owned(), format!("^({})$", NAMES.join("|")).into());
    schema
}

fn any(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "x-kubernetes-preserve-unknown-fields": true })
}

fn nullable(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "null"] })
}

fn int_or_string(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "integer" }, { "type": "string" }] })
}

/// How loud.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    #[default]
    Low,
    High,
}

impl Level {
    const ALL: &'static [Self] = &[Self::Low, Self::High];

    const fn as_str(&self) -> &'static str {
        match self {
            Self::Low => "low",
            Level::High => "high",
        }
    }
}

impl JsonSchema for Level {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Level")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = Self::ALL.iter().map(Self::as_str).collect();
        json_schema!({ "type": "string", "enum": names, "description": "A level." })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(inline, rename = "Other", title = "In line")]
pub struct Inlined {
    pub value: i32,
}

/// Defaults.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Stock", namespaced)]
#[serde(rename_all = "camelCase", default)]
pub struct StockSpec {
    pub count: u8,
    pub optional_text: Option<String>,
    pub map: BTreeMap<String, i32>,
    #[serde(default = "five")]
    pub overruled: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub list: Vec<String>,
    #[serde(skip_serializing_if = "is_zero")]
    pub zero: i32,
    pub by_trait: String,
    #[serde(default = "String::new")]
    pub by_new: String,
    #[serde(default = "bool::default")]
    pub by_bool: bool,
    #[serde(default = "yes")]
    pub yes: bool,
    #[serde(default = "self::nested::text")]
    pub by_path: String,
    #[serde(default = "crate::computed::nested::constant")]
    pub by_constant: i64,
    #[serde(default = "nested::Maker::make")]
    pub by_method: String,
    pub choice: Choice,
    pub pair: [i32; 2],
    pub newtype: Newtype,
    pub seconds: f64,
    pub character: char,
    pub tagged: Option<Choice>,
    pub nested: Nested,
    pub boxed: Box<Nested>,
    pub value: serde_json::Value,
    pub options: Options,
    #[serde(default = "negative")]
    pub negative: i32,
    #[serde(default = "hexadecimal")]
    pub hexadecimal: u32,
    #[serde(default = "by_block")]
    pub by_block: i32,
    #[serde(default = "by_if")]
    pub by_if: String,
}

impl Default for StockSpec {
    fn default() -> Self {
        let count = 3;
        StockSpec {
            count,
            optional_text: Some("set".into()),
            map: [("a".to_string(), 1)].into(),
            overruled: 1,
            left_out: None,
            list: vec![],
            zero: 0,
            by_trait: "ignored".into(),
            by_new: String::default(),
            by_bool: true,
            yes: false,
            by_path: Default::default(),
            by_constant: 0,
            by_method: nested::text(),
            choice: Choice::Some { size: 2 },
            pair: [1, 2],
            newtype: Newtype("inside".to_string()),
            seconds: 1.5,
            character: 'x',
            tagged: None,
            nested: Nested {
                inner: 7,
                ..Nested::default()
            },
            boxed: Box::default(),
            value: json!({ "any": [1, "two", null] }),
            options: Options::default(),
            negative: 0,
            hexadecimal: 0,
            by_block: 0,
            by_if: String::new(),
        }
    }
}

fn five() -> u8 {
    5
}

fn is_zero(value: &i32) -> bool {
    *value == 0
}

const fn yes() -> bool {
    true
}

fn negative() -> i32 {
    -(2 + 3)
}

fn hexadecimal() -> u32 {
    0xff_u32 << 4
}

fn by_block() -> i32 {
    let base = {
        let x = 2;
        x * x
    };
    base + 1
}

fn by_if() -> String {
    if five() > 3 { "more".into() } else { "less".into() }
}

pub mod nested {
    const START: i64 = 40;

    pub fn text() -> String {
        concat!("a", "-", 1).to_string()
    }

    pub const fn constant() -> i64 {
        START + 2
    }

    pub struct Maker;

    impl Maker {
        pub fn make() -> String {
            [text(), "made".to_owned()].concat()
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    Some { size: i32 },
    Other(Newtype),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Newtype(pub String);

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Nested {
    pub inner: i32,
    #[serde(rename = "renamed")]
    pub other: Option<i32>,
    #[serde(skip)]
    pub skipped: i32,
    #[serde(flatten)]
    pub flat: Flat,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Flat {
    pub flat_field: Option<bool>,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub text: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Options {
    pub first: Option<Flat>,
    pub second: i32,
}
