//! Real signals to this process: a separate test binary, with one test.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

use std::future::pending;
use std::time::Duration;

use kgen_runtime::shutdown::{Ended, Shutdown};
use rustix::process::{Signal, getpid, kill_process};

#[tokio::test]
async fn the_first_signal_requests_and_the_second_forces() {
    let shutdown = Shutdown::on_signals().unwrap();
    assert!(!shutdown.is_requested());

    kill_process(getpid(), Signal::TERM).unwrap();
    shutdown.requested().await;
    assert!(!shutdown.is_forced());

    let work = shutdown.run(Duration::from_secs(3600), pending::<()>());
    kill_process(getpid(), Signal::INT).unwrap();
    assert_eq!(work.await, Ended::Forced);
}
