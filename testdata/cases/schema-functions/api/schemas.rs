use schemars::{Schema, SchemaGenerator, json_schema};

/// An object with any fields.
pub fn object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": true,
    })
}
