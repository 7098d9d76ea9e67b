//! How strict a run is: a table from codes to severities, read in one place.
//!
//! Code that finds a problem states only facts: the code, the place, and whether others tolerate the source as it is.
//! [`Problems::settle`](crate::Problems::settle) then applies the policy of the run; nothing else changes a severity.

use crate::{Code, Problem, Severity};

/// Which problems of a code a row of a policy is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All levels.
    Every,
    /// The problems that are marked with [`Problem::tolerated`].
    Tolerated,
}

/// The errors that a mode of kgen reports with a lower severity.
#[derive(Clone, Copy, Debug)]
pub struct Policy(pub &'static [(Code, Extent, Severity)]);

impl Policy {
    /// Every problem has the severity that it was reported with.
    pub const STRICT: Self = Self(&[]);

    /// Returns the severity of `problem` under this policy. A policy never makes a problem more severe.
    #[must_use]
    pub fn severity(&self, problem: &Problem) -> Severity {
        let row = self.0.iter().find(|(code, extent, _)| {
            *code == problem.code && (*extent == Extent::Every || problem.is_tolerated)
        });
        row.map_or(problem.severity, |(_, _, severity)| {
            problem.severity.max(*severity)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Problems;

    const LENIENT: Policy = Policy(&[
        (Code::JsonPath, Extent::Tolerated, Severity::Warning),
        (Code::RenameDiffers, Extent::Every, Severity::Warning),
    ]);

    #[test]
    fn only_the_rows_of_a_policy_change_a_severity() {
        let error = |code| Problem::general(code, "message");
        assert_eq!(LENIENT.severity(&error(Code::JsonPath)), Severity::Error);
        assert_eq!(
            LENIENT.severity(&error(Code::JsonPath).tolerated()),
            Severity::Warning
        );
        assert_eq!(LENIENT.severity(&error(Code::RenameDiffers)), Severity::Warning);
        assert_eq!(
            LENIENT.severity(&error(Code::Syntax).tolerated()),
            Severity::Error
        );
        assert_eq!(
            Policy::STRICT.severity(&error(Code::JsonPath).tolerated()),
            Severity::Error
        );
    }

    #[test]
    fn a_note_stays_a_note() {
        let mut problems = Problems::new();
        problems.push(Problem::note(Code::RenameDiffers, "message"));
        problems.settle(LENIENT, &[]);
        assert_eq!(
            problems
                .iter()
                .map(|problem| problem.severity)
                .collect::<Vec<_>>(),
            [Severity::Note]
        );
    }
}
