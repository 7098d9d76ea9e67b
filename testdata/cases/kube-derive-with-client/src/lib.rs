//! Generators that run together are equally strict: the column is a warning, and both write their files.
#![deny(warnings, missing_docs)]

pub mod api;

#[rustfmt::skip]
#[path = "../expected/mod.rs"]
pub mod generated;
