//! Tests with a real control plane. They count as ignored if the binaries are not available; `KGEN_E2E=required` makes
//! that a failure.

// The tests use our own harness, so clippy does not recognize them as test code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod accounts;
mod cleanup;
mod command;
mod crds;
mod errors;
mod faults;
mod skipping;
mod start;
mod support;
mod webhooks;
mod workloads;

use std::process::ExitCode;

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Suite;

fn main() -> ExitCode {
    if let Ok(ending) = std::env::var(cleanup::CHILD) {
        return cleanup::child(&ending);
    }
    Suite::new(ControlPlane::builder())
        .test("start::two_at_once", start::two_at_once)
        .test(
            "start::one_serves_several_runtimes",
            start::one_serves_several_runtimes,
        )
        .test("crds::from_text_and_folder", crds::from_text_and_folder)
        .test("crds::a_bad_one_is_refused", crds::a_bad_one_is_refused)
        .test("crds::taken_names_are_reported", crds::taken_names_are_reported)
        .test(
            "webhooks::where_nobody_listens_is_said",
            webhooks::where_nobody_listens_is_said,
        )
        .test(
            "webhooks::a_bad_configuration_is_refused",
            webhooks::a_bad_configuration_is_refused,
        )
        .test(
            "workloads::pods_are_accepted_without_controllers",
            workloads::pods_are_accepted_without_controllers,
        )
        .test(
            "faults::watches_of_compacted_revisions_are_gone",
            faults::watches_of_compacted_revisions_are_gone,
        )
        .test(
            "faults::the_watch_cache_hides_a_compaction",
            faults::the_watch_cache_hides_a_compaction,
        )
        .test(
            "accounts::a_service_account_has_its_role_and_no_more",
            accounts::a_service_account_has_its_role_and_no_more,
        )
        .test(
            "accounts::the_audit_log_shows_what_a_role_lacks",
            accounts::the_audit_log_shows_what_a_role_lacks,
        )
        .test(
            "accounts::a_user_has_a_certificate",
            accounts::a_user_has_a_certificate,
        )
        .test(
            "errors::a_dead_component_shows_its_log",
            errors::a_dead_component_shows_its_log,
        )
        .test(
            "errors::what_is_not_there_is_named",
            errors::what_is_not_there_is_named,
        )
        .test("cleanup::drop_leaves_nothing", cleanup::drop_leaves_nothing)
        .test("cleanup::a_panic_leaves_nothing", cleanup::a_panic_leaves_nothing)
        .test("cleanup::an_exit_leaves_nothing", cleanup::an_exit_leaves_nothing)
        .test(
            "cleanup::an_interrupt_leaves_nothing",
            cleanup::an_interrupt_leaves_nothing,
        )
        .test(
            "cleanup::a_killed_parent_leaves_nothing",
            cleanup::a_killed_parent_leaves_nothing,
        )
        .test(
            "cleanup::the_next_start_removes_leftovers",
            cleanup::the_next_start_removes_leftovers,
        )
        .test("command::runs_until_interrupted", command::runs_until_interrupted)
        .test(
            "command::build_only_prints_the_folder",
            command::build_only_prints_the_folder,
        )
        .test(
            "skipping::tests_that_need_no_controllers_run_without_them",
            skipping::tests_that_need_no_controllers_run_without_them,
        )
        .needing(ControlPlane::builder().with_nodes(1))
        .test(
            "workloads::three_replicas_run_and_are_collected",
            workloads::three_replicas_run_and_are_collected,
        )
        .test(
            "faults::the_api_server_is_killed_and_restarted",
            faults::the_api_server_is_killed_and_restarted,
        )
        .test(
            "faults::every_component_comes_back",
            faults::every_component_comes_back,
        )
        .test("cleanup::stop_leaves_nothing", cleanup::stop_leaves_nothing)
        .needing_nothing()
        .test(
            "skipping::the_suite_counts_ignored_tests",
            skipping::the_suite_counts_ignored_tests,
        )
        .test(
            "skipping::required_makes_it_a_failure",
            skipping::required_makes_it_a_failure,
        )
        .test(
            "skipping::a_plain_test_says_that_it_is_skipped",
            skipping::a_plain_test_says_that_it_is_skipped,
        )
        .run()
}
