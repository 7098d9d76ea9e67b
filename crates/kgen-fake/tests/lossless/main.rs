//! For each fault: an informer and a manager of kgen-runtime lose nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod faults;
mod informer;
mod manager;
