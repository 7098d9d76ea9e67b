//! The controllers of this operator, one module per group.

pub mod port;
pub mod port_policy;
