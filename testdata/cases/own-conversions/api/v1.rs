//! +groupName=scales.example.org
//!
//! Conversions that the source defines: schemas in code and defaults follow the same code.

use std::borrow::Cow;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A scale.
pub struct Scale {
    pub metadata: ObjectMeta,
    pub spec: ScaleSpec,
}

#[derive(Serialize, Deserialize)]
pub struct ScaleSpec {
    /// The minimum is the double, as the default is.
    #[schemars(schema_with = "doubled")]
    #[serde(default = "limit")]
    pub from: Limit,
    /// `into` calls the same function.
    #[schemars(schema_with = "by_into")]
    #[serde(default = "limit_by_into")]
    pub into: Limit,
    /// Of two conversions, the type of the argument chooses one.
    #[schemars(schema_with = "chosen")]
    #[serde(default = "unit")]
    pub unit: Unit,
    /// The other way.
    #[schemars(schema_with = "back")]
    #[serde(default = "grams")]
    pub grams: i64,
    /// From an enum of another module to a text.
    #[serde(default = "label")]
    #[schemars(schema_with = "labeled")]
    pub label: String,
}

#[derive(Serialize, Deserialize)]
pub struct Limit(i64);

impl From<i64> for Limit {
    fn from(x: i64) -> Self {
        Limit(x * 2)
    }
}

fn limit() -> Limit {
    Limit::from(4)
}

fn limit_by_into() -> Limit {
    5.into()
}

fn doubled(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "minimum": Limit::from(4) })
}

fn by_into(_: &mut SchemaGenerator) -> Schema {
    let least: Limit = 5.into();
    json_schema!({ "type": "integer", "minimum": least })
}

#[derive(Serialize, Deserialize)]
pub struct Unit {
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

fn unit() -> Unit {
    Unit::from("kg")
}

fn chosen(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "example": Unit::from(7), "properties": {
        "name": { "type": "string" },
        "grams": { "type": "integer" },
    } })
}

fn grams() -> i64 {
    Unit::from(1_000).into()
}

fn back(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "maximum": i64::from(Unit::from(1_000)) })
}

pub mod elsewhere {
    pub enum Size {
        Small,
        Large,
    }
}

impl From<elsewhere::Size> for String {
    fn from(size: elsewhere::Size) -> Self {
        match size {
            elsewhere::Size::Small => "s".to_owned(),
            elsewhere::Size::Large => "l".to_owned(),
        }
    }
}

fn label() -> String {
    elsewhere::Size::Large.into()
}

fn labeled(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": [String::from(elsewhere::Size::Small), String::from(elsewhere::Size::Large)] })
}

/// A value whose schema is an impl.
#[derive(Serialize, Deserialize)]
pub struct Weight(i64);

impl JsonSchema for Weight {
    fn schema_name() -> Cow<'static, str> {
        "Weight".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": Limit::from(3) })
    }
}
