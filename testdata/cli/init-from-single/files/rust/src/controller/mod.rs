//! The controllers of this operator, one module per group.

pub mod ships;
