//! Three versions of a kind, which a test serves in a cluster, and the conversion between them.
#![deny(warnings, missing_docs)]

pub mod api;

#[rustfmt::skip]
#[path = "../expected/mod.rs"]
pub mod generated;
