//! The controllers of this operator, one module per group.

pub mod apps;
pub mod core;
pub mod my_group;
pub mod webapp;
