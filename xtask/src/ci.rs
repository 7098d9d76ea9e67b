//! Everything that CI checks, as one table of steps.
//!
//! All steps run, even after a failure, so that one run shows all problems. Each step prints its name and its duration;
//! the summary counts the tests.

use std::fmt::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::codegen::{self, Mode};
use crate::table::{Side, Table};
use crate::test_output::{self, Counts};
use crate::workspace::{Workspace, finish, shown};
use crate::{amounts, book, e2e, msrv, new_marker, snapshots};

/// The options of `ci`.
#[derive(clap::Args)]
pub struct Options {
    /// Run only these steps [default: all]
    steps: Vec<String>,
}

/// One check.
struct Step {
    name: &'static str,
    work: Work,
    /// The reason why the step is skipped, if any.
    skip: fn(&Workspace) -> Option<String>,
}

enum Work {
    /// A cargo command with its environment.
    Cargo(&'static [&'static str], &'static [(&'static str, &'static str)]),
    /// The same for a command that runs all tests, which are counted, and whose snapshots must all be used.
    Tests(&'static [&'static str], &'static [(&'static str, &'static str)]),
    /// Another chore with the command that starts it. It returns the number of tests that it ran.
    Chore(&'static str, fn(&Workspace) -> Result<Counts>),
}

/// The steps, those that fail fastest first. Clippy and the documentation share their checks, and one call of `cargo
/// test` builds everything for the tests.
const STEPS: &[Step] = &[
    Step {
        name: "format",
        work: Work::Cargo(&["fmt", "--all", "--check"], &[]),
        skip: never,
    },
    Step {
        name: "clippy",
        work: Work::Cargo(
            &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
            &[],
        ),
        skip: never,
    },
    Step {
        name: "test",
        // The tests that need a control plane are a step of their own.
        work: Work::Tests(&["test", "--workspace", "--no-fail-fast"], &[("KGEN_E2E", "off")]),
        skip: never,
    },
    Step {
        name: "e2e",
        work: Work::Chore("cargo xtask e2e", e2e::run_all),
        skip: |_| e2e::reason_to_skip(),
    },
    Step {
        name: "doc",
        work: Work::Cargo(
            &[
                "doc",
                "--workspace",
                "--no-deps",
                "--features",
                "kgen-runtime/webhook",
            ],
            // Our libraries do not choose a version of Kubernetes; without tests, this is necessary. It is the version
            // of the tests.
            &[
                ("RUSTDOCFLAGS", "-D warnings"),
                ("K8S_OPENAPI_ENABLED_VERSION", "1.37"),
            ],
        ),
        skip: never,
    },
    Step {
        name: "codegen",
        work: Work::Chore("cargo xtask codegen --check", |workspace| {
            codegen::run(workspace, Mode::Check).map(no_tests)
        }),
        skip: never,
    },
    Step {
        name: "book",
        work: Work::Chore("cargo xtask book", |workspace| book::run(workspace).map(no_tests)),
        skip: never,
    },
    Step {
        name: "verify",
        work: Work::Cargo(&["run", "--package", "kgen-cli", "--", "verify"], &[]),
        skip: |workspace| {
            let is_there = workspace.path("kgen.toml").exists();
            (!is_there).then(|| "there is no kgen.toml".to_owned())
        },
    },
    Step {
        name: "msrv",
        work: Work::Chore("cargo xtask msrv", |workspace| msrv::run(workspace).map(no_tests)),
        skip: never,
    },
    Step {
        name: "new-marker",
        work: Work::Chore("cargo xtask new-marker --trial", |workspace| {
            new_marker::trial_all(workspace).map(no_tests)
        }),
        skip: never,
    },
];

fn never(_: &Workspace) -> Option<String> {
    None
}

fn no_tests(_: ()) -> Counts {
    Counts::default()
}

/// How a step ended.
#[derive(PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    /// Why it did not run.
    Skipped(String),
}

/// The result of a step.
struct StepResult {
    name: &'static str,
    outcome: Outcome,
    tests: Counts,
    took: Duration,
    /// The failure, if any.
    error: Option<String>,
}

/// Runs all steps, and returns whether all succeeded. The last line has the number of steps, for people and for
/// programs.
///
/// # Errors
/// Returns an error if a step does not exist.
pub fn run(workspace: &Workspace, options: &Options) -> Result<bool> {
    if let Some(unknown) = options
        .steps
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != **name))
    {
        let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        bail!("there is no step `{unknown}`; there is {}", known.join(", "));
    }
    let wanted =
        |step: &&Step| options.steps.is_empty() || options.steps.iter().any(|name| name == step.name);
    let steps: Vec<&Step> = STEPS.iter().filter(wanted).collect();
    let mut results = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let begin = Instant::now();
        let place = format!("{} of {}", index + 1, steps.len());
        let (outcome, tests, error) = run_step(workspace, step, &place);
        let took = begin.elapsed();
        match &outcome {
            Outcome::Passed => println!("── {}: passed in {}", step.name, amounts::time(took)),
            Outcome::Failed => println!("── {}: FAILED after {}", step.name, amounts::time(took)),
            Outcome::Skipped(_) => {}
        }
        results.push(StepResult {
            name: step.name,
            outcome,
            tests,
            took,
            error,
        });
    }
    println!("\n{}{}", failures(&results), summary(&results));
    Ok(results.iter().all(|result| result.outcome != Outcome::Failed))
}

fn run_step(workspace: &Workspace, step: &Step, place: &str) -> (Outcome, Counts, Option<String>) {
    let begin = |typed: &str| println!("\n── {place}, {}: {typed}", step.name);
    if let Some(reason) = (step.skip)(workspace) {
        begin(&format!("skipped, {reason}"));
        return (Outcome::Skipped(reason), Counts::default(), None);
    }
    let mut tests = Counts::default();
    let result = match step.work {
        Work::Cargo(arguments, environment) => {
            let mut command = workspace.cargo();
            command.args(arguments).envs(environment.iter().copied());
            begin(&shown(&command));
            finish(command)
        }
        Work::Tests(arguments, environment) => {
            let mut command = workspace.cargo();
            command.args(arguments).envs(environment.iter().copied());
            begin(&shown(&command));
            run_tests(workspace, command, &mut tests)
        }
        Work::Chore(typed, chore) => {
            begin(typed);
            chore(workspace).map(|counts| tests = counts)
        }
    };
    match result {
        Ok(()) => (Outcome::Passed, tests, None),
        Err(error) => {
            let error = format!("{error:#}");
            eprintln!("error: {error}");
            (Outcome::Failed, tests, Some(error))
        }
    }
}

/// Runs a command that runs all tests, and counts them, also if it fails. Every snapshot must belong to one of the tests.
fn run_tests(workspace: &Workspace, mut command: Command, tests: &mut Counts) -> Result<()> {
    let typed = shown(&command);
    snapshots::only_compare(&mut command);
    let references = snapshots::References::of(workspace, &mut command)?;
    let report = test_output::follow(command)?;
    *tests = report.counts();
    if !report.has_succeeded() {
        bail!("`{typed}` failed\n{}", report.failures());
    }
    references.check(workspace)
}

/// Returns the errors of all steps once more, because the first ones are far up.
fn failures(results: &[StepResult]) -> String {
    let mut text = String::new();
    for result in results {
        if let Some(error) = &result.error {
            let _ = writeln!(text, "── {} has failed: {}\n", result.name, error.trim_end());
        }
    }
    text
}

/// Returns the steps with their times and tests, and the count of steps as the last line.
fn summary(results: &[StepResult]) -> String {
    let mut table = Table::new(&[
        ("step", Side::Left),
        ("time", Side::Right),
        ("tests", Side::Right),
        ("result", Side::Left),
    ]);
    let mut all = Counts::default();
    let mut time = Duration::ZERO;
    for result in results {
        all.add(result.tests);
        time += result.took;
        let (took, word) = match &result.outcome {
            Outcome::Passed => (amounts::time(result.took), "passed".to_owned()),
            Outcome::Failed => (amounts::time(result.took), "FAILED".to_owned()),
            Outcome::Skipped(reason) => (String::new(), format!("skipped, {reason}")),
        };
        let tests = if result.tests == Counts::default() {
            String::new()
        } else {
            result.tests.text()
        };
        table.row(vec![result.name.to_owned(), took, tests, word]);
    }
    let count = |wanted| results.iter().filter(|result| result.outcome == wanted).count();
    format!(
        "{}\ntests: {} passed, {} failed, {} ignored\ntime: {}\n{} passed, {} failed",
        table.render(),
        amounts::count(all.passed),
        amounts::count(all.failed),
        amounts::count(all.ignored),
        amounts::time(time),
        count(Outcome::Passed),
        count(Outcome::Failed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_repeats_failures_counts_tests_and_ends_with_the_steps() {
        let result = |name, outcome, milliseconds, passed, failed| StepResult {
            name,
            outcome,
            tests: Counts {
                passed,
                failed,
                ignored: 0,
            },
            took: Duration::from_millis(milliseconds),
            error: (failed > 0).then(|| "`cargo test` failed\n---- a ----\nleft is not right\n".to_owned()),
        };
        let results = [
            result("format", Outcome::Passed, 800, 0, 0),
            result("test", Outcome::Failed, 90_000, 1200, 1),
            result(
                "verify",
                Outcome::Skipped("there is no kgen.toml".to_owned()),
                0,
                0,
                0,
            ),
        ];
        insta::assert_snapshot!(failures(&results), @"
        ── test has failed: `cargo test` failed
        ---- a ----
        left is not right

        ");
        insta::assert_snapshot!(summary(&results), @"
        step          time           tests  result
        format      800 ms                  passed
        test    1 min 30 s  1,200 of 1,201  FAILED
        verify                              skipped, there is no kgen.toml

        tests: 1,200 passed, 1 failed, 0 ignored
        time: 1 min 30 s
        1 passed, 1 failed
        ");
    }
}
