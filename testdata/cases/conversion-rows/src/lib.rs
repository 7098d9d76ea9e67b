//! Three versions of a kind that differ in every way that a table can express.
#![deny(warnings, missing_docs)]

pub mod api;

#[rustfmt::skip]
#[path = "../expected/mod.rs"]
pub mod generated;
