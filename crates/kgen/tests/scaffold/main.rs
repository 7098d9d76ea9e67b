//! New projects: the commands are run, and cargo does not report problems with the result. On a real control plane the
//! operator then runs as deployed, with its webhooks.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

mod deployed;
mod project;
mod tutorial;

use std::error::Error;
use std::process::ExitCode;

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Suite;

/// The result of a test, or of a part of a test.
type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder().with_nodes(1))
        .test("a_project_of_style_kgen_runs_in_a_cluster", || {
            deployed::runs("kgen")
        })
        .test("a_project_of_style_kube_runs_in_a_cluster", || {
            deployed::runs("kube")
        })
        .test(
            "the_tutorial_leads_to_a_running_operator",
            tutorial::leads_to_a_running_operator,
        )
        .needing_nothing()
        .test("a_project_of_style_kgen_is_sound", || project::is_sound("kgen"))
        .test("a_project_of_style_kube_is_sound", || project::is_sound("kube"))
        .test(
            "the_tutorial_leads_to_a_sound_project",
            tutorial::leads_to_a_sound_project,
        )
        .run()
}
