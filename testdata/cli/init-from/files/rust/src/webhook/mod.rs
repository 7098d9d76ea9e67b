//! The admission webhooks of this operator, one module per group.

pub mod core;
pub mod port;
