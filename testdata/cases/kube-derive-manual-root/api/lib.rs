//! `schema = "manual"`: the schema of the whole object is in the source.

use std::borrow::Cow;

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A name that fits into a label.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "lock.example.org", version = "v1", kind = "Sluice", schema = "manual", status = "SluiceStatus")]
pub struct SluiceSpec {
    pub gates: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SluiceStatus {
    pub open: bool,
}

impl JsonSchema for Sluice {
    fn schema_name() -> Cow<'static, str> {
        "Sluice".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let spec = generator.subschema_for::<SluiceSpec>();
        let status = generator.subschema_for::<Option<SluiceStatus>>();
        json_schema!({
            "type": "object",
            "description": "A sluice of a canal.",
            "properties": {
                "metadata": {
                    "type": "object",
                    "properties": { "name": { "type": "string", "maxLength": 40 } }
                },
                "spec": spec,
                "status": status
            },
            "required": ["metadata", "spec"]
        })
    }
}

/// Computed, so what serde reads is the schema, with a warning.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "lock.example.org", version = "v1", kind = "Weir", schema = "manual")]
pub struct WeirSpec {
    pub height: i32,
}

impl JsonSchema for Weir {
    fn schema_name() -> Cow<'static, str> {
        "Weir".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        read_from_somewhere()
    }
}
