//! Pottery.

pub mod api;
