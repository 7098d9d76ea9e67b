//! As schemars 0.8 writes schemas.

use kube::CustomResource;
use schemars::JsonSchema;
use schemars::gen::SchemaGenerator;
use schemars::schema::{ArrayValidation, InstanceType, ObjectValidation, Schema, SchemaObject, SingleOrVec, StringValidation};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "dock.example.org", version = "v1", kind = "Crane", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct CraneSpec {
    #[schemars(schema_with = "any")]
    pub any: Value,
    #[schemars(schema_with = "object")]
    pub object: Value,
    #[schemars(schema_with = "pattern")]
    pub pattern: String,
    #[schemars(schema_with = "list")]
    pub list: Vec<Hook>,
    #[schemars(schema_with = "struct_like")]
    pub struct_like: Hook,
    #[schemars(schema_with = "changed")]
    pub changed: Hook,
    #[schemars(schema_with = "levels")]
    pub level: String,
}

fn any(_: &mut SchemaGenerator) -> Schema {
    let mut obj = SchemaObject::default();
    obj.extensions
        .insert("x-kubernetes-preserve-unknown-fields".into(), true.into());
    Schema::Object(obj)
}

fn object(_: &mut SchemaGenerator) -> Schema {
    Schema::Object(SchemaObject {
        instance_type: Some(InstanceType::Object.into()),
        extensions: [("x-kubernetes-preserve-unknown-fields".to_string(), json!(true))]
            .into_iter()
            .collect(),
        ..Default::default()
    })
}

fn pattern(_: &mut SchemaGenerator) -> Schema {
    SchemaObject {
        instance_type: Some(SingleOrVec::Single(Box::new(InstanceType::String))),
        metadata: Some(Box::new(schemars::schema::Metadata {
            description: Some("A name.".to_string()),
            ..Default::default()
        })),
        string: Some(Box::new(StringValidation {
            max_length: Some(10),
            min_length: None,
            pattern: Some("^[a-z]+$".to_owned()),
        })),
        ..SchemaObject::default()
    }
    .into()
}

fn list(gen: &mut SchemaGenerator) -> Schema {
    Schema::Object(SchemaObject {
        instance_type: Some(InstanceType::Array.into()),
        array: Some(Box::new(ArrayValidation {
            items: Some(SingleOrVec::Single(Box::new(gen.subschema_for::<Hook>()))),
            max_items: Some(3),
            ..Default::default()
        })),
        ..Default::default()
    })
}

fn struct_like(gen: &mut SchemaGenerator) -> Schema {
    let mut schema = SchemaObject {
        instance_type: Some(InstanceType::Object.into()),
        ..Default::default()
    };
    let object = schema.object();
    object.properties.insert("name".to_owned(), gen.subschema_for::<String>());
    object.properties.insert("load".to_owned(), u8::json_schema(gen));
    object.required.insert("name".to_owned());
    Schema::Object(schema)
}

fn changed(gen: &mut SchemaGenerator) -> Schema {
    let mut schema = gen.subschema_for::<Hook>().into_object();
    schema.metadata().description = Some("Another text.".to_string());
    schema
        .extensions
        .insert("x-kubernetes-map-type".to_string(), Value::String("atomic".to_string()));
    schema.into()
}

fn levels(gen: &mut SchemaGenerator) -> Schema {
    let mut schema = <String as JsonSchema>::json_schema(gen).into_object();
    schema.enum_values = Some(
        ["low", "high"]
            .iter()
            .map(|level| Value::String((*level).to_string()))
            .collect(),
    );
    schema.into()
}

/// A hook.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Hook {
    pub name: String,
}
