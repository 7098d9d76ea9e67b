//! `cargo xtask bench`: how long kgen takes and how much memory, beside the real controller-gen.
//!
//! A benchmark and no test: a goal that is missed fails only with `--check`. Sizes and tools take turns, round by
//! round, so that other work on the machine disturbs all of them alike.

mod api;
mod compare;
mod controller_gen;
mod goals;
pub mod measure;
mod report;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::api::Api;
use self::controller_gen::ControllerGen;
use self::goals::Goal;
use self::measure::measure;
use self::report::{Report, Task};
use crate::workspace::{Workspace, finish};

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// How many kinds the APIs have.
    #[arg(long, value_delimiter = ',', default_value = "1,10,100,1000")]
    kinds: Vec<usize>,
    /// How often kgen runs on each.
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// How often controller-gen runs on each, if not as often as kgen: it takes long.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    go_runs: u32,
    /// Leave controller-gen out.
    #[arg(long)]
    no_go: bool,
    /// Also write everything that was measured to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Fail if a goal is missed.
    #[arg(long)]
    check: bool,
    /// Measure this program instead of building kgen.
    #[arg(long, value_name = "FILE")]
    kgen: Option<PathBuf>,
    /// Write the APIs and what is generated into this folder and leave them there, for a closer look.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// An API on disk, with a place for what is generated from it.
struct Prepared {
    kinds: usize,
    folder: PathBuf,
}

impl Prepared {
    fn rust(&self) -> PathBuf {
        self.folder.join("rust")
    }

    fn go(&self) -> PathBuf {
        self.folder.join("go")
    }

    /// Where kgen writes, and what `verify` then looks at.
    fn kgen_output(&self) -> PathBuf {
        self.folder.join("kgen-output")
    }

    fn go_output(&self) -> PathBuf {
        self.folder.join("controller-gen-output")
    }
}

/// Measures, prints the tables, and says which goals were reached.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let kgen = match &options.kgen {
        Some(program) => fs::canonicalize(program).with_context(|| format!("no {}", program.display()))?,
        None => build(workspace)?,
    };
    let controller_gen = if options.no_go {
        None
    } else {
        ControllerGen::find_or_install()?
    };
    // Dropping it removes it, so it stays until the end.
    let temporary = tempfile::tempdir()?;
    let folder = match &options.keep {
        Some(folder) => std::path::absolute(folder)?,
        None => temporary.path().to_path_buf(),
    };
    let mut sizes = options.kinds.clone();
    sizes.sort_unstable();
    sizes.dedup();
    let prepared: Vec<_> = sizes
        .iter()
        .map(|kinds| prepare(*kinds, &folder, controller_gen.is_some()))
        .collect::<Result<_>>()?;

    let mut report = Report {
        environment: environment(controller_gen.as_ref()),
        ..Report::default()
    };
    let rounds = options.runs.max(if controller_gen.is_some() {
        options.go_runs
    } else {
        0
    });
    // Round 0 fills the caches and does not count.
    for round in 0..=rounds {
        eprintln!(
            "{}",
            if round == 0 {
                "warming up".to_owned()
            } else {
                format!("round {round} of {rounds}")
            }
        );
        let go = controller_gen.as_ref().filter(|_| round <= options.go_runs);
        let kgen = Some(&kgen).filter(|_| round <= options.runs);
        for api in &prepared {
            let found = measure_round(api, kgen.map(PathBuf::as_path), go)?;
            for (task, measurement) in found.into_iter().filter(|_| round > 0) {
                report.add(api.kinds, task, measurement);
            }
        }
    }
    if controller_gen.is_some() {
        for api in &prepared {
            report
                .comparisons
                .push((api.kinds, compare::folders(&api.kgen_output(), &api.go_output())?));
        }
    }
    show(&report, options)
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

/// The release build of kgen.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let mut command = workspace.cargo();
    command.args(["build", "--release", "--package", "kgen-cli"]);
    finish(command)?;
    let program = format!("kgen{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target_folder()?.join("release").join(program))
}

/// Writes the API of one size.
fn prepare(kinds: usize, folder: &Path, with_go: bool) -> Result<Prepared> {
    let prepared = Prepared {
        kinds,
        folder: folder.join(format!("kinds-{kinds}")),
    };
    let api = Api::of_size(kinds);
    api::write(&prepared.rust(), &api::rust_files(&api))?;
    if with_go {
        controller_gen::prepare(&api, &prepared.go())?;
    }
    Ok(prepared)
}

/// Runs every tool once on one API. Output folders are fresh each time; emptying them is not measured.
fn measure_round(
    api: &Prepared,
    kgen: Option<&Path>,
    controller_gen: Option<&ControllerGen>,
) -> Result<Vec<(Task, measure::Measurement)>> {
    let mut found = Vec::new();
    if let Some(kgen) = kgen {
        let output = fresh(api.kgen_output())?;
        let mut arguments = vec![
            "crd".into(),
            joined("paths=", &api.rust().join("src/api")),
            joined("output:dir=", &output),
        ];
        found.push((Task::Generate, measure(kgen, &arguments, &api.rust())?));
        arguments.insert(0, "verify".into());
        found.push((Task::Verify, measure(kgen, &arguments, &api.rust())?));
    }
    if let Some(controller_gen) = controller_gen {
        let output = fresh(api.go_output())?;
        let arguments = ControllerGen::arguments(&output);
        found.push((
            Task::ControllerGen,
            measure(&controller_gen.program, &arguments, &api.go())?,
        ));
    }
    Ok(found)
}

fn joined(key: &str, path: &Path) -> OsString {
    let mut word = OsString::from(key);
    word.push(path);
    word
}

/// An empty folder in this place.
fn fresh(folder: PathBuf) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn environment(controller_gen: Option<&ControllerGen>) -> Vec<(&'static str, String)> {
    let cores =
        std::thread::available_parallelism().map_or_else(|_| "unknown".to_owned(), |cores| cores.to_string());
    let mut environment = vec![
        (
            "system",
            format!(
                "{} {}, {cores} cores",
                std::env::consts::OS,
                std::env::consts::ARCH
            ),
        ),
        (
            "API",
            "10 types and 80 fields a kind, 10 kinds a group, a file a kind".to_owned(),
        ),
    ];
    environment.push((
        "controller-gen",
        match controller_gen {
            Some(found) => format!(
                "{} on {}, its modules downloaded before",
                controller_gen::VERSION,
                found.go
            ),
            None => "not measured".to_owned(),
        },
    ));
    environment
}
