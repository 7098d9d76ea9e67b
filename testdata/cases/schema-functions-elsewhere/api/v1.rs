use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::clay;

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "brick.example.org", version = "v1", kind = "Kiln", namespaced)]
pub struct KilnSpec {
    #[schemars(schema_with = "layers")]
    pub layers: Vec<clay::Clay>,
}

fn layers(generator: &mut SchemaGenerator) -> Schema {
    let clay = generator.subschema_for::<clay::Clay>();
    let mut schema = json_schema!({ "type": "array", "items": clay });
    schema.insert("maxItems".to_owned(), 12.into());
    schema.insert("x-kubernetes-list-type".to_owned(), "atomic".into());
    schema
}
