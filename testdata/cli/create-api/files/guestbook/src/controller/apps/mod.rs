//! The controllers of the kinds of `apps`.

pub mod deployment;
