//! The operator as a process with a real control plane, as its own service account with only the generated roles: a
//! missing rule fails these tests. They count as ignored if a control plane is not available; `KGEN_E2E=required` makes
//! that a failure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod cluster;
mod faults;
mod life;
mod webhooks;

use std::process::ExitCode;

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Suite;

// ANCHOR: suite
fn main() -> ExitCode {
    Suite::new(ControlPlane::builder().with_nodes(1))
        .test(
            "life::a_memcached_from_creation_to_deletion",
            life::a_memcached_from_creation_to_deletion,
        )
        .test(
            "faults::the_api_server_is_killed_and_restarted",
            faults::the_api_server_is_killed_and_restarted,
        )
        .test(
            "webhooks::the_api_server_asks_before_it_stores",
            webhooks::the_api_server_asks_before_it_stores,
        )
        .run()
}
// ANCHOR_END: suite
