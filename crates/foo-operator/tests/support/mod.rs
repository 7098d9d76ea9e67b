//! Helpers for the tests of the operator.

#![allow(dead_code, reason = "each test program uses a part of this")]

pub mod objects;
pub mod operator;
pub mod server;
