//! Helm charts and OLM bundles of `testdata/cases`, of new projects and of the operators of this repository, judged by the tools
//! of their users: Helm, `operator-verify` and the API server. New projects are also judged by `actionlint`, `hadolint` and
//! `shellcheck`.
//!
//! The tools are built once with Go, or downloaded once with pip. `KGEN_JUDGES=all` adds operator-sdk, whose build takes long.
//! Without Go, and with `KGEN_E2E=off`, the tests count as ignored.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

#[path = "../support/mod.rs"]
mod support;

#[path = "../scaffold/project.rs"]
#[allow(dead_code, reason = "each target uses a part of it")]
mod project;

mod bundles;
mod charts;
mod cluster;
mod made;
mod projects;
mod tools;
mod wheels;

use std::path::Path;
use std::process::{Command, ExitCode, Output};

use kgen_testenv::skip::Policy;
use libtest_mimic::{Arguments, Trial};

use tools::{ACTIONLINT, HELM_3, HELM_4, Judge, OPERATOR_SDK, OPERATOR_VERIFY};
use wheels::{HADOLINT, SHELLCHECK};

/// The result of a test or a step of it.
type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A test with the program of its tool.
type Test = fn(&Path);

const CHARTS: &[(&str, Test)] = &[
    ("lint_has_only_the_hint_about_icons", charts::lint),
    ("defaults_are_the_manifests", charts::defaults),
    ("every_value_has_its_effect", charts::effects),
    ("long_names_are_valid_and_unique", charts::names),
    ("wrong_values_are_refused", charts::refusals),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let policy = Policy::from_environment();
    let mut trials = Vec::new();
    let mut add = |tool: &'static dyn Judge, name: &str, test: Test| {
        let reason = match policy {
            _ if arguments.list => None,
            Policy::Off => Some("KGEN_E2E=off".to_owned()),
            Policy::WhereAvailable => tool.reason_to_skip(),
            _ => None,
        };
        if let Some(reason) = &reason {
            println!("SKIPPED, counted as ignored: {}::{name}: {reason}", tool.name());
        }
        let run = move || {
            test(&tool.path()?);
            Ok(())
        };
        let trial = Trial::test(format!("{}::{name}", tool.name()), run);
        trials.push(trial.with_ignored_flag(reason.is_some()));
    };
    for helm in [&HELM_3, &HELM_4] {
        for (name, test) in CHARTS {
            add(helm, name, *test);
        }
    }
    add(&OPERATOR_VERIFY, "has_no_remarks", bundles::verify);
    if tools::all_are_wanted() {
        add(&OPERATOR_SDK, "has_no_remarks", bundles::validate);
    }
    add(&ACTIONLINT, "accepts_the_workflows", projects::workflows);
    add(&ACTIONLINT, "refuses_a_wrong_workflow", projects::wrong_workflow);
    add(&HADOLINT, "accepts_the_images", projects::dockerfiles);
    add(&SHELLCHECK, "accepts_the_scripts", projects::scripts);
    let tools = libtest_mimic::run(&arguments, trials);
    let server = cluster::suite().run();
    if tools.has_failed() {
        tools.exit_code()
    } else {
        server
    }
}

/// Runs a tool, and returns its output.
fn run(tool: &Path, arguments: &[&str]) -> Output {
    Command::new(tool)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", tool.display()))
}

/// Returns everything that a tool printed.
fn printed(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
