//! The resolved API as plain data: kinds, versions, schemas, RBAC rules, webhooks and their names.
//!
//! The front end creates it and the generators read it, so that facts are derived only once. It does not contain Rust
//! syntax, YAML, marker text or files; it has places, so that a check can refer to a line.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod access;
mod article;
mod catalog;
mod conversion;
mod description;
mod generated;
mod kind;
mod number;
mod plural;
pub mod rust_names;
mod rust_type;
mod schema;
mod sparse;
mod webhook;

pub use access::{AccessRule, group_name};
pub use article::article;
pub use catalog::{CatalogKind, CatalogResource, Descriptor, DescriptorPart};
pub use conversion::{
    ConversionWebhook, DroppedVariant, FieldConversion, KindConversion, TypeConversion, VariantConversion,
    VersionAge,
};
pub use description::DescriptionLimit;
pub use generated::{GeneratedLine, Language, MergedLine};
pub use kind::{
    Api, ClientMethod, ClientSettings, Column, Deprecation, KindStyle, KindVersion, MethodType, Resource,
    ResourceNames, Scale, Scope, Verb, implied_storage,
};
pub use number::Number;
pub use plural::plural;
pub use rust_type::{
    RustContents, RustEnum, RustField, RustKind, RustPath, RustReach, RustRole, RustRoot, RustStruct,
    RustType, RustTypes, RustVariant, Tagging,
};
pub use schema::{
    Conflict, Constraints, ExternalDocumentation, JsonType, Keyword, ListType, MapType, Places, Rule,
    RuleOrigins, Schema, SwitchedOffField,
};
pub use sparse::{Empty, Sparse};
pub use webhook::{MatchCondition, Webhook, WebhookConfiguration};

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
