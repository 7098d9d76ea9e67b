//! Types whose schema is that of another type, and schemas that code changes.

use std::ops::{Range, RangeInclusive};

use kube::CustomResource;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// A type of another crate.
pub mod elsewhere {
    #[derive(Clone, Debug, Default)]
    pub struct Interval {
        pub seconds: i64,
        pub nanoseconds: i32,
    }
}

/// Describes the type of the other crate.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "elsewhere::Interval")]
pub struct IntervalHere {
    pub seconds: i64,
    pub nanoseconds: i32,
}

/// A mold.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Mold", namespaced)]
pub struct MoldSpec {
    #[serde(with = "IntervalHere")]
    pub drying: elsewhere::Interval,
    pub range: Range<i32>,
    pub inclusive: RangeInclusive<i64>,
    pub transparent: Perhaps,
    pub described: Described,
    pub boxed: Box<Option<i32>>,
    #[serde(default, skip_serializing_if = "is_short")]
    pub left_out: String,
    #[serde(default = "long", skip_serializing_if = "is_short")]
    pub kept: String,
    #[schemars(transform = shorten)]
    pub shortened: String,
    #[schemars(transform = without_format)]
    pub without_format: i32,
    #[schemars(transform = |schema: &mut Schema| { schema.insert("description".into(), "By a closure.".into()); })]
    pub by_closure: i32,
    pub open: OpenMold,
    #[schemars(extend("externalDocs" = { "url": "https://example.com" }))]
    pub documented_elsewhere: i32,
    pub value: Required,
}

#[expect(clippy::ptr_arg, reason = "serde passes a reference to the field")]
fn is_short(text: &String) -> bool {
    text.len() < 3
}

fn long() -> String {
    "long".to_owned()
}

fn shorten(schema: &mut Schema) {
    schema.insert("maxLength".to_owned(), 3.into());
}

fn without_format(schema: &mut Schema) {
    schema.remove("format");
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Perhaps {
    #[serde(skip)]
    pub cached: i32,
    pub inner: Option<String>,
}

/// With a text, it is required.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Described {
    pub inner: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Required(#[schemars(required)] pub Option<String>);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = keep_everything)]
pub struct OpenMold {
    pub size: i32,
}

fn keep_everything(schema: &mut Schema) {
    schema.insert("x-kubernetes-preserve-unknown-fields".into(), true.into());
}
