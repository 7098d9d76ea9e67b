//! Clients for types of another crate, with libraries at other paths.
#![deny(warnings, missing_docs)]

#[rustfmt::skip]
#[path = "../expected/mod.rs"]
pub mod generated;
