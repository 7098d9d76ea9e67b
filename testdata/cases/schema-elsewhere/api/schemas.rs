use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

impl JsonSchema for crate::kinds::v1::Rennet {
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": ["animal", "plant"] })
    }
}
