//! `--timings`: how long each stage of a run took, and how much it read and wrote.

use std::cell::RefCell;
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use kgen_build::{Change, ChangeAction, Report, Stage};

use crate::progress::words;
use crate::terminal::Terminal;

/// When the stages of a run began.
pub(crate) struct Timings {
    stages: RefCell<Vec<(Stage, Instant)>>,
}

impl Timings {
    pub(crate) fn new() -> Self {
        Self {
            stages: RefCell::default(),
        }
    }

    /// Notes that a stage begins.
    pub(crate) fn stage(&self, stage: Stage) {
        self.stages.borrow_mut().push((stage, Instant::now()));
    }

    /// Shows the table of a run that has just ended.
    pub(crate) fn show(&self, report: &Report, terminal: Terminal) {
        let stages = self.stages.borrow();
        let ends = stages
            .iter()
            .skip(1)
            .map(|(_, began)| *began)
            .chain([Instant::now()]);
        let times: Vec<_> = stages
            .iter()
            .zip(ends)
            .map(|((stage, began), end)| (*stage, end.duration_since(*began)))
            .collect();
        terminal.say(&table(&times, report));
    }
}

fn table(times: &[(Stage, Duration)], report: &Report) -> String {
    let mut text = format!("{:<24}{:>12}{:>8}{:>14}\n", "stage", "time", "files", "bytes");
    for (stage, time) in times {
        row(&mut text, words(*stage), *time, amount(*stage, report));
    }
    row(
        &mut text,
        "total",
        times.iter().map(|(_, time)| *time).sum(),
        None,
    );
    text
}

fn row(text: &mut String, name: &str, time: Duration, amount: Option<(usize, u64)>) {
    let milliseconds = time.as_secs_f64() * 1000.0;
    // Writing to a string cannot fail.
    let _ = write!(text, "{name:<24}{milliseconds:>9.1} ms");
    if let Some((files, bytes)) = amount {
        let _ = write!(text, "{files:>8}{bytes:>14}");
    }
    text.push('\n');
}

/// Returns the number and the bytes of the files that a stage reads, generates or writes.
fn amount(stage: Stage, report: &Report) -> Option<(usize, u64)> {
    let on_disk = |path: &Path| path.metadata().map_or(0, |found| found.len());
    let sum = |changes: &mut dyn Iterator<Item = &Change>| {
        let lengths = changes.filter_map(|change| match &change.action {
            ChangeAction::Create { new } | ChangeAction::Update { new, .. } => Some(length(new)),
            ChangeAction::Same => Some(on_disk(&change.path)),
            ChangeAction::Stale { .. } => None,
        });
        lengths.fold((0, 0), |(files, bytes), length| (files + 1, bytes + length))
    };
    match stage {
        Stage::Reading => {
            let files = report.files_read.iter();
            Some((report.files_read.len(), files.map(|path| on_disk(path)).sum()))
        }
        Stage::Generating if report.plan.changes.is_empty() => None,
        Stage::Generating => Some(sum(&mut report.plan.changes.iter())),
        Stage::Writing => Some(sum(&mut report.plan.differences())),
        Stage::Checking | Stage::Comparing => None,
    }
}

fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_columns() {
        let times = [
            (Stage::Reading, Duration::from_micros(12_340)),
            (Stage::Checking, Duration::from_micros(460)),
        ];
        let shown = table(&times, &Report::default());
        let expected = "\
stage                           time   files         bytes
reading source               12.3 ms       0             0
checking the API              0.5 ms
total                        12.8 ms
";
        assert_eq!(shown, expected);
    }
}
