//! What the operator does, a module for each kind.

pub mod webapp;
