use std::borrow::Cow;

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};

#[serde_as]
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "lab.example.org", version = "v1", kind = "Probe", namespaced)]
pub struct ProbeSpec {
    #[schemars(schema_with = "computed")]
    pub computed: String,
    #[schemars(schema_with = "elsewhere::schema")]
    pub elsewhere: String,
    #[serde_as(as = "DisplayFromStr")]
    pub adapted: u64,
    pub code: Code,
    /// Reported as well.
    pub pair: (i32, String),
    /// The derives of serde tell what this is.
    pub level: Level,
}

fn computed(_: &mut SchemaGenerator) -> Schema {
    let names = std::env::var("NAMES").unwrap_or_default();
    json_schema!({ "type": "string", "enum": names.split(',').collect::<Vec<_>>() })
}

pub struct Code(u8);

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        make_schema(generator, 3)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Level {
    Low,
    High,
}

impl JsonSchema for Level {
    fn schema_name() -> Cow<'static, str> {
        "Level".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        make_schema(generator, 4)
    }
}

/// Another kind, whose problem is reported all the same.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "lab.example.org", version = "v1", kind = "Bench", namespaced)]
pub struct BenchSpec {
    pub nothing: (),
}
