//! Three versions of a kind behind a real API server, which converts them with the tables that kgen generates and with the
//! webhook that kgen-runtime serves.
//!
//! Tests count as ignored where no control plane is available; `KGEN_E2E=required` makes that a failure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    missing_docs,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

#[path = "../../../cases/conversion-three-versions/src/api/mod.rs"]
mod api;
#[rustfmt::skip]
#[path = "../../../cases/conversion-three-versions/expected/mod.rs"]
#[allow(dead_code, reason = "tests read and write JSON")]
mod generated;

mod apply;
mod cluster;
mod damage;
mod faults;
mod migration;
mod read_and_write;
mod strict;
mod without_webhook;

use std::process::ExitCode;

use kgen_testenv::suite::Suite;
use kgen_testenv::{Component, ControlPlane};

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder())
        .test(
            "objects_are_the_same_in_every_version",
            read_and_write::objects_are_the_same_in_every_version,
        )
        .test(
            "an_update_keeps_the_values_of_other_versions",
            read_and_write::an_update_keeps_the_values_of_other_versions,
        )
        .test(
            "a_watch_shows_writes_of_other_versions",
            read_and_write::a_watch_shows_writes_of_other_versions,
        )
        .test(
            "managers_move_from_version_to_version",
            apply::managers_move_from_version_to_version,
        )
        .test(
            "a_strict_webhook_fails_where_a_manager_moves",
            apply::a_strict_webhook_fails_where_a_manager_moves,
        )
        .test(
            "two_managers_use_two_versions",
            apply::two_managers_use_two_versions,
        )
        .test(
            "broken_annotations_are_dropped",
            damage::broken_annotations_are_dropped,
        )
        .test(
            "a_translation_that_panics_keeps_its_sources",
            damage::a_translation_that_panics_keeps_its_sources,
        )
        .test(
            "nothing_is_lost_while_the_webhook_is_down",
            faults::nothing_is_lost_while_the_webhook_is_down,
        )
        .test(
            "nothing_is_lost_if_the_webhook_restarts_between_writes",
            faults::nothing_is_lost_if_the_webhook_restarts_between_writes,
        )
        .test(
            "a_migration_can_be_killed_at_any_moment",
            migration::a_migration_can_be_killed_at_any_moment,
        )
        .test(
            "a_migration_names_the_objects_that_were_refused",
            migration::a_migration_names_the_objects_that_were_refused,
        )
        .test(
            "without_a_webhook_the_reported_fields_are_lost",
            without_webhook::the_reported_fields_are_lost,
        )
        .needing(ControlPlane::builder().with(Component::ControllerManager))
        .test(
            "an_invalid_object_makes_nothing_unreadable",
            damage::an_invalid_object_makes_nothing_unreadable,
        )
        .run()
}
