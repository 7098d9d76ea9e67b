//! The API.

pub mod other;
pub mod r#type;
pub mod v1;
pub mod v1beta1;
