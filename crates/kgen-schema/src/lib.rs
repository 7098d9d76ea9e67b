#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod correlation;
mod defaults;
mod definition;
mod depth;
mod embedded;
mod error;
pub mod field_path;
pub mod formats;
mod go_text;
mod list_types;
mod metadata;
pub mod names;
mod numbers;
mod object_meta;
mod path;
mod prune;
mod read;
mod rule;
mod scale;
mod schema;
mod times;
mod validate;

pub use definition::{Definition, MalformedObject, Version, unknown_field_message};
pub use depth::MAX_OBJECT_DEPTH;
pub use embedded::embedded_resource_errors;
pub use error::{ErrorKind, FieldError, Report, Undecided, joined};
pub use go_text::{json as go_json, quoted};
pub use kgen_cel::JsonType;
pub use kgen_cel::go_regex::Patterns;
pub use kgen_cel::go_text::printed_float;
pub use metadata::metadata_errors;
pub use numbers::read_numbers;
pub use path::Segment;
pub use prune::{META_FIELDS, unknown_fields};
pub use read::{MAX_DEPTH, ReadError};
pub use rule::{BrokenRule, Reason, Rule, broken_rules};
pub use schema::{AdditionalProperties, Limits, ListType, Schema};
pub use validate::{Bound, Problem, Violation, violations};
