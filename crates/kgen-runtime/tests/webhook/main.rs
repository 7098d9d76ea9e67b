//! The webhook server with real sockets and real TLS, and the responses of its handlers.
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
mod conversion_limits;
mod memcached;
mod messages;
mod metrics;
#[path = "../support/recorded_metrics.rs"]
mod recorded_metrics;
mod refusals;
#[path = "../support/scripted.rs"]
mod scripted;
mod shutdown;
mod support;
