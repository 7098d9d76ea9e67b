//! The API.

pub mod v1;
pub mod v2;
pub mod v3;
