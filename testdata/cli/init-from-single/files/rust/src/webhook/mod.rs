//! The admission webhooks of this operator, one module per group.

pub mod apps;
pub mod core;
pub mod ships;
