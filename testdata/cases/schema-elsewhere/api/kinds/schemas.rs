use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::v1::Fat;

const MOST: u8 = 80;

/// Of another type with the same name.
pub struct Rennet;

impl JsonSchema for Rennet {
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "boolean" })
    }
}

impl JsonSchema for Fat {
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": Self::LEAST, "maximum": MOST })
    }
}
