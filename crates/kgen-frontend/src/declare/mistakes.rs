//! Decides whether an invalid marker is a mistake or text that is not meant for kgen.
//!
//! Types for kube-derive are often translated from Go, with their comments. kube-derive ignores the markers in them,
//! except that it copies those in doc comments to the description, so they can be anything.

use kgen_diagnostics::{Code, Fix, Problem, Problems, Span};
use kgen_markers::{Marker, MarkerText, conflicts};

use super::Source;

use super::documentation::DocumentationStyle;

/// Markers that are only meant for a tool like kgen, and are not used on types.
const OWN: &[&str] = &["kgen:", "kubebuilder:rbac", "kubebuilder:webhook"];

/// The treatment of invalid markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistakes {
    /// They stop the run.
    Stop,
    /// They are warnings, and part of the surrounding text.
    AreText,
}

impl Mistakes {
    pub(super) fn of_style(style: DocumentationStyle) -> Self {
        match style {
            DocumentationStyle::ControllerGen => Self::Stop,
            DocumentationStyle::AsWritten => Self::AreText,
        }
    }

    /// Returns whether an invalid marker is text.
    pub(super) fn are_text(self, text: &MarkerText) -> bool {
        self == Self::AreText && !OWN.iter().any(|own| text.name().starts_with(own))
    }

    /// Returns the problem of a marker, with its severity.
    pub(super) fn judged(self, problem: Problem, text: &MarkerText) -> Problem {
        if self.are_text(text) {
            tolerated(problem)
        } else {
            problem
        }
    }

    /// Reports contradictions between the markers of a node. If that is not an error, the first one applies.
    pub(super) fn check_together(
        self,
        markers: &mut Vec<Marker>,
        source: Source<'_>,
        problems: &mut Problems,
    ) {
        let found: Vec<_> = conflicts(markers)
            .into_iter()
            .map(|(later, problem)| (later, without_repetition(problem, source)))
            .collect();
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

/// Adds the fix that removes a marker that only repeats another one.
fn without_repetition(problem: Problem, source: Source<'_>) -> Problem {
    let (Code::RepeatedMarker, Some(later), [earlier]) =
        (problem.code, problem.span, problem.related.as_slice())
    else {
        return problem;
    };
    let text = |span: Span| source.text.get(span.range());
    match line_of_marker(later, source).filter(|_| text(later) == text(earlier.span)) {
        Some(line) => problem.with_fix(Fix::replace(line, "")),
        None => problem,
    }
}

/// Returns the line of a comment, with its line break, if it contains only the marker.
fn line_of_marker(marker: Span, source: Source<'_>) -> Option<Span> {
    let (start, end) = (marker.range().start, marker.range().end);
    let (before, behind) = (source.text.get(..start)?, source.text.get(end..)?);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_end = end + behind.find('\n').map_or(behind.len(), |at| at + 1);
    let slashes = before.get(line_start..)?.trim().strip_suffix('+')?.trim_end();
    let rest = source.text.get(end..line_end)?;
    (matches!(slashes, "//" | "///" | "//!") && rest.trim().is_empty())
        .then(|| Span::of(source.file, line_start..line_end))
}

fn tolerated(problem: Problem) -> Problem {
    if problem.is_error() {
        // The text may be meant for another tool.
        return problem
            .with_uncertain_fixes()
            .tolerated()
            .help("correct or remove it; kube-derive ignores it, but without `compat` it is an error");
    }
    problem
}
