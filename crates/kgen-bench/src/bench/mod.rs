//! `cargo xtask bench`: how long kgen takes and how much memory, beside the real controller-gen.
//!
//! A benchmark is not a test: a missed goal is an error only with `--check`. Sizes and tools alternate, round by round,
//! so that other load on the machine affects all equally.

mod api;
mod compare;
pub mod controller_gen;
mod controller_runtime;
mod conversion;
mod diff;
mod docs;
mod editor;
mod fake;
mod go_program;
mod goals;
mod load;
pub mod measure;
mod pods;
mod project;
mod report;
mod rounds;
mod runtime;
mod stages;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::builder::RangedU64ValueParser;

use self::controller_gen::ControllerGen;
use self::goals::Goal;
use self::pods::Pods;
use self::report::Report;
use self::rounds::Tools;
use crate::workspace::{Workspace, finish};

/// The options of `bench`.
#[derive(clap::Args)]
pub struct Options {
    /// Numbers of kinds in the APIs.
    #[arg(long, value_delimiter = ',', default_value = "1,10,100,1000", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    kinds: Vec<usize>,
    /// Number of runs of kgen per API.
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Number of runs of controller-gen per API; by default the same as for kgen.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    go_runs: u32,
    /// Do not measure controller-gen.
    #[arg(long)]
    no_go: bool,
    /// Measure the runtime instead: caches compared with kube's, webhooks compared with axum's, and the build time of generated
    /// code.
    #[arg(long)]
    runtime: bool,
    /// Measure many Foos on a real control plane instead: the sample operator compared with kube's own Controller and, if Go is
    /// installed, with controller-runtime.
    #[arg(long, conflicts_with = "runtime")]
    load: bool,
    /// Numbers of Foos.
    #[arg(long, value_delimiter = ',', default_value = "1000", requires = "load", value_parser = clap::value_parser!(u32).range(1..))]
    foos: Vec<u32>,
    /// Number of rounds. Each one runs all operators once, in the opposite order of the round before.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "load", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measure the in-memory cluster instead, in the profile of tests.
    #[arg(long, conflicts_with_all = ["runtime", "load"])]
    fake: bool,
    /// Measure conversions between versions instead: reviews compared with serde_json and with controller-runtime's handler.
    #[arg(long, conflicts_with_all = ["fake", "runtime", "load"])]
    conversion: bool,
    /// Measure the language server instead: from a keystroke to its diagnostics, and completion.
    #[arg(long, conflicts_with_all = ["conversion", "fake", "runtime", "load"])]
    editor: bool,
    /// Measure the generators of pages and packages instead: `kgen docs` compared with crd-ref-docs, and all with `kgen crd`.
    #[arg(long, conflicts_with_all = ["conversion", "editor", "fake", "runtime", "load"])]
    docs: bool,
    /// Measure `kgen diff` instead, compared with crdify, and compare the verdicts of both on all pairs of the tests.
    #[arg(long, conflicts_with_all = ["conversion", "docs", "editor", "fake", "runtime", "load"])]
    diff: bool,
    /// Count the instructions of each stage with callgrind instead, so that noise does not decide. Up to 100 kinds are counted.
    #[arg(long, conflicts_with_all = ["conversion", "diff", "docs", "editor", "fake", "runtime", "load"])]
    profile_stages: bool,
    /// Compare with this earlier program, built with `CARGO_PROFILE_RELEASE_STRIP=none`.
    #[arg(long, value_name = "FILE", requires = "profile_stages")]
    against: Option<PathBuf>,
    /// Cargo profile of both programs.
    #[arg(long, value_name = "NAME", default_value = "release", requires = "load")]
    profile: String,
    /// Also write all measurements to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Fail if a goal is missed.
    #[arg(long)]
    check: bool,
    /// Measure this program instead of building kgen.
    #[arg(long, value_name = "FILE")]
    kgen: Option<PathBuf>,
    /// Write the APIs and the generated files to this folder and keep them.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// Measures, prints the tables, and reports which goals were reached.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    if options.load {
        return load::run(workspace, options);
    }
    if options.fake {
        return fake::run(workspace, options.check);
    }
    if options.conversion {
        return conversion::run(workspace, !options.no_go, options.check);
    }
    if options.profile_stages {
        return stages::run(workspace, options);
    }
    let kgen = match &options.kgen {
        Some(program) => fs::canonicalize(program).with_context(|| format!("no {}", program.display()))?,
        None => build(workspace)?,
    };
    if options.runtime {
        return runtime::run(workspace, &kgen);
    }
    if options.editor {
        return editor::run(&kgen, options.check);
    }
    if options.diff {
        return diff::run(workspace, &kgen, options.check);
    }
    if options.docs {
        return docs::run(workspace, &kgen, options.check);
    }
    let controller_gen = if options.no_go {
        None
    } else {
        ControllerGen::find_or_install()?
    };
    let go_runs = if controller_gen.is_some() {
        options.go_runs
    } else {
        0
    };
    let tools = Tools {
        kgen,
        runs: options.runs,
        controller_gen,
        go_runs,
        go_project: workspace.path("testdata/cli/init-from/input/harbor"),
    };
    // Dropping it removes it, so it stays until the end.
    let temporary = tempfile::tempdir()?;
    let folder = match &options.keep {
        Some(folder) => std::path::absolute(folder)?,
        None => temporary.path().to_path_buf(),
    };
    let mut report = Report {
        environment: environment(tools.controller_gen.as_ref()),
        ..Report::default()
    };
    let pods = Pods::new(workspace, &folder, tools.controller_gen.is_some())?;
    rounds::measure_all(&tools, &options.kinds, &pods, &folder, &mut report)?;
    show(&report, options)
}

/// Returns the release build of kgen.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let mut command = workspace.cargo();
    command.args(["build", "--release", "--package", "kgen-cli"]);
    finish(command)?;
    let program = format!("kgen{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target_folder()?.join("release").join(program))
}

/// Returns the information that a reader needs to judge the figures.
fn environment(controller_gen: Option<&ControllerGen>) -> Vec<(&'static str, String)> {
    let cores =
        std::thread::available_parallelism().map_or_else(|_| "?".to_owned(), |cores| cores.to_string());
    let system = format!(
        "{} {}, {cores} cores",
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    // Only Linux has this file. More than the number of cores means that others were at work.
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load
        .split(' ')
        .next()
        .filter(|load| !load.is_empty())
        .unwrap_or("unknown")
        .to_owned();
    let other = controller_gen.map_or_else(
        || "not measured".to_owned(),
        |found| {
            format!(
                "{} on {}, its modules downloaded before",
                controller_gen::VERSION,
                found.go
            )
        },
    );
    vec![
        ("system", system),
        ("load before the run", load),
        (
            "API",
            "10 types and 80 fields per kind, 10 kinds per group, one file per kind; one more kind embeds a pod template"
                .to_owned(),
        ),
        ("controller-gen", other),
    ]
}

fn show(report: &Report, options: &Options) -> Result<()> {
    println!();
    for (name, value) in &report.environment {
        println!("{name}: {value}");
    }
    println!("\n{}", report.table());
    for note in report.notes() {
        println!("{note}");
    }
    if let Some(path) = &options.json {
        let text = format!("{:#}\n", report.json());
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!();
    let goals = goals::goals(report);
    for goal in &goals {
        println!("{}", goal.line());
    }
    if options.check && goals.iter().any(Goal::is_missed) {
        bail!("a goal was missed");
    }
    Ok(())
}
