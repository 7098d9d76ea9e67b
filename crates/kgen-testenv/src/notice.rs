//! Messages to the user: progress of a build, skipped tests.
//!
//! They are written to stderr directly and not with `eprintln!`, because the test harness captures that and shows it
//! only for failed tests.

use std::io::Write as _;

/// Writes a line. A closed stream is not an error.
pub(crate) fn notice(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "kgen-testenv: {line}");
}
