//! The resolved API as inert data: kinds, versions, schemas, access rules, webhooks and their names.
//!
//! The front end fills it, the generators read it, and nobody has to derive anything twice. It knows no Rust syntax,
//! no YAML, no marker text and no files; places are carried along so that a check can point at a line.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod access;
mod article;
mod conversion;
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
pub use conversion::{
    ConversionWebhook, DroppedVariant, FieldConversion, KindConversion, TypeConversion, VariantConversion,
    VersionAge,
};
pub use generated::{GeneratedLine, Language};
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

/// The examples of the README, for `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
