//! Apply configurations: what is mirrored, and what is used as it is.
#![deny(warnings, missing_docs)]

pub mod api;

#[rustfmt::skip]
#[path = "../expected/mod.rs"]
pub mod generated;
