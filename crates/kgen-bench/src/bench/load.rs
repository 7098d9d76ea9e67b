//! `cargo xtask bench --load`: a thousand Foos at once, for the sample operator and for kube's own `Controller` that makes the
//! same decisions and writes.
//!
//! The work is done by the benchmark `load` of `foo-operator`, on a real control plane; this makes a table of its figures.

use std::collections::BTreeMap;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::goals::Goal;
use crate::amounts;
use crate::table::{Side, Table};
use crate::workspace::{Workspace, finish, shown};

/// Requests that write, for each Foo, at most.
const WRITES: f64 = 4.0;

/// The result of one operator.
#[derive(Debug, Deserialize)]
struct Outcome {
    name: String,
    foos: u32,
    created_seconds: f64,
    ready_seconds: f64,
    reconciles: u64,
    requests: BTreeMap<String, u64>,
    writes: u64,
    reads: u64,
    steady_seconds: u64,
    steady_writes: u64,
}

impl Outcome {
    fn writes_per_foo(&self) -> f64 {
        per(self.writes, f64::from(self.foos))
    }
}

/// Builds both programs, measures, and prints the figures. With `check`, a missed goal is an error.
pub fn run(workspace: &Workspace, profile: &str, check: bool) -> Result<()> {
    let mut command = workspace.cargo();
    command
        .args(["build", "--profile", profile, "--package", "foo-operator"])
        .args(["--bin", "foo-operator", "--example", "kube_controller"]);
    finish(command)?;
    let mut command = workspace.cargo();
    command
        .args(["bench", "--profile", profile, "--package", "foo-operator"])
        .args(["--bench", "load"])
        .stderr(Stdio::inherit());
    let output = command.output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("`{}` failed ({})", shown(&command), output.status);
    }
    let outcomes: Vec<Outcome> =
        serde_json::from_slice(&output.stdout).context("the benchmark did not print its figures")?;
    println!("\n{}", table(&outcomes));
    for outcome in &outcomes {
        println!("{}: {}", outcome.name, sorts(outcome));
    }
    if let [kgen, kube] = &outcomes[..] {
        let ratio = kube.ready_seconds / kgen.ready_seconds;
        let writes = kube.writes_per_foo() / kgen.writes_per_foo();
        println!(
            "\n{} took {ratio:.2} times as long as {}, and wrote {writes:.2} times as often",
            kube.name, kgen.name
        );
    }
    println!();
    let goals: Vec<Goal> = outcomes.iter().flat_map(goals).collect();
    for goal in &goals {
        println!("{}", goal.line());
    }
    // The results of kube are for comparison.
    if check && goals.iter().take(goals.len() / 2).any(Goal::is_missed) {
        bail!("a goal was missed");
    }
    Ok(())
}

fn table(outcomes: &[Outcome]) -> String {
    let mut table = Table::new(&[
        ("operator", Side::Left),
        ("Foos", Side::Right),
        ("created", Side::Right),
        ("all Ready", Side::Right),
        ("reconciles", Side::Right),
        ("a second", Side::Right),
        ("writes a Foo", Side::Right),
        ("reads a Foo", Side::Right),
        ("steady writes", Side::Right),
    ]);
    for outcome in outcomes {
        table.row(vec![
            outcome.name.clone(),
            outcome.foos.to_string(),
            format!("{:.1} s", outcome.created_seconds),
            format!("{:.1} s", outcome.ready_seconds),
            outcome.reconciles.to_string(),
            format!("{:.0}", per(outcome.reconciles, outcome.ready_seconds)),
            format!("{:.2}", outcome.writes_per_foo()),
            format!("{:.2}", per(outcome.reads, f64::from(outcome.foos))),
            format!("{} in {} s", outcome.steady_writes, outcome.steady_seconds),
        ]);
    }
    table.render()
}

/// Returns the requests by verb and resource.
fn sorts(outcome: &Outcome) -> String {
    let sorts = outcome.requests.iter();
    let sorts: Vec<_> = sorts.map(|(sort, count)| format!("{count} {sort}")).collect();
    sorts.join(", ")
}

fn goals(outcome: &Outcome) -> [Goal; 2] {
    let writes = outcome.writes_per_foo();
    [
        Goal::measured(
            format!("{}: at most {WRITES} writes a Foo", outcome.name),
            format!("{writes:.2}"),
            writes <= WRITES,
        ),
        Goal::measured(
            format!("{}: no writes in the steady state", outcome.name),
            amounts::count(usize::try_from(outcome.steady_writes).unwrap_or(usize::MAX)),
            outcome.steady_writes == 0,
        ),
    ]
}

#[allow(clippy::cast_precision_loss, reason = "counts of requests are small")]
fn per(count: u64, divisor: f64) -> f64 {
    count as f64 / divisor
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: &str = r#"[{ "name": "kgen-runtime", "foos": 100, "created_seconds": 1.0, "ready_seconds": 4.0,
        "reconciles": 800, "requests": { "create deployments": 100, "patch foos/status": 350, "list foos": 1 },
        "writes": 450, "reads": 1, "steady_seconds": 60, "steady_writes": 0 }]"#;

    #[test]
    fn what_was_found_becomes_a_table_and_goals() {
        let outcomes: Vec<Outcome> = serde_json::from_str(FOUND).unwrap();
        insta::assert_snapshot!(table(&outcomes), @"
        operator      Foos  created  all Ready  reconciles  a second  writes a Foo  reads a Foo  steady writes
        kgen-runtime   100    1.0 s      4.0 s         800       200          4.50         0.01      0 in 60 s
        ");
        assert_eq!(
            sorts(&outcomes[0]),
            "100 create deployments, 1 list foos, 350 patch foos/status"
        );
        assert_eq!(
            goals(&outcomes[0]).map(|goal| goal.line()),
            [
                "MISS  kgen-runtime: at most 4 writes a Foo: 4.50",
                "PASS  kgen-runtime: no writes in the steady state: 0"
            ]
        );
    }
}
