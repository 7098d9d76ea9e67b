//! The API of pottery.

pub mod v1;
pub mod v2;
