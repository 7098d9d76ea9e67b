//! What is done about the kinds of `apps`.

pub mod deployment;
