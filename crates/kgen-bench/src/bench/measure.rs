//! Measures a whole process: time, processor and peak memory.
//!
//! The operating system reports the resources of finished children only as one sum. So this program starts itself again
//! for every measurement: that copy (`kgen-bench measure`) has only one child, and the sum is that of the child.
//! `wait4` would report it directly, but no maintained crate offers it without unsafe code, and `/usr/bin/time` has a
//! different format on every system. Processes that the child starts, such as the `go list` of controller-gen, count in
//! processor time; the peak is that of the largest single process. It is never less than the few megabytes of that
//! copy, whose memory a child shares until it has become the program that it runs.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::workspace::shown;

/// The program to run.
#[derive(clap::Args)]
pub struct Options {
    /// The program and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// The resources of one run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Measurement {
    /// From start to end.
    pub time: Duration,
    /// On all cores together; absent where the system does not say.
    pub processor: Option<Duration>,
    /// Of the largest process, in bytes; absent where the system does not say.
    pub peak_memory: Option<u64>,
}

/// Runs a program to its end and returns its cost. An exit code other than zero is an error.
pub fn measure(program: &Path, arguments: &[OsString], folder: &Path) -> Result<Measurement> {
    let own = std::env::current_exe().context("cannot find this program")?;
    let mut command = Command::new(own);
    command
        .arg("measure")
        .arg("--")
        .arg(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    let output = command.output().context("cannot start this program again")?;
    if !output.status.success() {
        let mut measured = Command::new(program);
        measured.args(arguments);
        bail!(
            "`{}` failed:\n{}",
            shown(&measured),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Returns the processor time of a run, with that of the processes that it starts.
pub fn processor(program: &Path, arguments: &[&str], folder: &Path) -> Result<Duration> {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let measured = measure(program, &arguments, folder)?;
    measured
        .processor
        .context("this system does not tell processor time")
}

/// Returns the value in the middle.
pub fn median(mut list: Vec<Duration>) -> Duration {
    list.sort();
    list.get(list.len() / 2).copied().unwrap_or_default()
}

/// Runs the program for [`measure`] and prints its cost.
pub fn run(options: &Options) -> Result<()> {
    let Some((program, arguments)) = options.words.split_first() else {
        bail!("there is nothing to run")
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let begin = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let time = begin.elapsed();
    if !status.success() {
        bail!("{status}");
    }
    let (processor, peak_memory) = used_by_children();
    println!(
        "{}",
        serde_json::to_string(&Measurement {
            time,
            processor,
            peak_memory
        })?
    );
    Ok(())
}

#[cfg(unix)]
fn used_by_children() -> (Option<Duration>, Option<u64>) {
    use nix::sys::resource::{UsageWho, getrusage};

    /// Linux and the BSDs count kibibytes, macOS counts bytes.
    const UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return (None, None);
    };
    let duration = |seconds: i64, microseconds: i64| {
        let seconds = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
        seconds + Duration::from_micros(u64::try_from(microseconds).unwrap_or_default())
    };
    let [user, system] = [usage.user_time(), usage.system_time()];
    #[expect(
        clippy::useless_conversion,
        reason = "these are not 64 bits wide on every system"
    )]
    let processor = duration(user.tv_sec().into(), user.tv_usec().into())
        + duration(system.tv_sec().into(), system.tv_usec().into());
    let peak = u64::try_from(usage.max_rss()).ok().map(|units| units * UNIT);
    (Some(processor), peak)
}

#[cfg(not(unix))]
fn used_by_children() -> (Option<Duration>, Option<u64>) {
    (None, None)
}
