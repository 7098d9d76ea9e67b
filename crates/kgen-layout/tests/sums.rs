//! Sums of calls, as generated `Serialize` has them: rustfmt leaves every one as it is, for names of all lengths.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on should stop; the settings are a file"
)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The longest name of a field that is tried. rustfmt gives up on longer ones.
const LONGEST: usize = 78;

#[test]
fn rustfmt_leaves_sums_as_they_are() {
    let mut text = String::new();
    let mut number = 0;
    for first in ["3", "12"] {
        for long in 1..=LONGEST {
            for others in [&[][..], &[3], &[20], &[50], &[70], &[20, 20], &[50, 3]] {
                let mut sum = first.to_owned();
                for length in [long].iter().chain(others) {
                    write!(sum, " + usize::from(self.{}.is_some())", "a".repeat(*length)).unwrap();
                }
                number += 1;
                writeln!(
                    text,
                    "impl A{number} {{\n    fn serialize() {{\n        let length = {sum};\n    }}\n}}\n"
                )
                .unwrap();
            }
        }
    }
    let widened = kgen_layout::widen(&text);
    for edition in ["2021", "2024"] {
        let formatted = rustfmt(&widened, edition);
        let pairs = widened.split("\n\n").zip(formatted.split("\n\n"));
        for (widened, formatted) in pairs {
            assert_eq!(widened.trim(), formatted.trim(), "edition {edition}");
        }
        assert_eq!(widened.split("\n\n").count(), number + 1);
    }
}

/// Returns a text as rustfmt formats it with its default settings.
fn rustfmt(text: &str, edition: &str) -> String {
    let settings = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rustfmt.toml");
    std::fs::write(&settings, "").unwrap();
    let mut child = Command::new("rustfmt")
        .args(["--edition", edition, "--config-path"])
        .arg(&settings)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}
