//! `cargo xtask bench --profile-stages`: the instructions of each stage of a run, counted by callgrind.
//!
//! The clock of a shared machine is too noisy to judge small changes, and a count is not. With a second program, the table compares
//! two builds. Both run on one thread, so that all work of a stage is below the function of the stage.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::api::{self, Api};
use super::pods::Pods;
use super::rounds::joined;
use crate::amounts;
use crate::table::{Side, Table};
use crate::workspace::{Workspace, finish, printed};

/// The most kinds that are counted: more repeat the same work, and callgrind takes fifty times as long as a run.
const MOST_KINDS: usize = 100;

/// How much the instructions of an API may grow, in percent.
const GROWTH: f64 = 2.0;

/// The stages of a run, each with the function that does all of its work.
const STAGES: [(&str, &str); 5] = [
    ("reading source", "kgen_build::pipeline::read"),
    ("checking the API", "kgen_build::pipeline::check_sources"),
    ("generating", "kgen_build::pipeline::generate"),
    ("comparing with the disk", "kgen_build::plan::against_disk"),
    ("writing", "kgen_build::disk::carry_out"),
];

/// The instructions of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counted {
    total: u64,
    /// In the order of [`STAGES`]; `None` for a stage without a function of its own in the program.
    stages: [Option<u64>; STAGES.len()],
}

/// Counts, prints the table, and fails with `check` if an API takes more instructions than with the earlier program.
pub fn run(workspace: &Workspace, options: &super::Options) -> Result<()> {
    let program = |path: &PathBuf| {
        path.canonicalize()
            .with_context(|| format!("no {}", path.display()))
    };
    let present = match &options.kgen {
        Some(path) => program(path)?,
        None => build(workspace)?,
    };
    let earlier = options.against.as_ref().map(program).transpose()?;
    let temporary = tempfile::tempdir()?;
    let folder = temporary.path();
    let pods = Pods::new(workspace, folder, false)?;
    let mut apis = vec![("a pod template".to_owned(), pods.rust())];
    for kinds in options.kinds.iter().filter(|kinds| **kinds <= MOST_KINDS) {
        let place = folder.join(format!("kinds-{kinds}"));
        api::write(&place, &api::rust_files(&Api::of_size(*kinds)?))?;
        let noun = if *kinds == 1 { "kind" } else { "kinds" };
        apis.push((format!("{} {noun}", amounts::count(*kinds)), place));
    }
    let mut table = Table::new(&[
        ("API", Side::Left),
        ("stage", Side::Left),
        ("before", Side::Right),
        ("now", Side::Right),
        ("change", Side::Right),
    ]);
    let mut has_grown = false;
    for (name, place) in &apis {
        eprintln!("counting {name}");
        let before = earlier
            .as_ref()
            .map(|earlier| count(earlier, place, folder))
            .transpose()?;
        let after = count(&present, place, folder)?;
        has_grown |= before
            .as_ref()
            .is_some_and(|before| growth(before.total, after.total) > GROWTH);
        for row in lines(name, before.as_ref(), &after) {
            table.row(row);
        }
    }
    println!("\nmillions of instructions, one thread\n\n{}", table.render());
    if options.check && has_grown {
        bail!("an API takes over {GROWTH} % more instructions than before");
    }
    Ok(())
}

/// Returns the release build of kgen with the names of its functions, in a target folder of its own.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let target = workspace.target_folder()?.join("profile-stages");
    let mut command = workspace.cargo();
    command
        .args(["build", "--release", "--package", "kgen-cli"])
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_RELEASE_STRIP", "none");
    finish(command)?;
    let program = format!("kgen{}", std::env::consts::EXE_SUFFIX);
    Ok(target.join("release").join(program))
}

/// Runs a program below callgrind: a first run that writes everything.
fn count(program: &Path, api: &Path, folder: &Path) -> Result<Counted> {
    let output = tempfile::tempdir_in(folder)?;
    let profile = output.path().join("profile");
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--quiet"])
        .arg(joined("--callgrind-out-file=", &profile))
        .arg(program)
        .args(["crd:generateEmbeddedObjectMeta=true", "paths=src", "--quiet"])
        .arg(joined("output:dir=", &output.path().join("crds")))
        .env("KGEN_THREADS", "1")
        .current_dir(api);
    printed(command)?;
    let mut annotate = Command::new("callgrind_annotate");
    annotate
        .args(["--inclusive=yes", "--threshold=100"])
        .arg(&profile);
    let counted = read(&printed(annotate)?).context("callgrind_annotate printed no total")?;
    if counted.stages.iter().all(Option::is_none) {
        bail!(
            "{} has no names of functions: build it with CARGO_PROFILE_RELEASE_STRIP=none",
            program.display()
        );
    }
    Ok(counted)
}

/// Reads the counts that `callgrind_annotate` prints: `1,234 (5.6%)  file:function [program]`.
fn read(text: &str) -> Option<Counted> {
    let mut counted = Counted::default();
    let mut has_total = false;
    for line in text.lines() {
        let Some((number, rest)) = line.trim_start().split_once(' ') else {
            continue;
        };
        let Ok(number) = number.replace(',', "").parse() else {
            continue;
        };
        if rest.contains("PROGRAM TOTALS") {
            counted.total = number;
            has_total = true;
        }
        for (stage, (_, function)) in counted.stages.iter_mut().zip(STAGES) {
            if stage.is_none() && is_of(rest, function) {
                *stage = Some(number);
            }
        }
    }
    has_total.then_some(counted)
}

/// Returns whether a line is about a function itself, not about one whose path only starts with its path.
fn is_of(line: &str, function: &str) -> bool {
    line.match_indices(function).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        let behind = line.get(at + function.len()..).unwrap_or_default();
        // Behind the name is nothing, the program, or the hash of the compiler.
        let is_whole = behind.is_empty() || behind.starts_with(' ') || behind.starts_with("::h");
        (before.is_empty() || before.ends_with([' ', ':'])) && is_whole
    })
}

/// Returns the rows of an API.
fn lines(name: &str, before: Option<&Counted>, after: &Counted) -> Vec<Vec<String>> {
    let row = |stage: &str, before: Option<u64>, after: Option<u64>| {
        let shown = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), millions);
        let change = before.zip(after).map_or_else(
            || "-".to_owned(),
            |(before, after)| format!("{:+.1} %", growth(before, after)),
        );
        vec![
            name.to_owned(),
            stage.to_owned(),
            shown(before),
            shown(after),
            change,
        ]
    };
    let stages = STAGES.iter().enumerate().map(|(index, (stage, _))| {
        let of = |counted: &Counted| counted.stages.get(index).copied().flatten();
        row(stage, before.and_then(of), of(after))
    });
    stages
        .chain([row("total", before.map(|before| before.total), Some(after.total))])
        .collect()
}

/// Returns by how many percent a count has grown.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn growth(before: u64, after: u64) -> f64 {
    (after as f64 / before.max(1) as f64 - 1.0) * 100.0
}

/// Formats a count in millions: `12.3`.
fn millions(number: u64) -> String {
    format!("{}.{}", number / 1_000_000, number % 1_000_000 / 100_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
--------------------------------------------------------------------------------
Ir
--------------------------------------------------------------------------------
54,321,000 (100.0%)  PROGRAM TOTALS

--------------------------------------------------------------------------------
Ir                    file:function
--------------------------------------------------------------------------------
50,000,000 (92.05%)  ???:kgen_build::pipeline::run_watched [/bin/kgen]
40,200,000 (74.01%)  ???:kgen_build::pipeline::read [/bin/kgen]
39,000,000 (71.80%)  ???:kgen_build::pipeline::read_apis [/bin/kgen]
 2,000,000 ( 3.68%)  src/pipeline.rs:kgen_build::pipeline::check_sources::h0123456789abcdef [/bin/kgen]
 1,000,000 ( 1.84%)  ???:<T as kgen_build::pipeline::generate> [/bin/kgen]
   700,000 ( 1.29%)  ???:kgen_build::plan::against_disk
";

    #[test]
    fn stages_are_found_by_their_functions() {
        let counted = read(PRINTED).unwrap();
        assert_eq!(counted.total, 54_321_000);
        assert_eq!(
            counted.stages,
            [Some(40_200_000), Some(2_000_000), None, Some(700_000), None]
        );
        assert!(read("nothing").is_none());
    }

    #[test]
    fn two_builds_are_compared_stage_by_stage() {
        let after = read(PRINTED).unwrap();
        let before = Counted {
            total: 50_000_000,
            stages: [Some(40_000_000), None, None, None, None],
        };
        let shown = lines("1 kind", Some(&before), &after);
        assert_eq!(shown[0], ["1 kind", "reading source", "40.0", "40.2", "+0.5 %"]);
        assert_eq!(shown[1], ["1 kind", "checking the API", "-", "2.0", "-"]);
        assert_eq!(shown[5], ["1 kind", "total", "50.0", "54.3", "+8.6 %"]);
    }
}
