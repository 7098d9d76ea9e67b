//! Converts problems to texts: which fixes can be applied together, and the resulting files.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

use kgen_diagnostics::{Code, Files, Fix, Problem};

use crate::report::Report;

/// A certain fix of a problem.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The code of the problem.
    pub(super) code: Code,
    /// The message of the problem.
    pub(super) message: String,
    /// The place of the problem, for messages.
    pub(super) place: String,
    /// The file and the offset of the problem.
    pub(super) start: Option<(String, usize)>,
    /// The line of the problem, and its offset in that line.
    pub(super) line: Option<(String, usize)>,
    /// The edits, by place.
    pub(super) edits: Vec<FileEdit>,
}

/// An edit of one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileEdit {
    pub(super) path: PathBuf,
    /// The bytes of the text, without a byte order mark.
    pub(super) range: Range2,
    pub(super) replacement: String,
    /// The file as messages name it.
    pub(super) name: String,
}

/// The certain fixes of a run, and the files that they are for.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// The fixes, by place.
    pub(super) list: Vec<Candidate>,
    /// The whole texts of their files, with byte order marks.
    pub(super) texts: BTreeMap<PathBuf, String>,
}

/// A range that can be ordered.
pub(super) type Range2 = (usize, usize);

/// Identifies a fix through all rounds.
pub(super) type Identity = (Code, String, Option<String>, Option<(String, usize)>, Vec<String>);

impl Candidate {
    /// Identifies the problem by its own line, which does not change from round to round unless a fix there is tried.
    pub(super) fn identity(&self) -> Identity {
        (
            self.code,
            self.message.clone(),
            self.start.as_ref().map(|(name, _)| name.clone()),
            self.line.clone(),
            self.edits.iter().map(|edit| edit.replacement.clone()).collect(),
        )
    }
}

/// Returns the certain fixes of all problems. Sets that share a file find the same problems in it; they count once.
pub(super) fn candidates(report: &Report) -> Candidates {
    let mut candidates = Candidates::default();
    let mut known = BTreeSet::new();
    for findings in &report.findings {
        for problem in findings.problems.sorted(&findings.files) {
            let found = problem
                .certain_fix()
                .and_then(|fix| candidate(problem, fix, &findings.files, &mut candidates.texts));
            if let Some(found) = found
                && known.insert((found.start.clone(), found.identity(), found.edits.clone()))
            {
                candidates.list.push(found);
            }
        }
    }
    candidates
}

/// Returns the certain fix of one problem, if there is one.
pub(super) fn candidate_of(problem: &Problem, files: &Files) -> Option<Candidate> {
    candidate(problem, problem.certain_fix()?, files, &mut BTreeMap::new())
}

/// Returns `None` if an edit cannot be made in a file of the user.
fn candidate(
    problem: &Problem,
    fix: &Fix,
    files: &Files,
    texts: &mut BTreeMap<PathBuf, String>,
) -> Option<Candidate> {
    let mut edits = Vec::with_capacity(fix.edits.len());
    for edit in &fix.edits {
        let resolved = edit.resolve(files)?;
        let file = files.get(resolved.span.file)?;
        let range = resolved.span.range();
        let path = file.editable()?.to_owned();
        texts.entry(path.clone()).or_insert_with(|| file.whole());
        edits.push(FileEdit {
            path,
            range: (range.start, range.end),
            replacement: resolved.replacement,
            name: file.name().to_owned(),
        });
    }
    edits.sort();
    let start = problem.span.and_then(|span| {
        let file = files.get(span.file)?;
        Some((file, span.range().start))
    });
    let line = start.map(|(file, offset)| {
        let index = file.line_of(u32::try_from(offset).unwrap_or(u32::MAX));
        let before = usize::try_from(file.line_start(index)).unwrap_or_default();
        (file.line(index).to_owned(), offset.saturating_sub(before))
    });
    let place = start.map_or_else(String::new, |(file, offset)| {
        let position = file.position(u32::try_from(offset).unwrap_or(u32::MAX));
        format!("{}:{}:{}", file.name(), position.line, position.column)
    });
    Some(Candidate {
        code: problem.code,
        message: problem.message.clone(),
        place,
        line,
        start: start.map(|(file, offset)| (file.name().to_owned(), offset)),
        edits,
    })
}

/// Drops fixes whose edits conflict with those of an earlier fix; the next round finds them again.
pub(super) fn drop_overlaps(candidates: &mut Vec<Candidate>) {
    let mut taken: Vec<FileEdit> = Vec::new();
    candidates.retain(|candidate| {
        let is_free = candidate
            .edits
            .iter()
            .all(|edit| taken.iter().all(|other| *edit == *other || !collide(edit, other)));
        if is_free {
            taken.extend(candidate.edits.iter().cloned());
        }
        is_free
    });
}

/// Returns whether two edits conflict. Two insertions at one place do not.
fn collide(left: &FileEdit, right: &FileEdit) -> bool {
    let is_insertion = |edit: &FileEdit| edit.range.0 == edit.range.1;
    let touch = left.range.0 <= right.range.1 && right.range.0 <= left.range.1;
    left.path == right.path && touch && !(is_insertion(left) && is_insertion(right))
}

/// A file with the edits of several fixes.
pub(super) struct Edited {
    /// The file as messages name it.
    pub(super) name: String,
    /// The whole new text, with a byte order mark if there was one.
    pub(super) text: String,
    /// The edits, by place, each once.
    edits: Vec<(Range2, String)>,
}

/// Returns the files that fixes change, by path. Everything outside the edits is unchanged.
pub(super) fn apply(
    candidates: &[Candidate],
    texts: &BTreeMap<PathBuf, String>,
) -> BTreeMap<PathBuf, Edited> {
    let mut by_file: BTreeMap<PathBuf, Vec<&FileEdit>> = BTreeMap::new();
    for edit in candidates.iter().flat_map(|candidate| &candidate.edits) {
        by_file.entry(edit.path.clone()).or_default().push(edit);
    }
    by_file
        .into_iter()
        .filter_map(|(path, mut edits)| {
            edits.sort();
            // Several problems can have the same fix, such as an import.
            edits.dedup();
            let first = edits.first()?;
            let edited = Edited {
                name: first.name.clone(),
                text: applied(texts.get(&path)?, &edits)?,
                edits: edits
                    .iter()
                    .map(|edit| (edit.range, edit.replacement.clone()))
                    .collect(),
            };
            Some((path, edited))
        })
        .collect()
}

/// Applies edits from the last to the first, so that offsets stay valid.
fn applied(whole: &str, edits: &[&FileEdit]) -> Option<String> {
    let mark = if whole.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    let mut text = whole.to_owned();
    for edit in edits.iter().rev() {
        let range = edit.range.0 + mark..edit.range.1 + mark;
        text.get(range.clone())?;
        text.replace_range(range, &edit.replacement);
    }
    Some(text)
}

impl Edited {
    /// Maps an offset of the old text to the new one.
    pub(super) fn moved(&self, offset: usize) -> usize {
        let mut moved = offset;
        for ((start, end), replacement) in self.edits.iter().rev() {
            if *start <= offset && (*end <= offset || *start == *end) {
                moved = (moved + replacement.len()).saturating_sub(end - start);
            }
        }
        moved
    }

    /// Returns the ranges of the new text that edits made.
    pub(super) fn new_ranges(&self) -> Vec<Range<usize>> {
        let mut shift = 0;
        let mut ranges = Vec::with_capacity(self.edits.len());
        for ((start, end), replacement) in &self.edits {
            let new_start = start.saturating_add_signed(shift);
            ranges.push(new_start..new_start + replacement.len());
            let (gained, lost) = (replacement.len(), end - start);
            shift += isize::try_from(gained).unwrap_or(0) - isize::try_from(lost).unwrap_or(0);
        }
        ranges
    }

    /// Returns the ranges that the edits of one fix made.
    pub(super) fn new_ranges_of(&self, candidate: &Candidate) -> Vec<Range<usize>> {
        let is_own = |(range, replacement): &(Range2, String)| {
            let mut own = candidate.edits.iter().filter(|edit| edit.name == self.name);
            own.any(|edit| edit.range == *range && edit.replacement == *replacement)
        };
        let owned = self.edits.iter().map(is_own);
        let ranges = self.new_ranges();
        ranges
            .into_iter()
            .zip(owned)
            .filter(|(_, own)| *own)
            .map(|(range, _)| range)
            .collect()
    }
}
