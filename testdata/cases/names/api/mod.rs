//! Every way to name a type.

pub mod common;
pub mod v1;

pub use common::metal as material;
