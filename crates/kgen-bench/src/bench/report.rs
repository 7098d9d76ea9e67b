//! The results of a benchmark: every run of every task at every size, with tables and figures.

use std::time::Duration;

use serde_json::{Value, json};

use super::compare::Comparison;
use super::measure::Measurement;
use crate::amounts::{self, milliseconds};
use crate::table::{Side, Table};

/// The measured tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// `kgen crd` into an empty folder.
    Generate,
    /// `kgen verify crd` on its result.
    Verify,
    /// `controller-gen crd` into an empty folder.
    ControllerGen,
    /// `kgen crd` on a kind that embeds a pod template.
    GeneratePods,
    /// `controller-gen crd` on the same.
    ControllerGenPods,
    /// `kgen init` in an empty folder.
    Init,
    /// `kgen create api` in the new project, with everything that it generates.
    CreateApi,
    /// `kgen create webhook` for its kind, likewise.
    CreateWebhook,
    /// `kgen update` of the result, when nothing has changed.
    Update,
    /// `kgen delete webhook`, which reverses `kgen create webhook`.
    DeleteWebhook,
    /// `kgen delete api`, which reverses `kgen create api`.
    DeleteApi,
    /// `kgen init --from` a project in Go with three kinds.
    InitFrom,
}

impl Task {
    /// The commands about projects, in the order in which they are measured.
    pub const OF_PROJECTS: [Self; 7] = [
        Self::Init,
        Self::CreateApi,
        Self::CreateWebhook,
        Self::Update,
        Self::DeleteWebhook,
        Self::DeleteApi,
        Self::InitFrom,
    ];
}

impl Task {
    /// Returns the command, without its places.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generate => "kgen crd",
            Self::Verify => "kgen verify",
            Self::ControllerGen => "controller-gen crd",
            Self::GeneratePods => "kgen crd, pod template",
            Self::ControllerGenPods => "controller-gen crd, pod template",
            Self::Init => "kgen init",
            Self::CreateApi => "kgen create api",
            Self::CreateWebhook => "kgen create webhook",
            Self::Update => "kgen update",
            Self::DeleteWebhook => "kgen delete webhook",
            Self::DeleteApi => "kgen delete api",
            Self::InitFrom => "kgen init --from",
        }
    }

    /// Returns the corresponding task of controller-gen.
    fn rival(self) -> Option<Self> {
        match self {
            Self::Generate => Some(Self::ControllerGen),
            Self::GeneratePods => Some(Self::ControllerGenPods),
            _ => None,
        }
    }
}

/// All runs of a task at one size.
#[derive(Clone, Debug)]
pub struct Row {
    /// The size.
    pub kinds: usize,
    /// The task.
    pub task: Task,
    /// The runs, in the order in which they were made.
    pub runs: Vec<Measurement>,
}

impl Row {
    fn times(&self) -> Vec<Duration> {
        let mut times: Vec<_> = self.runs.iter().map(|run| run.time).collect();
        times.sort();
        times
    }

    /// Returns the shortest time.
    pub fn best(&self) -> Duration {
        self.times().first().copied().unwrap_or_default()
    }

    /// Returns the median; of two in the middle, the longer one.
    pub fn median(&self) -> Duration {
        let times = self.times();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// Returns the largest memory of any run.
    pub fn peak_memory(&self) -> Option<u64> {
        self.runs.iter().filter_map(|run| run.peak_memory).max()
    }

    /// Returns the least processor time of any run, which other work on the machine disturbs least.
    pub fn processor(&self) -> Option<Duration> {
        self.runs.iter().filter_map(|run| run.processor).min()
    }

    fn per_kind(&self) -> f64 {
        milliseconds(self.median()) / as_number(self.kinds)
    }
}

/// Everything that a benchmark found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The tools and the machine.
    pub environment: Vec<(&'static str, String)>,
    /// Sizes from small to large, tasks in order.
    pub rows: Vec<Row>,
    /// Whether the two tools wrote the same, by size.
    pub comparisons: Vec<(usize, Comparison)>,
}

impl Report {
    /// Adds a run to its row.
    pub fn add(&mut self, kinds: usize, task: Task, run: Measurement) {
        match self
            .rows
            .iter_mut()
            .find(|row| row.kinds == kinds && row.task == task)
        {
            Some(row) => row.runs.push(run),
            None => self.rows.push(Row {
                kinds,
                task,
                runs: vec![run],
            }),
        }
    }

    /// Returns the runs of a task at a size.
    pub fn row(&self, kinds: usize, task: Task) -> Option<&Row> {
        self.rows
            .iter()
            .find(|row| row.kinds == kinds && row.task == task)
    }

    /// Returns how many times as fast as controller-gen a task of kgen is.
    pub fn ratio(&self, kinds: usize, task: Task) -> Option<f64> {
        let (ours, theirs) = (self.row(kinds, task)?, self.row(kinds, task.rival()?)?);
        Some(milliseconds(theirs.median()) / milliseconds(ours.median()))
    }

    /// Returns the time per kind at 1,000 kinds, as a multiple of that at 100.
    pub fn growth(&self, task: Task) -> Option<f64> {
        Some(self.row(1000, task)?.per_kind() / self.row(100, task)?.per_kind())
    }

    /// Returns the rows for the terminal.
    pub fn table(&self) -> String {
        let mut table = Table::new(&[
            ("kinds", Side::Right),
            ("command", Side::Left),
            ("runs", Side::Right),
            ("best", Side::Right),
            ("median", Side::Right),
            ("ms/kind", Side::Right),
            ("processor", Side::Right),
            ("memory", Side::Right),
            ("ratio", Side::Right),
        ]);
        for row in &self.rows {
            let ratio = self.ratio(row.kinds, row.task);
            let unknown = || "-".to_owned();
            table.row(vec![
                amounts::count(row.kinds),
                row.task.name().to_owned(),
                row.runs.len().to_string(),
                amounts::time(row.best()),
                amounts::time(row.median()),
                format!("{:.2}", row.per_kind()),
                row.processor().map_or_else(unknown, amounts::time),
                row.peak_memory().map_or_else(unknown, amounts::size),
                ratio.map_or_else(String::new, |ratio| format!("{ratio:.0}x")),
            ]);
        }
        table.render()
    }

    /// Returns further lines: growth, and whether both tools did the same work.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for task in [Task::Generate, Task::Verify, Task::ControllerGen] {
            if let Some(growth) = self.growth(task) {
                notes.push(format!(
                    "{}: time per kind grows {growth:.2} times from 100 to 1,000 kinds",
                    task.name()
                ));
            }
        }
        if !self.comparisons.is_empty() {
            let counts = self.comparisons.iter().map(|(_, found)| {
                format!(
                    "{} of {}",
                    amounts::count(found.equal),
                    amounts::count(found.files)
                )
            });
            let counts: Vec<_> = counts.collect();
            notes.push(format!(
                "CRDs that equal those of controller-gen: {}",
                counts.join(", ")
            ));
        }
        let difference = self
            .comparisons
            .iter()
            .find_map(|(_, found)| found.first_difference.as_deref());
        notes.extend(difference.map(shortened));
        notes
    }

    /// Returns the whole report as JSON, for programs.
    pub fn json(&self) -> Value {
        let environment: serde_json::Map<_, _> = self
            .environment
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        let rows = self.rows.iter().map(|row| {
            json!({
                "kinds": row.kinds,
                "command": row.task.name(),
                "bestMilliseconds": rounded(milliseconds(row.best())),
                "medianMilliseconds": rounded(milliseconds(row.median())),
                "millisecondsPerKind": rounded(row.per_kind()),
                "processorMilliseconds": row.processor().map(|time| rounded(milliseconds(time))),
                "peakMemoryBytes": row.peak_memory(),
                "runsMilliseconds": row.runs.iter().map(|run| rounded(milliseconds(run.time))).collect::<Vec<_>>(),
            })
        });
        let equal = self
            .comparisons
            .iter()
            .map(|(kinds, found)| json!({ "kinds": kinds, "files": found.files, "equal": found.equal }));
        json!({
            "environment": environment,
            "rows": rows.collect::<Vec<_>>(),
            "sameAsControllerGen": equal.collect::<Vec<_>>(),
        })
    }
}

/// Returns the beginning of a difference, which is enough to recognize it.
fn shortened(difference: &str) -> String {
    let lines: Vec<&str> = difference.lines().collect();
    let shown = lines
        .iter()
        .take(20)
        .map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n");
    if lines.len() > 20 {
        format!("{shown}\n    … {} more lines", lines.len() - 20)
    } else {
        shown
    }
}

/// Rounds to microseconds; smaller differences are noise.
fn rounded(milliseconds: f64) -> f64 {
    (milliseconds * 1000.0).round() / 1000.0
}

/// Converts a count for calculations.
fn as_number(count: usize) -> f64 {
    f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX))
}

#[cfg(test)]
pub mod tests {
    //! The figures of a report, and reports for other tests.

    use super::*;

    /// Returns a run that took so many milliseconds and megabytes.
    pub fn run(milliseconds: u64, megabytes: u64) -> Measurement {
        let time = Duration::from_millis(milliseconds);
        Measurement {
            time,
            processor: Some(time * 2),
            peak_memory: Some(megabytes * 1_000_000),
        }
    }

    /// Returns a report of these runs.
    pub fn report(runs: Vec<(usize, Task, Measurement)>) -> Report {
        let mut report = Report::default();
        for (kinds, task, run) in runs {
            report.add(kinds, task, run);
        }
        report
    }

    #[test]
    fn the_table_has_a_row_for_every_task_at_every_size() {
        let report = report(vec![
            (1, Task::Generate, run(4, 7)),
            (1, Task::Generate, run(6, 8)),
            (1, Task::Generate, run(5, 7)),
            (1, Task::ControllerGen, run(1000, 90)),
            (1000, Task::Generate, run(500, 120)),
        ]);
        insta::assert_snapshot!(report.table(), @"
        kinds  command             runs     best   median  ms/kind  processor    memory  ratio
            1  kgen crd               3  4.00 ms  5.00 ms     5.00    8.00 ms    8.0 MB   200x
            1  controller-gen crd     1   1.00 s   1.00 s  1000.00     2.00 s   90.0 MB
        1,000  kgen crd               1   500 ms   500 ms     0.50     1.00 s  120.0 MB
        ");
        assert_eq!(
            report.json()["rows"][0]["runsMilliseconds"],
            json!([4.0, 6.0, 5.0])
        );
    }

    #[test]
    fn growth_compares_the_time_per_kind() {
        let report = report(vec![
            (100, Task::Verify, run(50, 1)),
            (1000, Task::Verify, run(600, 1)),
        ]);
        assert_eq!(
            report.notes(),
            ["kgen verify: time per kind grows 1.20 times from 100 to 1,000 kinds"]
        );
        assert_eq!(report.growth(Task::Generate), None);
    }
}
