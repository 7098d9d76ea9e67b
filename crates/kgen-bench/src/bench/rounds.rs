//! The measuring itself: round by round, every tool once on every API.
//!
//! Runs alternate, so that other load on the machine affects all equally. Every run writes into a new folder: emptying
//! a folder would need less disk space, but ext4 does not reuse freed inodes for some seconds, and the search for
//! others would count as time of the tool.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::api::{self, Api};
use super::compare;
use super::controller_gen::{self, ControllerGen};
use super::measure::measure;
use super::pods::Pods;
use super::project;
use super::report::{Report, Task};

/// The measured tasks, and the number of runs.
pub struct Tools {
    /// The program to look at.
    pub kgen: PathBuf,
    /// How often it runs on each API.
    pub runs: u32,
    /// The program to compare it with.
    pub controller_gen: Option<ControllerGen>,
    /// How often that one runs.
    pub go_runs: u32,
    /// A project in Go, for `kgen init --from`.
    pub go_project: PathBuf,
}

/// An API on disk, with folders for the files that are generated from it.
struct Prepared {
    kinds: usize,
    folder: PathBuf,
}

impl Prepared {
    /// Writes the API of one size.
    fn new(kinds: usize, folder: &Path, with_go: bool) -> Result<Self> {
        let prepared = Self {
            kinds,
            folder: folder.join(format!("kinds-{kinds}")),
        };
        // With `--keep`, an earlier run may have left something there.
        remove(&prepared.folder)?;
        let api = Api::of_size(kinds)?;
        api::write(&prepared.rust(), &api::rust_files(&api))?;
        if with_go {
            controller_gen::prepare(&api, &prepared.go())?;
        }
        Ok(prepared)
    }

    fn rust(&self) -> PathBuf {
        self.folder.join("rust")
    }

    fn go(&self) -> PathBuf {
        self.folder.join("go")
    }

    /// Returns the output of kgen in a round, which `verify` then reads.
    fn kgen_output(&self, round: u32) -> PathBuf {
        self.folder.join(format!("kgen-{round}"))
    }

    fn go_output(&self, round: u32) -> PathBuf {
        self.folder.join(format!("controller-gen-{round}"))
    }
}

/// Measures all tools on APIs of these sizes, below a folder.
pub fn measure_all(
    tools: &Tools,
    sizes: &[usize],
    pods: &Pods,
    folder: &Path,
    report: &mut Report,
) -> Result<()> {
    let mut sizes = sizes.to_vec();
    sizes.sort_unstable();
    sizes.dedup();
    let with_go = tools.controller_gen.is_some();
    let apis: Result<Vec<_>> = sizes
        .iter()
        .map(|kinds| Prepared::new(*kinds, folder, with_go))
        .collect();
    let apis = apis?;
    let rounds = tools.runs.max(tools.go_runs);
    // Round 0 fills the caches and does not count.
    for round in 0..=rounds {
        match round {
            0 => eprintln!("warming up"),
            _ => eprintln!("round {round} of {rounds}"),
        }
        for api in &apis {
            measure_round(tools, api, round, report)?;
        }
        pods.measure_round(tools, round, report)?;
        project::measure_round(tools, folder, round, report)?;
    }
    for api in &apis {
        if with_go {
            let (ours, theirs) = (api.kgen_output(tools.runs), api.go_output(tools.go_runs));
            report
                .comparisons
                .push((api.kinds, compare::folders(&ours, &theirs)?));
        }
        // The last ones are kept for inspection.
        (0..tools.runs).try_for_each(|round| remove(&api.kgen_output(round)))?;
        (0..tools.go_runs).try_for_each(|round| remove(&api.go_output(round)))?;
    }
    Ok(())
}

/// Runs every tool that still has a run to go once on one API.
fn measure_round(tools: &Tools, api: &Prepared, round: u32, report: &mut Report) -> Result<()> {
    let mut found = Vec::new();
    if round <= tools.runs {
        let source = api.rust();
        let output = joined("output:dir=", &api.kgen_output(round));
        let mut arguments = vec!["crd".into(), joined("paths=", &source.join("src/api")), output];
        found.push((Task::Generate, measure(&tools.kgen, &arguments, &source)?));
        arguments.insert(0, "verify".into());
        found.push((Task::Verify, measure(&tools.kgen, &arguments, &source)?));
    }
    if let Some(controller_gen) = tools.controller_gen.as_ref().filter(|_| round <= tools.go_runs) {
        let arguments = [
            "crd".into(),
            "paths=./...".into(),
            joined("output:dir=", &api.go_output(round)),
        ];
        found.push((
            Task::ControllerGen,
            measure(&controller_gen.program, &arguments, &api.go())?,
        ));
    }
    for (task, measurement) in found.into_iter().filter(|_| round > 0) {
        report.add(api.kinds, task, measurement);
    }
    Ok(())
}

/// Returns an argument whose value is a path.
pub fn joined(key: &str, path: &Path) -> OsString {
    let mut word = OsString::from(key);
    word.push(path);
    word
}

/// Removes a folder if it is there.
pub fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}
