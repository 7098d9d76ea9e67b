//! Schemas that code makes.

use std::borrow::Cow;

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub const LEVELS: &str = "^(low|high)$";

/// Made by functions and impls.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Recipe", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct RecipeSpec {
    /// Anything at all.
    #[schemars(schema_with = "any_object")]
    pub anything: serde_json::Value,
    #[schemars(schema_with = "crate::written::levels")]
    pub level: String,
    #[schemars(schema_with = "levels", default)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optional_level: Option<String>,
    #[schemars(schema_with = "keyed")]
    pub keyed: Vec<Part>,
    pub temperature: Temperature,
    pub optional_temperature: Option<Temperature>,
    #[schemars(schema_with = "from_value")]
    pub value: String,
    pub delegated: Delegated,
}

fn any_object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": true,
    })
}

pub fn levels(_generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": LEVELS, "maxLength": 10 })
}

fn keyed(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": generator.subschema_for::<Part>(),
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
    })
}

fn from_value(_: &mut SchemaGenerator) -> Schema {
    serde_json::from_value(serde_json::json!({
        "type": "string",
        "enum": ["a", "b"],
    }))
    .unwrap()
}

/// A part of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub name: String,
}

/// Degrees, with a unit.
#[derive(Clone, Debug)]
pub struct Temperature(pub i32);

impl Serialize for Temperature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{}C", self.0))
    }
}

impl<'de> Deserialize<'de> for Temperature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = text.trim_end_matches('C').parse();
        number.map(Self).map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Temperature {
    fn schema_name() -> Cow<'static, str> {
        "Temperature".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^-?[0-9]+C$",
        })
    }
}

/// As text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Delegated(pub String);

impl JsonSchema for Delegated {
    fn schema_name() -> Cow<'static, str> {
        "Delegated".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
