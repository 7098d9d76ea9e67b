//! The conversions between the versions of kinds, one module per group.

pub mod webapp;
