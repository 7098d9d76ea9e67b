//! Markers hold for everything below until another one overrides them.
//!
//! +groupName=mill.example.org

pub mod v1;
pub mod other;
pub mod kinds;
