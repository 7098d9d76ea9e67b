//! Lines for the person who waits: progress of a build, skipped tests.
//!
//! They go to the standard error stream itself and not through `eprintln!`, which the test harness captures and shows
//! only for failed tests. What is not seen might as well not be said.

use std::io::Write as _;

/// Writes a line; a closed stream is no reason to fail.
pub(crate) fn notice(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "kgen-testenv: {line}");
}
