//! A short run of every target with fixed inputs: their number is fixed, not their time.

use std::process::Command;

/// How many inputs each target gets.
const RUNS: &str = "150";

#[test]
fn no_target_fails_on_the_first_inputs() -> std::io::Result<()> {
    let failures = tempfile::tempdir()?;
    // A build without optimization on a busy machine is slow; an endless loop is found all the same.
    let output = Command::new(env!("CARGO_BIN_EXE_kgen-fuzz"))
        .args(["all", "--runs", RUNS, "--seed", "1", "--hang", "60"])
        .arg("--failures")
        .arg(failures.path())
        .output()?;
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
