//! Schemas in code, and types that stand in for others.

use kube::CustomResource;
use schemars::JsonSchema;
use schemars::gen::SchemaGenerator;
use schemars::schema::{InstanceType, Metadata, Schema, SchemaObject, SingleOrVec, StringValidation};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A type of another crate.
pub mod elsewhere {
    #[derive(Clone, Debug, Default)]
    pub struct Interval {
        pub seconds: i64,
    }
}

/// Describes the type of the other crate.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "elsewhere::Interval")]
pub struct IntervalHere {
    pub seconds: i64,
}

/// A mold.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Mold")]
pub struct MoldSpec {
    #[serde(with = "IntervalHere")]
    pub drying: elsewhere::Interval,
    #[schemars(schema_with = "any_object")]
    pub any_object: Value,
    #[schemars(schema_with = "changed")]
    pub changed: String,
    #[schemars(schema_with = "written_out")]
    pub written_out: String,
    #[schemars(schema_with = "set")]
    pub set: Vec<i32>,
    #[schemars(example = "one", title = "Titled")]
    pub titled: i32,
    #[schemars(with = "Option<String>")]
    pub replaced: i32,
    #[schemars(range(min = 1), description = "In an attribute.")]
    pub described: Option<i32>,
    pub manual: Manual,
    pub number: Number,
    pub variants: Variants,
}

fn one() -> i32 {
    1
}

fn any_object(_: &mut SchemaGenerator) -> Schema {
    serde_json::from_value(json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })).unwrap()
}

fn changed(generator: &mut SchemaGenerator) -> Schema {
    let mut schema: SchemaObject = <String>::json_schema(generator).into();
    schema.string().max_length = Some(4);
    schema.metadata().description = Some("Changed by code.".to_owned());
    schema.into()
}

fn written_out(_: &mut SchemaGenerator) -> Schema {
    Schema::Object(SchemaObject {
        instance_type: Some(SingleOrVec::Single(Box::new(InstanceType::String))),
        enum_values: Some(vec!["a".into(), "ab".into()]),
        string: Some(Box::new(StringValidation {
            pattern: Some("^a".into()),
            ..Default::default()
        })),
        ..Default::default()
    })
}

fn set(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = SchemaObject {
        instance_type: Some(InstanceType::Array.into()),
        ..Default::default()
    };
    schema.array().items = Some(generator.subschema_for::<i32>().into());
    schema.extensions.insert(
        "x-kubernetes-list-type".to_string(),
        Value::String("set".to_string()),
    );
    Schema::Object(schema)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manual(pub String);

impl JsonSchema for Manual {
    fn schema_name() -> String {
        "Manual".to_owned()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        SchemaObject {
            instance_type: Some(InstanceType::String.into()),
            format: Some("date-time".into()),
            metadata: Some(Box::new(Metadata {
                description: Some("Written by hand.".into()),
                ..Default::default()
            })),
            ..Default::default()
        }
        .into()
    }
}

/// schemars 0.8 looks at the fields, although serde reads and writes text.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
pub struct Number {
    pub value: i64,
}

impl From<Number> for String {
    fn from(number: Number) -> Self {
        number.value.to_string()
    }
}

impl TryFrom<String> for Number {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(|value| Self { value })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Variants {
    Fields {
        #[schemars(schema_with = "written_out")]
        text: String,
    },
    Value(#[schemars(schema_with = "written_out")] String),
    #[schemars(schema_with = "written_out")]
    Pair(i32, i32),
}
