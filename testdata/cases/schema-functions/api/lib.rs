mod schemas;

use std::borrow::Cow;

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "garden.example.org", version = "v1", kind = "Bed", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct BedSpec {
    /// In another module.
    #[schemars(schema_with = "schemas::object")]
    pub anything: serde_json::Value,
    #[schemars(schema_with = "sized::<String>")]
    pub size: String,
    #[schemars(schema_with = "BedSpec::depth_schema")]
    #[serde(default)]
    pub depth: i32,
    #[schemars(schema_with = "plants")]
    pub plants: Vec<Plant>,
    #[schemars(schema_with = "changed")]
    pub changed: Plant,
    #[schemars(schema_with = "from_value")]
    pub mode: Option<String>,
    #[schemars(schema_with = "nullable")]
    pub nullable: Option<u32>,
    pub temperature: Temperature,
    pub temperatures: Vec<Temperature>,
    pub wrapper: Wrapper<i32>,
    pub seeds: Seeds,
}

impl BedSpec {
    const DEEPEST: i32 = 100;

    fn depth_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "format": "uint8", "maximum": Self::DEEPEST })
    }
}

const SIZES: [&str; 2] = ["small", "large"];

fn sized<T>(_generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string",
        "enum": SIZES,
        "description": format!("Either {} or {}.", "small", "large"),
    })
}

fn plants(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": generator.subschema_for::<Plant>(),
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        "x-kubernetes-validations": [{ "rule": "self.size() < 10", "message": "too many" }],
    })
}

fn changed(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = Plant::json_schema(generator);
    schema.insert("x-kubernetes-preserve-unknown-fields".to_owned(), true.into());
    if let Some(object) = schema.as_object_mut() {
        object.insert("title".into(), serde_json::json!("A plant"));
    }
    schema
}

fn from_value(_: &mut SchemaGenerator) -> Schema {
    serde_json::from_value(serde_json::json!({
        "type": "string",
        "enum": ["wild", "tidy"],
    }))
    .unwrap()
}

fn nullable(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["integer", "null"], "format": "uint32", "exclusiveMaximum": 10 })
}

/// A plant.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Plant {
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
        String::deserialize(deserializer).map(|text| Self(text.len() as i32))
    }
}

impl JsonSchema for Temperature {
    fn schema_name() -> Cow<'static, str> {
        "Temperature".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^-?[0-9]+C$" })
    }
}

/// What its argument is.
#[derive(Clone, Debug)]
pub struct Wrapper<T>(T);

impl<T: JsonSchema> JsonSchema for Wrapper<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Vec<T> as JsonSchema>::json_schema(generator)
    }
}

/// The schema goes before what serde derives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Seeds {
    Some(i32),
    None,
}

impl JsonSchema for Seeds {
    fn schema_name() -> Cow<'static, str> {
        "Seeds".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = Schema::default();
        let object = schema.ensure_object();
        object.insert("x-kubernetes-preserve-unknown-fields".to_string(), serde_json::Value::Bool(true));
        object.insert("description".to_string(), "How many seeds.".into());
        schema
    }
}
