use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "orchard.example.org", version = "v1", kind = "Tree", namespaced)]
pub struct TreeSpec {
    /// A number and a text.
    #[schemars(schema_with = "height")]
    pub height: i32,
    /// A constant, a list and a generator.
    #[schemars(schema_with = "fruit")]
    pub fruit: String,
    /// A function of the type, called by another one with what it was given.
    #[schemars(schema_with = "TreeSpec::age")]
    pub age: i32,
}

const FRUITS: [&str; 2] = ["apple", "pear"];
const LEAST: i32 = 1;

fn height(_: &mut SchemaGenerator) -> Schema {
    bounded(LEAST, 40 * 2, "In metres.")
}

fn fruit(generator: &mut SchemaGenerator) -> Schema {
    one_of(generator, &FRUITS, format!("One of {}.", 2))
}

/// What is called like a parameter is not meant by it.
fn least() -> i32 {
    -5
}

fn bounded(least: i32, most: i32, description: &str) -> Schema {
    json_schema!({ "type": "integer", "minimum": least, "maximum": most, "description": description })
}

fn one_of(_: &mut SchemaGenerator, values: &[&str], description: String) -> Schema {
    let mut schema = json_schema!({ "type": "string", "enum": values });
    schema.insert("description".into(), description.into());
    schema
}

impl TreeSpec {
    fn age(_: &mut SchemaGenerator) -> Schema {
        Self::years(least() + 5, "In years")
    }

    fn years(minimum: i32, text: &str) -> Schema {
        bounded(minimum, 1_000, &format!("{}.", text))
    }
}
