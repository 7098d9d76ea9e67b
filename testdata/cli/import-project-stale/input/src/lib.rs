//! A crate.

pub mod api;
