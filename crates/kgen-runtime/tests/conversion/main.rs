//! Conversions between versions: every form of the vocabulary, the values that are kept, and the laws for random tables.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

mod author;
mod deep;
mod kept;
mod laws;
mod rows;
mod support;
mod tables;
