//! The kinds of this operator, one module per group.

pub mod my_group;
pub mod webapp;
