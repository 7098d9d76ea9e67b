use schemars::JsonSchema;
use schemars::r#gen::SchemaGenerator;
use schemars::schema::{ArrayValidation, InstanceType, Schema, SchemaObject, SingleOrVec};

use crate::limits;

pub fn layers(generator: &mut SchemaGenerator) -> Schema {
    Schema::Object(SchemaObject {
        instance_type: Some(SingleOrVec::Single(Box::new(InstanceType::Array))),
        array: Some(Box::new(ArrayValidation {
            items: Some(SingleOrVec::Single(Box::new(String::json_schema(generator)))),
            max_items: Some(limits::sizes::SHORT),
            ..Default::default()
        })),
        ..Default::default()
    })
}
