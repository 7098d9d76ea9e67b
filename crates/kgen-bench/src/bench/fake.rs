//! `cargo xtask bench --fake`: the speed of the in-memory cluster, in the profile of tests.
//!
//! A test of `kgen-fake` measures single requests and prints the table with its goals. The behaviors of the Foo operator are
//! measured as a whole: their test program runs on one thread.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::workspace::{Workspace, finish};

/// The limit for all behaviors of the Foo operator.
const GOAL: Duration = Duration::from_secs(2);

/// Measures all, and prints the results.
pub fn run(workspace: &Workspace, check: bool) -> Result<()> {
    let mut speed = workspace.cargo();
    speed.args(["test", "--quiet", "--package", "kgen-fake", "--test", "speed"]);
    speed.args(["--", "--ignored", "--nocapture"]);
    finish(speed)?;

    let behaviors = [
        "test",
        "--quiet",
        "--package",
        "foo-operator",
        "--test",
        "controller",
    ];
    let mut build = workspace.cargo();
    build.args(behaviors).arg("--no-run");
    finish(build)?;
    let mut command = workspace.cargo();
    // The other half needs a control plane.
    command
        .args(behaviors)
        .args(["--", "--test-threads=1"])
        .env("KGEN_E2E", "off");
    let begin = Instant::now();
    finish(command)?;
    let took = begin.elapsed();
    println!(
        "fake: all behaviors of the Foo operator took {took:.2?}, with the start of cargo; the goal is {GOAL:?}"
    );
    if check && took > GOAL {
        bail!("the behaviors of the Foo operator took too long");
    }
    Ok(())
}
