//! Kinds and groups that would have one name in Rust.

pub mod first;
pub mod second;
