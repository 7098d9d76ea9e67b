//! Which verbs a client has: markers, scope and subresources decide.
#![deny(warnings, missing_docs)]

pub mod api;

#[path = "../expected/mod.rs"]
pub mod generated;
