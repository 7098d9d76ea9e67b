//! The goals of kgen, and whether they were reached.

use std::time::Duration;

use super::report::{Report, Task};
use crate::amounts;

/// Times as fast as controller-gen on the small API, at least.
const TIMES_AS_FAST: f64 = 50.0;
/// Growth of the time per kind from 100 to 1,000 kinds, at most.
const GROWTH: f64 = 1.3;
/// Time for 1,000 kinds, at most.
const LARGE_TIME: Duration = Duration::from_secs(1);
/// Memory for 1,000 kinds, at most.
const LARGE_MEMORY: u64 = 300_000_000;

/// Times as fast as controller-gen on a kind that embeds a pod template, at least.
const PODS_TIMES_AS_FAST: f64 = 20.0;
/// Memory for that kind, at most.
const PODS_MEMORY: u64 = 150_000_000;

/// Time to begin a project, and to add a kind to it, at most.
const SCAFFOLD_TIME: Duration = Duration::from_millis(50);

/// A goal and its result; `None` if the run did not measure it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    what: String,
    found: Option<(String, bool)>,
}

impl Goal {
    /// Creates a goal that was measured: the figure, and whether it is reached.
    pub fn measured(what: String, found: String, is_reached: bool) -> Self {
        Self {
            what,
            found: Some((found, is_reached)),
        }
    }

    /// Creates a goal that this run does not measure.
    pub fn not_measured(what: String) -> Self {
        Self { what, found: None }
    }

    /// Returns whether it was measured and not reached.
    pub fn is_missed(&self) -> bool {
        matches!(self.found, Some((_, false)))
    }

    /// Returns the goal as a line.
    pub fn line(&self) -> String {
        match &self.found {
            Some((found, true)) => format!("PASS  {}: {found}", self.what),
            Some((found, false)) => format!("MISS  {}: {found}", self.what),
            None => format!("  -   {}: not measured", self.what),
        }
    }
}

/// Returns all goals. They compare medians, because users see typical runs; the table also has the best run.
pub fn goals(report: &Report) -> Vec<Goal> {
    let ratio = report.ratio(1, Task::Generate);
    let growth = report.growth(Task::Generate);
    let large = report.row(1000, Task::Generate);
    let time = large.map(|row| row.median());
    let memory = large.and_then(|row| row.peak_memory());
    let pods_ratio = report.ratio(1, Task::GeneratePods);
    let pods_memory = report
        .row(1, Task::GeneratePods)
        .and_then(|row| row.peak_memory());
    let scaffold = Task::OF_PROJECTS.map(|task| {
        let time = report.row(1, task).map(|row| row.median());
        Goal {
            what: format!("`{}` in at most {}", task.name(), amounts::time(SCAFFOLD_TIME)),
            found: time.map(|time| (amounts::time(time), time <= SCAFFOLD_TIME)),
        }
    });
    let mut goals = vec![
        Goal {
            what: format!("at least {TIMES_AS_FAST} times as fast as controller-gen on the small API"),
            found: ratio.map(|ratio| (format!("{ratio:.0} times"), ratio >= TIMES_AS_FAST)),
        },
        Goal {
            what: format!("time per kind at 1,000 kinds at most {GROWTH} times that at 100"),
            found: growth.map(|growth| (format!("{growth:.2} times"), growth <= GROWTH)),
        },
        Goal {
            what: format!("1,000 kinds in at most {}", amounts::time(LARGE_TIME)),
            found: time.map(|time| (amounts::time(time), time <= LARGE_TIME)),
        },
        Goal {
            what: format!("1,000 kinds in at most {}", amounts::size(LARGE_MEMORY)),
            found: memory.map(|memory| (amounts::size(memory), memory <= LARGE_MEMORY)),
        },
        Goal {
            what: format!(
                "at least {PODS_TIMES_AS_FAST} times as fast as controller-gen with a pod template"
            ),
            found: pods_ratio.map(|ratio| (format!("{ratio:.0} times"), ratio >= PODS_TIMES_AS_FAST)),
        },
        Goal {
            what: format!("a pod template in at most {}", amounts::size(PODS_MEMORY)),
            found: pods_memory.map(|memory| (amounts::size(memory), memory <= PODS_MEMORY)),
        },
    ];
    goals.extend(scaffold);
    goals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::report::tests::{report, run};

    #[test]
    fn goals_are_reached_missed_or_not_measured() {
        let report = report(vec![
            (1, Task::Generate, run(10, 5)),
            (1, Task::ControllerGen, run(600, 90)),
            (100, Task::Generate, run(50, 40)),
            (1000, Task::Generate, run(900, 400)),
            (1, Task::GeneratePods, run(30, 50)),
            (1, Task::ControllerGenPods, run(3000, 500)),
        ]);
        let lines: Vec<_> = goals(&report).iter().map(Goal::line).collect();
        let expected = [
            "PASS  at least 50 times as fast as controller-gen on the small API: 60 times",
            "MISS  time per kind at 1,000 kinds at most 1.3 times that at 100: 1.80 times",
            "PASS  1,000 kinds in at most 1.00 s: 900 ms",
            "MISS  1,000 kinds in at most 300.0 MB: 400.0 MB",
            "PASS  at least 20 times as fast as controller-gen with a pod template: 100 times",
            "PASS  a pod template in at most 150.0 MB: 50.0 MB",
            "  -   `kgen init` in at most 50.0 ms: not measured",
            "  -   `kgen create api` in at most 50.0 ms: not measured",
            "  -   `kgen create webhook` in at most 50.0 ms: not measured",
            "  -   `kgen update` in at most 50.0 ms: not measured",
            "  -   `kgen delete webhook` in at most 50.0 ms: not measured",
            "  -   `kgen delete api` in at most 50.0 ms: not measured",
            "  -   `kgen init --from` in at most 50.0 ms: not measured",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn what_was_not_measured_is_not_missed() {
        let goals = goals(&report(vec![(10, Task::Generate, run(10, 5))]));
        assert!(
            goals
                .iter()
                .all(|goal| !goal.is_missed() && goal.line().ends_with("not measured"))
        );
    }
}
