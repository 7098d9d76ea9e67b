use schemars::{Schema, SchemaGenerator, json_schema};

use crate::limits;

pub fn layers(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "maxItems": limits::sizes::MOST,
        "items": { "type": "string", "pattern": limits::PATTERN },
    })
}
