//! The API of pottery.

pub mod v1;
