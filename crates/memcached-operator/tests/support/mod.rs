//! Helpers for the tests of the operator.

#![allow(dead_code, reason = "each test program uses a part of this")]

pub mod cluster;
pub mod objects;
pub mod operator;
