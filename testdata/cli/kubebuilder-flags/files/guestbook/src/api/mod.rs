//! The kinds of this operator, a module for each group.

pub mod webapp;
