//! Everything that CI checks, as one table of steps.
//!
//! All steps run, also after one has failed, so that a single run shows all there is to repair.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::codegen::{self, Mode};
use crate::table::{Side, Table};
use crate::workspace::{Workspace, finish, shown};
use crate::{amounts, book, e2e, new_marker};

/// One check.
struct Step {
    name: &'static str,
    work: Work,
    /// Why there is nothing to check, if so.
    skip: fn(&Workspace) -> Option<String>,
}

enum Work {
    /// A cargo command with its environment.
    Cargo(&'static [&'static str], &'static [(&'static str, &'static str)]),
    /// Another chore, and how one would start it.
    Chore(&'static str, fn(&Workspace) -> Result<()>),
}

/// The steps, those that fail fastest first. Clippy and the documentation share what they check, and one call of
/// `cargo test` builds what all tests need.
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
        work: Work::Cargo(&["test", "--workspace", "--no-fail-fast"], &[("KGEN_E2E", "off")]),
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
            // No library of ours chooses a version of Kubernetes, and without tests nobody else does. The tests' version.
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
            codegen::run(workspace, Mode::Check)
        }),
        skip: never,
    },
    Step {
        name: "book",
        work: Work::Chore("cargo xtask book", book::run),
        skip: never,
    },
    Step {
        name: "verify",
        work: Work::Cargo(&["run", "--quiet", "--package", "kgen-cli", "--", "verify"], &[]),
        skip: |workspace| {
            let is_there = workspace.path("kgen.toml").exists();
            (!is_there).then(|| "there is no kgen.toml".to_owned())
        },
    },
    Step {
        name: "new-marker",
        work: Work::Chore("cargo xtask new-marker --trial", new_marker::trial_all),
        skip: never,
    },
];

fn never(_: &Workspace) -> Option<String> {
    None
}

/// How a step ended.
#[derive(PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    /// Why it did not run.
    Skipped(String),
}

/// Runs all steps; whether none of them failed. The count is the last line, for people and for programs.
pub fn run(workspace: &Workspace) -> bool {
    let mut results = Vec::new();
    for step in STEPS {
        let begin = Instant::now();
        let outcome = run_step(workspace, step);
        results.push((step.name, outcome, begin.elapsed()));
    }
    println!("\n{}", summary(&results));
    results.iter().all(|(_, outcome, _)| *outcome != Outcome::Failed)
}

fn run_step(workspace: &Workspace, step: &Step) -> Outcome {
    if let Some(reason) = (step.skip)(workspace) {
        println!("\n── {}: skipped, {reason}", step.name);
        return Outcome::Skipped(reason);
    }
    let result = match step.work {
        Work::Cargo(arguments, environment) => {
            let mut command = workspace.cargo();
            command.args(arguments).envs(environment.iter().copied());
            println!("\n── {}: {}", step.name, shown(&command));
            finish(command)
        }
        Work::Chore(typed, chore) => {
            println!("\n── {}: {typed}", step.name);
            chore(workspace)
        }
    };
    match result {
        Ok(()) => Outcome::Passed,
        Err(error) => {
            eprintln!("error: {error:#}");
            Outcome::Failed
        }
    }
}

/// The steps with their times, and the count as the last line.
fn summary(results: &[(&str, Outcome, Duration)]) -> String {
    let mut table = Table::new(&[
        ("step", Side::Left),
        ("time", Side::Right),
        ("result", Side::Left),
    ]);
    for (name, outcome, took) in results {
        let (took, result) = match outcome {
            Outcome::Passed => (amounts::time(*took), "passed".to_owned()),
            Outcome::Failed => (amounts::time(*took), "FAILED".to_owned()),
            Outcome::Skipped(reason) => (String::new(), format!("skipped, {reason}")),
        };
        table.row(vec![(*name).to_owned(), took, result]);
    }
    let count = |wanted| {
        results
            .iter()
            .filter(|(_, outcome, _)| *outcome == wanted)
            .count()
    };
    format!(
        "{}\n{} passed, {} failed",
        table.render(),
        count(Outcome::Passed),
        count(Outcome::Failed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_ends_with_the_count_alone() {
        let results = [
            ("format", Outcome::Passed, Duration::from_millis(800)),
            ("test", Outcome::Failed, Duration::from_secs(90)),
            (
                "verify",
                Outcome::Skipped("there is no kgen.toml".to_owned()),
                Duration::ZERO,
            ),
        ];
        let expected = "\
step          time  result
format      800 ms  passed
test    1 min 30 s  FAILED
verify              skipped, there is no kgen.toml

1 passed, 1 failed";
        assert_eq!(summary(&results), expected);
    }
}
