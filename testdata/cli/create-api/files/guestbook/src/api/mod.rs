//! The kinds of this operator, a module for each group.

pub mod my_group;
pub mod webapp;
