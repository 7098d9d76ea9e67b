//! Verifies a round of fixes: each problem is gone, and there is no new error in its place.
//!
//! An error elsewhere does not count against a fix, because kgen stops between its stages: a mistake in a marker hides
//! all mistakes in types.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use kgen_diagnostics::{Code, Files, Problem};

use super::edits::{Candidate, Edited};
use crate::report::Report;

/// A problem in terms of the new text.
type Key = (Code, String, Option<(String, usize)>);

/// Returns the fixes that did not help, by their position in `candidates`, with the reason.
pub(super) fn failures(
    candidates: &[Candidate],
    edited: &BTreeMap<PathBuf, Edited>,
    before: &Report,
    after: &Report,
) -> BTreeMap<usize, String> {
    let files: BTreeMap<&str, &Edited> = edited
        .values()
        .map(|edited| (edited.name.as_str(), edited))
        .collect();
    let moved = |(name, offset): &(String, usize)| {
        let offset = files
            .get(name.as_str())
            .map_or(*offset, |edited| edited.moved(*offset));
        (name.clone(), offset)
    };
    let keys = |report: &Report| -> BTreeSet<Key> {
        problems(report)
            .map(|(problem, files)| key(problem, files))
            .collect()
    };
    let old: BTreeSet<Key> = keys(before)
        .into_iter()
        .map(|(code, message, start)| (code, message, start.as_ref().map(moved)))
        .collect();
    let new = keys(after);
    let mut failures = BTreeMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let key = (
            candidate.code,
            candidate.message.clone(),
            candidate.start.as_ref().map(moved),
        );
        if new.contains(&key) {
            failures.insert(index, "it does not solve the problem".to_owned());
            continue;
        }
        let error = problems(after)
            .filter(|(problem, _)| problem.is_error())
            .filter(|(problem, files)| !old.contains(&self::key(problem, files)))
            .find(|(problem, reported)| is_result_of(problem, reported, candidate, &files));
        if let Some((error, _)) = error {
            failures.insert(index, format!("it causes another error: {}", error.message));
        }
    }
    failures
}

fn problems(report: &Report) -> impl Iterator<Item = (&Problem, &Files)> {
    report
        .findings
        .iter()
        .flat_map(|findings| findings.problems.iter().map(|problem| (problem, &findings.files)))
}

fn key(problem: &Problem, files: &Files) -> Key {
    let start = problem
        .span
        .map(|span| (files.name(span.file).to_owned(), span.range().start));
    (problem.code, problem.message.clone(), start)
}

/// Returns whether an error is at text that the fix wrote, or at the line below a line that it wrote, or says that the
/// file is no longer Rust.
fn is_result_of(
    error: &Problem,
    reported: &Files,
    candidate: &Candidate,
    edited: &BTreeMap<&str, &Edited>,
) -> bool {
    let Some((span, file)) = error.span.and_then(|span| Some((span, reported.get(span.file)?))) else {
        return false;
    };
    let Some(edited) = edited.get(file.name()) else {
        return false;
    };
    let ranges = edited.new_ranges_of(candidate);
    if error.code == Code::Syntax {
        return !ranges.is_empty();
    }
    let error = span.range();
    let line = |offset: usize| file.line_of(u32::try_from(offset).unwrap_or(u32::MAX));
    ranges.iter().any(|range| {
        if line(range.start) == line(range.end) {
            range.start <= error.end && error.start <= range.end
        } else {
            // A new line belongs to the next line, as a marker belongs to its field.
            line(range.start) <= line(error.end) && line(error.start) <= line(range.end)
        }
    })
}
