//! The language server, as a client sees it.
//!
//! `cases.rs` compares its diagnostics with the messages of the command, `scripts.rs` runs the sessions of `testdata/lsp`,
//! `requests.rs` has the tests that need more than a script, and
//! `random_edits.rs` compares a long session with fresh processes. `real_clients.rs` runs the clients of others.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod cases;
mod client;
mod random_edits;
mod real_clients;
mod requests;
mod scripts;
#[path = "../support/mod.rs"]
mod support;
