//! What the operator does, a module for each kind.

pub mod apps;
pub mod core;
pub mod my_group;
pub mod webapp;
