//! The output of test programs: printed while it arrives, and parsed for the counts and for what failed.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc;

use anyhow::{Context, Result};

use crate::amounts;

/// How many tests ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that passed.
    pub passed: usize,
    /// Tests that failed.
    pub failed: usize,
    /// Tests that did not run.
    pub ignored: usize,
}

impl Counts {
    /// Adds the tests of another program.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }

    /// Returns the number of tests that passed, as in `7` or `6 of 7`.
    pub fn text(self) -> String {
        match self.passed + self.failed + self.ignored {
            all if all == self.passed => amounts::count(all),
            all => format!("{} of {}", amounts::count(self.passed), amounts::count(all)),
        }
    }
}

/// The result of parsing the output of a suite.
#[derive(Debug, Default)]
pub struct Report {
    counts: Counts,
    /// The numbers of the `lost: ` lines.
    lost: Vec<usize>,
    /// The lines between `failures:` and `test result:`, of all programs.
    failures: Vec<String>,
    in_failures: bool,
    succeeded: bool,
}

impl Report {
    /// Takes one line into account.
    pub fn read(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("lost: ") {
            // A count that cannot be parsed is not zero.
            let count = rest.split(' ').next().and_then(|word| word.parse().ok());
            self.lost.push(count.unwrap_or(usize::MAX));
        } else if let Some(rest) = line.strip_prefix("test result: ") {
            self.in_failures = false;
            for part in rest.split(['.', ';']) {
                let mut words = part.split_whitespace();
                let (Some(number), Some(what)) = (words.next(), words.next()) else {
                    continue;
                };
                let Ok(number) = number.parse::<usize>() else {
                    continue;
                };
                match what {
                    "passed" => self.counts.passed += number,
                    "failed" => self.counts.failed += number,
                    "ignored" => self.counts.ignored += number,
                    _ => {}
                }
            }
        } else if line == "failures:" {
            self.in_failures = true;
        } else if self.in_failures {
            self.failures.push(line.to_owned());
        }
    }

    /// Takes the exit code into account.
    pub fn ended(&mut self, succeeded: bool) {
        self.succeeded = succeeded;
    }

    /// Returns whether all tests ran and passed, and nothing was lost.
    pub fn is_good(&self) -> bool {
        let counts = self.counts;
        let ran = counts.passed > 0 && counts.failed == 0 && counts.ignored == 0;
        self.succeeded && ran && self.lost.iter().all(|lost| *lost == 0)
    }

    /// Returns the number of tests that passed, as in `7` or `6 of 7`.
    pub fn tests(&self) -> String {
        self.counts.text()
    }

    /// Returns the number of tests for each outcome.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the names and the messages of the tests that failed, as their programs printed them.
    pub fn failures(&self) -> String {
        self.failures.join("\n").trim().to_owned()
    }

    /// Returns whether the program ended with success.
    pub fn has_succeeded(&self) -> bool {
        self.succeeded
    }

    /// Returns the number of lost objects and the number of counts; `None` if there are none.
    pub fn lost(&self) -> String {
        let total = self
            .lost
            .iter()
            .fold(0, |total: usize, lost| total.saturating_add(*lost));
        match self.lost.len() {
            0 => String::new(),
            1 => format!("{total} in 1 count"),
            counts => format!("{total} in {counts} counts"),
        }
    }
}

/// Runs a command, prints its output and parses it. Some tests panic on purpose, so there are no backtraces: they would hide
/// the message of the test that failed.
pub fn follow(mut command: Command) -> Result<Report> {
    let mut child = command
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let (sender, lines) = mpsc::channel();
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|stream| Box::new(stream) as _),
        child.stderr.take().map(|stream| Box::new(stream) as _),
    ];
    for stream in streams.into_iter().flatten() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                // An error is ignored, because the program is about to end.
                let _ = sender.send(line);
            }
        });
    }
    drop(sender);
    let mut report = Report::default();
    for line in lines {
        println!("{line}");
        report.read(&line);
    }
    report.ended(child.wait()?.success());
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_good_only_if_everything_ran() {
        let good =
            "test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s";
        for (lines, succeeded, expected) in [
            (vec![good], true, true),
            (vec![good], false, false),
            (vec![], true, false),
            (vec![good, "lost: 0 of 3 Foos"], true, true),
            (vec![good, "lost: 1 of 3 Foos"], true, false),
            (vec![good, "lost: some"], true, false),
            (
                vec!["test result: ok. 0 passed; 0 failed; 7 ignored; 0 measured"],
                true,
                false,
            ),
            (
                vec!["test result: ok. 6 passed; 0 failed; 1 ignored; 0 measured"],
                true,
                false,
            ),
        ] {
            let mut report = Report::default();
            lines.iter().for_each(|line| report.read(line));
            report.ended(succeeded);
            assert_eq!(report.is_good(), expected, "{lines:?}");
        }
    }

    #[test]
    fn the_tests_of_all_programs_count() {
        let mut report = Report::default();
        report.read("test result: ok. 1200 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out");
        report.read("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out");
        assert_eq!(report.tests(), "1,203 of 1,206");
    }

    #[test]
    fn failures_are_kept_with_their_messages() {
        let mut report = Report::default();
        let output = "\
test a ... FAILED
test b ... ok

failures:

---- a ----
not in 180s: the Foo has its pods

failures:
    a

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s

── kgen-cli: pages
test c ... ok
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s";
        output.lines().for_each(|line| report.read(line));
        insta::assert_snapshot!(report.failures(), @"
        ---- a ----
        not in 180s: the Foo has its pods

            a
        ");
    }

    #[test]
    fn what_a_program_prints_is_read_from_both_streams() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo 'lost: 0 of 3'; echo 'lost: 4 of 5' >&2; exit 1"]);
        let report = follow(command).unwrap();
        assert_eq!(report.lost(), "4 in 2 counts");
        assert!(!report.succeeded);
    }
}
