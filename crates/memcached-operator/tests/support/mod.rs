//! Helpers for the tests of the operator.

#![allow(dead_code, reason = "each test program uses a part of this")]

pub mod objects;
pub mod operator;
#[path = "../../../foo-operator/tests/support/server.rs"]
pub mod server;
