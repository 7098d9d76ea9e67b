//! Helpers of several tests: kubectl's output, waiting, and checking processes.

use std::fmt::Display;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use kgen_testenv::ControlPlane;

/// Runs kubectl and returns its output. kubectl must succeed.
pub fn kubectl(control_plane: &ControlPlane, arguments: &[&str]) -> String {
    run(control_plane.kubectl().args(arguments))
        .unwrap_or_else(|error| panic!("kubectl {arguments:?}: {error}"))
}

/// Runs a command. Returns its standard output, or its standard error if it fails.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().expect("it can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(text(&output.stderr))
    }
}

/// Waits until `holds` returns true, at most `seconds`.
pub async fn wait_until(what: &str, seconds: u64, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !holds() {
        assert!(Instant::now() < deadline, "not in {seconds} s: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Returns whether a process is running and not a zombie.
pub fn is_running(process: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => !stat
            .rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with('Z')),
        Err(_) if Path::new("/proc/self").exists() => false,
        Err(_) => Command::new("kill")
            .args(["-0", &process.to_string()])
            .status()
            .is_ok_and(|status| status.success()),
    }
}

/// Returns the process IDs of all components.
pub fn processes(control_plane: &ControlPlane) -> Vec<u32> {
    let numbers = control_plane.components().into_iter();
    numbers
        .map(|component| control_plane.process_id(component).expect("it runs"))
        .collect()
}

/// Prints a measured time, which the harness does not capture.
pub fn measured(what: &str, start: Instant) {
    note(format_args!(
        "measured: {what}: {:.2} s",
        start.elapsed().as_secs_f64()
    ));
}

fn note(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
