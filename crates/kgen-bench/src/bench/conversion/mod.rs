//! `cargo xtask bench --conversion`: the processor time of one review of a conversion, next to that of serde_json, which only
//! parses and prints the same bytes, and next to that of controller-runtime's handler, where Go is available.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::controller_runtime;
use crate::table::{Side, Table};
use crate::workspace::{Workspace, printed};

const PROGRAM: &str = include_str!("main.go");

/// The limits for reviews of one object: times serde_json, and times faster than controller-runtime.
const TIMES_SERDE: f64 = 2.0;
const TIMES_FASTER: f64 = 5.0;

/// The measurements of one review, in microseconds.
struct Review {
    bytes: usize,
    ours: f64,
    serde: f64,
}

/// Measures, prints a table, and fails if `check` is set and a limit is exceeded.
pub fn run(workspace: &Workspace, with_go: bool, check: bool) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let reviews = folder.path().join("reviews");
    fs::create_dir(&reviews)?;
    let ours = measure_ours(workspace, &reviews)?;
    let theirs = match with_go && controller_runtime::has_go() {
        true => measure_theirs(&folder.path().join("go"), &reviews)?,
        false => BTreeMap::new(),
    };
    let mut table = Table::new(&[
        ("review", Side::Left),
        ("bytes", Side::Right),
        ("kgen", Side::Right),
        ("serde_json", Side::Right),
        ("times serde_json", Side::Right),
        ("controller-runtime", Side::Right),
        ("times faster", Side::Right),
    ]);
    let mut missed = Vec::new();
    for (name, Review { bytes, ours, serde }) in &ours {
        let their = theirs.get(name);
        let time = |time: f64| format!("{time:.1} us");
        table.row(vec![
            name.clone(),
            bytes.to_string(),
            time(*ours),
            time(*serde),
            format!("{:.2}", ours / serde),
            their.map_or_else(|| "no Go".to_owned(), |their| time(*their)),
            their.map_or_else(String::new, |their| format!("{:.1}", their / ours)),
        ]);
        let is_slow = ours / serde > TIMES_SERDE || their.is_some_and(|their| their / ours < TIMES_FASTER);
        if is_slow && name.ends_with("-1") {
            missed.push(name.as_str());
        }
    }
    println!("processor time of one review\n{}", table.render());
    if check && !missed.is_empty() {
        bail!(
            "more than {TIMES_SERDE} times serde_json, or less than {TIMES_FASTER} times as fast as controller-runtime: {}",
            missed.join(", ")
        );
    }
    Ok(())
}

/// Runs the measurement of `kgen-runtime`, which also writes the reviews to a folder.
fn measure_ours(workspace: &Workspace, reviews: &Path) -> Result<BTreeMap<String, Review>> {
    let mut command = workspace.cargo();
    command
        .args(["test", "--release", "--package", "kgen-runtime", "--lib"])
        .args(["conversion::speed", "--", "--ignored", "--nocapture"])
        .env("KGEN_REVIEWS", reviews);
    let output = printed(command)?;
    let review = |words: &[&str]| match words {
        [name, bytes, ours, serde] => Some((
            (*name).to_owned(),
            Review {
                bytes: bytes.parse().ok()?,
                ours: ours.parse().ok()?,
                serde: serde.parse().ok()?,
            },
        )),
        _ => None,
    };
    read(&output, review)
}

/// Builds the program in Go and runs it for all reviews in a folder.
fn measure_theirs(folder: &Path, reviews: &Path) -> Result<BTreeMap<String, f64>> {
    controller_runtime::prepare(folder, "conversion", PROGRAM)?;
    let mut command = Command::new("go");
    command.args(["run", "."]).arg(reviews).current_dir(folder);
    let output = printed(command)?;
    read(&output, |words| match words {
        [name, time] => Some(((*name).to_owned(), time.parse().ok()?)),
        _ => None,
    })
}

/// Reads the lines that begin with `review`.
fn read<T>(output: &str, review: impl Fn(&[&str]) -> Option<(String, T)>) -> Result<BTreeMap<String, T>> {
    let lines = output.lines().filter_map(|line| line.split_once("review "));
    let found = lines.map(|(_, line)| {
        let words: Vec<&str> = line.split_whitespace().collect();
        review(&words).with_context(|| format!("a measurement cannot be read: {line}"))
    });
    let found: BTreeMap<String, T> = found.collect::<Result<_>>()?;
    if found.is_empty() {
        bail!("nothing was measured:\n{output}");
    }
    Ok(found)
}
