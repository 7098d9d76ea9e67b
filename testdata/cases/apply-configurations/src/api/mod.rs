//! The API.

mod parts;
pub mod v1;

pub use parts::{Port, Protocol};
