//! The operator as a process against a real control plane, as its own service account with the generated roles and nothing
//! more: a missing rule fails these tests. Where no control plane can be had they are counted as ignored, and
//! `KGEN_E2E=required` makes that a failure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

#[allow(dead_code, reason = "the soak test uses the rest")]
mod cluster;
mod collisions;
mod faults;
mod leader;
mod life;
mod lost;
mod previous;
mod upgrade;

use std::process::ExitCode;

use kgen_testenv::suite::Suite;
use kgen_testenv::{Component, ControlPlane};

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(previous::ARGUMENT) {
        previous::run().unwrap();
        return ExitCode::SUCCESS;
    }
    Suite::new(ControlPlane::builder())
        .test("leader::the_next_one_takes_over", leader::the_next_one_takes_over)
        .test("faults::the_leader_is_killed", faults::the_leader_is_killed)
        .test(
            "faults::a_thousand_foos_come_at_once",
            faults::a_thousand_foos_come_at_once,
        )
        .needing(ControlPlane::builder().with(Component::ControllerManager))
        .test(
            "faults::deletions_fall_into_a_gap_of_the_watch",
            faults::deletions_fall_into_a_gap_of_the_watch,
        )
        .needing(ControlPlane::builder().with_nodes(1))
        .test(
            "life::a_foo_from_creation_to_deletion",
            life::a_foo_from_creation_to_deletion,
        )
        .test(
            "faults::the_api_server_is_killed_in_the_middle_of_a_rollout",
            faults::the_api_server_is_killed_in_the_middle_of_a_rollout,
        )
        .test(
            "faults::every_second_write_collides",
            faults::every_second_write_collides,
        )
        .test(
            "upgrade::two_operators_work_with_two_versions",
            upgrade::two_operators_work_with_two_versions,
        )
        .run()
}
