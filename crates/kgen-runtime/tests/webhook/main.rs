//! The webhook server over real sockets and real TLS, and what its handlers say.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

mod admission;
mod attacks;
mod certificates;
mod conversion;
mod memcached;
mod messages;
mod refusals;
mod shutdown;
mod support;
