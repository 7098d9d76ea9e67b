//! `cargo xtask bench --load`: many Foos at once, for the sample operator, for kube's own `Controller`, and for controller-runtime
//! where Go is installed. All make the same decisions and writes.
//!
//! The work is done by the benchmark `load` of `foo-operator`, on a real control plane; this makes tables of its figures. Most of
//! the time until all Foos are ready is that of the control plane, so the processor time and the memory of the operator's
//! own process count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::goals::Goal;
use super::{Options, controller_runtime};
use crate::amounts;
use crate::table::{Side, Table};
use crate::workspace::{Workspace, finish, shown};

/// The operator on controller-runtime.
const PROGRAM: &str = include_str!("main.go");

/// Names of operators, as the benchmark prints them.
const OURS: &str = "kgen-runtime";
const IN_GO: &str = "controller-runtime";

/// Requests that write, for each Foo, at most.
const WRITES: f64 = 4.0;

/// The number of Foos from which on controller-runtime needs these times the processor time and the memory, at least.
const MANY: u32 = 10_000;
const TIMES_PROCESSOR: f64 = 2.0;
const TIMES_MEMORY: f64 = 3.0;

/// The result of one operator in one round.
#[derive(Debug, Deserialize)]
struct Outcome {
    name: String,
    round: u32,
    foos: u32,
    created_seconds: f64,
    ready_seconds: f64,
    /// The processor time of the operator until all Foos were ready; absent where the system does not tell.
    processor_seconds: Option<f64>,
    /// In bytes; absent where the system does not tell.
    peak_memory: Option<u64>,
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

/// A figure of which less is better.
#[derive(Clone, Copy)]
struct Figure {
    what: &'static str,
    of: fn(&Outcome) -> Option<f64>,
}

const TIME: Figure = Figure {
    what: "the time until all are Ready",
    of: |outcome| Some(outcome.ready_seconds),
};
const PROCESSOR: Figure = Figure {
    what: "the processor time",
    of: |outcome| outcome.processor_seconds,
};
const MEMORY: Figure = Figure {
    what: "the memory",
    of: |outcome| outcome.peak_memory.map(|bytes| per(bytes, 1.0)),
};
const WRITTEN: Figure = Figure {
    what: "the writes",
    of: |outcome| Some(outcome.writes_per_foo()),
};

/// Builds the programs, measures, and prints the figures. With `check`, a missed goal is an error.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let mut command = workspace.cargo();
    command
        .args([
            "build",
            "--profile",
            &options.profile,
            "--package",
            "foo-operator",
        ])
        .args(["--bin", "foo-operator", "--example", "kube_controller"]);
    finish(command)?;
    let temporary = tempfile::tempdir()?;
    let in_go = match !options.no_go && controller_runtime::has_go() {
        true => Some(build_in_go(&temporary.path().join("go"))?),
        false => None,
    };
    let mut outcomes = Vec::new();
    for foos in &options.foos {
        outcomes.extend(measure(workspace, options, *foos, in_go.as_deref())?);
    }
    println!("\n{}", table(&outcomes));
    for outcome in &outcomes {
        println!("{} in round {}: {}", outcome.name, outcome.round, sorts(outcome));
    }
    println!();
    for line in options.foos.iter().flat_map(|foos| comparisons(&outcomes, *foos)) {
        println!("{line}");
    }
    println!();
    let goals = goals(&outcomes);
    for goal in &goals {
        println!("{}", goal.line());
    }
    if options.check && goals.iter().any(Goal::is_missed) {
        bail!("a goal was missed");
    }
    Ok(())
}

/// Builds the operator on controller-runtime.
fn build_in_go(folder: &Path) -> Result<PathBuf> {
    controller_runtime::prepare(folder, "foo", PROGRAM)?;
    let program = folder.join(format!("foo{}", std::env::consts::EXE_SUFFIX));
    let mut build = Command::new("go");
    build.args(["build", "-o"]).arg(&program).current_dir(folder);
    finish(build)?;
    Ok(program)
}

fn measure(
    workspace: &Workspace,
    options: &Options,
    foos: u32,
    in_go: Option<&Path>,
) -> Result<Vec<Outcome>> {
    let mut command = workspace.cargo();
    command
        .args([
            "bench",
            "--profile",
            &options.profile,
            "--package",
            "foo-operator",
        ])
        .args(["--bench", "load", "--"])
        .args([
            "--foos",
            &foos.to_string(),
            "--rounds",
            &options.rounds.to_string(),
        ])
        .stderr(Stdio::inherit());
    if let Some(program) = in_go {
        command.arg("--controller-runtime").arg(program);
    }
    let output = command.output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("`{}` failed ({})", shown(&command), output.status);
    }
    serde_json::from_slice(&output.stdout).context("the benchmark did not print its figures")
}

fn table(outcomes: &[Outcome]) -> String {
    let mut table = Table::new(&[
        ("operator", Side::Left),
        ("Foos", Side::Right),
        ("round", Side::Right),
        ("created", Side::Right),
        ("all Ready", Side::Right),
        ("processor", Side::Right),
        ("memory", Side::Right),
        ("reconciles", Side::Right),
        ("a second", Side::Right),
        ("writes a Foo", Side::Right),
        ("reads a Foo", Side::Right),
        ("steady writes", Side::Right),
    ]);
    for outcome in outcomes {
        let processor = outcome.processor_seconds;
        table.row(vec![
            outcome.name.clone(),
            outcome.foos.to_string(),
            outcome.round.to_string(),
            format!("{:.1} s", outcome.created_seconds),
            format!("{:.1} s", outcome.ready_seconds),
            processor.map_or_else(unknown, |seconds| {
                amounts::time(Duration::from_secs_f64(seconds.max(0.0)))
            }),
            outcome.peak_memory.map_or_else(unknown, amounts::size),
            outcome.reconciles.to_string(),
            format!("{:.0}", per(outcome.reconciles, outcome.ready_seconds)),
            format!("{:.2}", outcome.writes_per_foo()),
            format!("{:.2}", per(outcome.reads, f64::from(outcome.foos))),
            format!("{} in {} s", outcome.steady_writes, outcome.steady_seconds),
        ]);
    }
    table.render()
}

fn unknown() -> String {
    "unknown".to_owned()
}

/// Returns the requests by verb and resource.
fn sorts(outcome: &Outcome) -> String {
    let sorts = outcome.requests.iter();
    let sorts: Vec<_> = sorts.map(|(sort, count)| format!("{count} {sort}")).collect();
    sorts.join(", ")
}

/// Compares the other operators with ours, one line each.
fn comparisons(outcomes: &[Outcome], foos: u32) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for outcome in outcomes {
        if outcome.name != OURS && !names.contains(&outcome.name.as_str()) {
            names.push(&outcome.name);
        }
    }
    names.sort_unstable();
    let compare = |name: &str| {
        let figures = [TIME, PROCESSOR, MEMORY, WRITTEN];
        let texts = figures.into_iter().filter_map(|figure| {
            let ratios = ratios(outcomes, foos, name, figure);
            let middle = median(&ratios)?;
            let (least, most) = (ratios.first()?, ratios.last()?);
            Some(format!(
                "{middle:.2} times {} ({least:.2} to {most:.2})",
                figure.what
            ))
        });
        let texts: Vec<_> = texts.collect();
        (!texts.is_empty()).then(|| {
            let foos = amounts::count(usize::try_from(foos).unwrap_or(usize::MAX));
            format!("{foos} Foos, {name}: {} of {OURS}", texts.join(", "))
        })
    };
    names.into_iter().filter_map(compare).collect()
}

/// Returns how many times the figure of ours another operator has, in each round, the smallest ratio first.
fn ratios(outcomes: &[Outcome], foos: u32, name: &str, figure: Figure) -> Vec<f64> {
    let of = |name: &str, round: u32| {
        let mut found = outcomes.iter();
        let outcome =
            found.find(|outcome| outcome.foos == foos && outcome.round == round && outcome.name == name);
        outcome.and_then(figure.of)
    };
    let rounds = outcomes.iter().map(|outcome| outcome.round).max().unwrap_or(0);
    let ratios = (1..=rounds).filter_map(|round| Some(of(name, round)? / of(OURS, round)?));
    let mut ratios: Vec<f64> = ratios.filter(|ratio| ratio.is_finite()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios
}

/// Returns the median of sorted values, the lower one of two.
fn median(sorted: &[f64]) -> Option<f64> {
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

fn goals(outcomes: &[Outcome]) -> Vec<Goal> {
    let ours = || outcomes.iter().filter(|outcome| outcome.name == OURS);
    let writes = ours().map(Outcome::writes_per_foo).fold(0.0, f64::max);
    let steady: u64 = ours().map(|outcome| outcome.steady_writes).sum();
    let against_go = |foos: u32, times: f64, figure: Figure| {
        let ratios = ratios(outcomes, foos, IN_GO, figure);
        let what = format!(
            "{} Foos: {IN_GO} has at least {times} times {}",
            amounts::count(usize::try_from(foos).unwrap_or(usize::MAX)),
            figure.what
        );
        match median(&ratios) {
            Some(ratio) => Goal::measured(what, format!("{ratio:.2} times"), ratio >= times),
            None => Goal::not_measured(what),
        }
    };
    let mut sizes: BTreeSet<u32> = outcomes.iter().map(|outcome| outcome.foos).collect();
    sizes.retain(|foos| *foos >= MANY);
    if sizes.is_empty() {
        sizes.insert(MANY);
    }
    let mut goals = vec![
        Goal::measured(
            format!("at most {WRITES} writes a Foo"),
            format!("{writes:.2}"),
            writes <= WRITES,
        ),
        Goal::measured(
            "no writes in the steady state".to_owned(),
            amounts::count(usize::try_from(steady).unwrap_or(usize::MAX)),
            steady == 0,
        ),
    ];
    for foos in sizes {
        goals.push(against_go(foos, TIMES_PROCESSOR, PROCESSOR));
        goals.push(against_go(foos, TIMES_MEMORY, MEMORY));
    }
    goals
}

#[allow(
    clippy::cast_precision_loss,
    reason = "counts of requests and bytes of memory are small"
)]
fn per(count: u64, divisor: f64) -> f64 {
    count as f64 / divisor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(name: &str, round: u32, (foos, ready, processor, memory): (u32, f64, f64, u64)) -> Outcome {
        Outcome {
            name: name.to_owned(),
            round,
            foos,
            created_seconds: 1.0,
            ready_seconds: ready,
            processor_seconds: Some(processor),
            peak_memory: Some(memory),
            reconciles: 800,
            requests: BTreeMap::from([
                ("create deployments".to_owned(), 100),
                ("patch foos/status".to_owned(), 350),
                ("list foos".to_owned(), 1),
            ]),
            writes: u64::from(foos) * 9 / 2,
            reads: 1,
            steady_seconds: 60,
            steady_writes: 0,
        }
    }

    #[test]
    fn what_was_found_becomes_a_table_and_goals() {
        let outcomes = [
            outcome("kgen-runtime", 1, (100, 4.0, 0.5, 20_000_000)),
            outcome("controller-runtime", 1, (100, 5.0, 1.0, 90_000_000)),
        ];
        insta::assert_snapshot!(table(&outcomes), @"
        operator            Foos  round  created  all Ready  processor   memory  reconciles  a second  writes a Foo  reads a Foo  steady writes
        kgen-runtime         100      1    1.0 s      4.0 s     500 ms  20.0 MB         800       200          4.50         0.01      0 in 60 s
        controller-runtime   100      1    1.0 s      5.0 s     1.00 s  90.0 MB         800       160          4.50         0.01      0 in 60 s
        ");
        assert_eq!(
            sorts(&outcomes[0]),
            "100 create deployments, 1 list foos, 350 patch foos/status"
        );
        let goals: Vec<_> = goals(&outcomes).iter().map(Goal::line).collect();
        assert_eq!(
            goals,
            [
                "MISS  at most 4 writes a Foo: 4.50",
                "PASS  no writes in the steady state: 0",
                "  -   10,000 Foos: controller-runtime has at least 2 times the processor time: not measured",
                "  -   10,000 Foos: controller-runtime has at least 3 times the memory: not measured",
            ]
        );
    }

    #[test]
    fn rounds_are_compared_one_by_one() {
        let many = |ready, processor, memory| (10_000, ready, processor, memory);
        let outcomes = [
            outcome("kgen-runtime", 1, many(100.0, 10.0, 50_000_000)),
            outcome("kube's Controller", 1, many(110.0, 12.0, 60_000_000)),
            outcome("controller-runtime", 1, many(120.0, 30.0, 200_000_000)),
            outcome("controller-runtime", 2, many(120.0, 24.0, 140_000_000)),
            outcome("kube's Controller", 2, many(110.0, 12.0, 60_000_000)),
            outcome("kgen-runtime", 2, many(100.0, 8.0, 50_000_000)),
            outcome("controller-runtime", 3, many(120.0, 10.0, 140_000_000)),
            outcome("kgen-runtime", 3, many(100.0, 10.0, 50_000_000)),
        ];
        assert_eq!(
            comparisons(&outcomes, 10_000),
            [
                "10,000 Foos, controller-runtime: 1.20 times the time until all are Ready (1.20 to 1.20), \
                 3.00 times the processor time (1.00 to 3.00), 2.80 times the memory (2.80 to 4.00), \
                 1.00 times the writes (1.00 to 1.00) of kgen-runtime",
                "10,000 Foos, kube's Controller: 1.10 times the time until all are Ready (1.10 to 1.10), \
                 1.20 times the processor time (1.20 to 1.50), 1.20 times the memory (1.20 to 1.20), \
                 1.00 times the writes (1.00 to 1.00) of kgen-runtime",
            ]
        );
        let goals: Vec<_> = goals(&outcomes).iter().skip(2).map(Goal::line).collect();
        assert_eq!(
            goals,
            [
                "PASS  10,000 Foos: controller-runtime has at least 2 times the processor time: 3.00 times",
                "MISS  10,000 Foos: controller-runtime has at least 3 times the memory: 2.80 times",
            ]
        );
    }
}
