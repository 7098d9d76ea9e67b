//! Names that collide with the language, with its prelude, with the runtime, and with each other.
#![deny(warnings, missing_docs)]

pub mod api;

#[rustfmt::skip]
#[path = "../expected/mod.rs"]
pub mod generated;
