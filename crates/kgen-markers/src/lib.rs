//! Every marker that kgen reads in comments, in one table: grammar, help and effect.
//!
//! A marker turns text and a node of the model into a changed node or a problem. The front end finds comment lines and
//! their nodes; this crate knows the syntax and the effect of markers. It does not depend on files or Rust syntax.
//!
//! The stages of a marker: [`read_marker`] takes its lines, [`parse`] turns them into a [`Marker`], [`check_together`]
//! checks all markers of a node, and the `…_settings` and `apply_to_…` functions apply them.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod access;
mod arguments;
mod comment;
mod definition;
mod defs;
mod fits;
mod kind;
mod marker;
mod near_miss;
mod parse;
mod render;
pub mod rules;
mod schema;
mod settings;
mod table;
mod together;
pub mod value;
pub mod write;

#[cfg(test)]
mod tests;

pub use access::{apply_to_api, read_api};
pub use comment::{CommentLine, MarkerText, read_marker, starts_marker};
pub use definition::{Argument, Definition, Family, Position, Status, Target};
pub use fits::{find_marker, names};
pub use kind::apply_to_kind;
pub use marker::Marker;
pub use near_miss::{NearMiss, marker_in_block, near_miss};
pub use parse::{is_foreign, parse, trailing};
pub use render::{Selection, render_json, render_markdown, render_text, select};
pub use rules::cel_field;
pub use schema::apply_to_schema;
pub use settings::{
    FieldSettings, ModuleSettings, OneOf, OneOfSort, Presence, TypeSettings, UnionMember, field_settings,
    module_settings, type_settings, variant_conversion,
};
pub use table::definitions;
pub use together::{check_together, conflicts};

/// The examples of the README, for `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
