//! What a marker that cannot be used is: a mistake, or text that was never meant for kgen.
//!
//! Types that are written for kube-derive are often translations of Go types, comments included. kube-derive takes no notice
//! of the markers in them but for writing those in doc comments into the description, so they may be anything.

use kgen_diagnostics::{Problem, Problems};
use kgen_markers::{Marker, MarkerText, conflicts};

use super::documentation::DocumentationStyle;

/// Markers that nobody writes for another tool than one like kgen, and not into types.
const OWN: &[&str] = &["kgen:", "kubebuilder:rbac", "kubebuilder:webhook"];

/// What becomes of markers that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistakes {
    /// They stop the run.
    Stop,
    /// They are warnings, and part of the text that they stand in.
    AreText,
}

impl Mistakes {
    pub(super) fn of_style(style: DocumentationStyle) -> Self {
        match style {
            DocumentationStyle::ControllerGen => Self::Stop,
            DocumentationStyle::AsWritten => Self::AreText,
        }
    }

    /// Whether a marker that cannot be used is text.
    pub(super) fn are_text(self, text: &MarkerText) -> bool {
        self == Self::AreText && !OWN.iter().any(|own| text.name().starts_with(own))
    }

    /// The problem of a marker, as serious as it is.
    pub(super) fn judged(self, problem: Problem, text: &MarkerText) -> Problem {
        if self.are_text(text) {
            tolerated(problem)
        } else {
            problem
        }
    }

    /// Reports what the markers of a node say against each other. Where that stops nothing, the first one holds.
    pub(super) fn check_together(self, markers: &mut Vec<Marker>, problems: &mut Problems) {
        let found = conflicts(markers);
        if found.is_empty() {
            return;
        }
        if self == Self::Stop {
            problems.extend(found.into_iter().map(|(_, problem)| problem));
            return;
        }
        let mut index = 0;
        markers.retain(|_| {
            let is_later = found.iter().any(|(later, _)| *later == index);
            index += 1;
            !is_later
        });
        problems.extend(found.into_iter().map(|(_, problem)| tolerated(problem)));
    }
}

fn tolerated(problem: Problem) -> Problem {
    if problem.is_error() {
        return problem
            .tolerated()
            .help("as for kube-derive it says nothing; without `compat` it is an error");
    }
    problem
}
