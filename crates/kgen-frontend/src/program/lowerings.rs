//! The declarations that earlier runs have read from files, so that a run after a change parses only the changed files.
//!
//! Declarations have places, which name files by their numbers, so a file that has another number is parsed again.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use kgen_diagnostics::{FileId, Problems};
use rustc_hash::FxHashMap;

use crate::ForeignMarkers;
use crate::declare::{DocumentationStyle, Features, FileDeclarations, Source, lower};

/// How many texts of one file are kept: an editor reads the last valid text beside the present one, and sets may share a file.
const MOST_TEXTS: usize = 4;

/// After how many runs a text that none of them has read is forgotten.
const MOST_RUNS: u64 = 1_000;

/// Declarations by the content of their files, for processes that run several times. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Lowerings(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    /// The number of runs so far.
    runs: u64,
    files: FxHashMap<PathBuf, Vec<Entry>>,
}

#[derive(Debug)]
struct Entry {
    file: FileId,
    text: String,
    features: Features,
    foreign_markers: ForeignMarkers,
    style: DocumentationStyle,
    lowered: Lowered,
    /// The last run that has read the text.
    used: u64,
}

/// The declarations of a text, `None` if it is not Rust, and their problems.
#[derive(Clone, Debug)]
pub(super) struct Lowered {
    pub(super) declarations: Option<Arc<FileDeclarations>>,
    pub(super) problems: Problems,
}

/// How files are lowered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner<'a> {
    pub(super) features: &'a Features,
    pub(super) foreign_markers: &'a ForeignMarkers,
    pub(super) style: DocumentationStyle,
}

impl Lowered {
    /// Lowers a text.
    fn of(source: Source<'_>, manner: Manner<'_>) -> Self {
        let mut problems = Problems::new();
        let declarations = lower(
            source,
            manner.features,
            manner.foreign_markers,
            manner.style,
            &mut problems,
        );
        Self {
            declarations: declarations.map(Arc::new),
            problems,
        }
    }
}

/// Returns what a file declares, from an earlier run if there was one with the same text.
pub(super) fn lowered(
    known: Option<&Lowerings>,
    path: &Path,
    source: Source<'_>,
    manner: Manner<'_>,
) -> Lowered {
    let Some(known) = known else {
        return Lowered::of(source, manner);
    };
    if let Some(found) = known.get(path, source, manner) {
        return found;
    }
    let lowered = Lowered::of(source, manner);
    known.put(path, source, manner, lowered.clone());
    lowered
}

impl Lowerings {
    /// Notes the start of a run, and forgets what no run has read for long.
    pub(super) fn begin(&self) {
        self.with(|kept| {
            kept.runs += 1;
            let runs = kept.runs;
            kept.files.retain(|_, entries| {
                entries.retain(|entry| runs - entry.used <= MOST_RUNS);
                !entries.is_empty()
            });
        });
    }

    fn get(&self, path: &Path, source: Source<'_>, manner: Manner<'_>) -> Option<Lowered> {
        self.with(|kept| {
            let entries = kept.files.get_mut(path)?;
            let entry = entries.iter_mut().find(|entry| {
                entry.file == source.file
                    && entry.style == manner.style
                    && entry.features == *manner.features
                    && entry.foreign_markers == *manner.foreign_markers
                    && entry.text == source.text
            })?;
            entry.used = kept.runs;
            Some(entry.lowered.clone())
        })
    }

    fn put(&self, path: &Path, source: Source<'_>, manner: Manner<'_>, lowered: Lowered) {
        self.with(|kept| {
            let used = kept.runs;
            let entries = kept.files.entry(path.to_owned()).or_default();
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.used));
            entries.truncate(MOST_TEXTS - 1);
            entries.push(Entry {
                file: source.file,
                text: source.text.to_owned(),
                features: manner.features.clone(),
                foreign_markers: manner.foreign_markers.clone(),
                style: manner.style,
                lowered,
                used,
            });
        });
    }

    /// Entries are complete or absent, so those of a thread that panicked are as good as others.
    fn with<R>(&self, work: impl FnOnce(&mut Kept) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use kgen_diagnostics::{Files, SourceFile};

    use super::*;

    /// Returns the declarations of a text, and whether they are those of an earlier call.
    fn read(
        known: &Lowerings,
        text: &str,
        features: &Features,
        earlier: Option<&Lowered>,
    ) -> (Lowered, bool) {
        let mut files = Files::default();
        let file = files.add(SourceFile::new("a.rs", text));
        let foreign_markers = ForeignMarkers::default();
        let manner = Manner {
            features,
            foreign_markers: &foreign_markers,
            style: DocumentationStyle::ControllerGen,
        };
        let found = lowered(Some(known), Path::new("/a.rs"), Source::new(file, text), manner);
        let is_same = earlier.is_some_and(|earlier| match (&earlier.declarations, &found.declarations) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        });
        (found, is_same)
    }

    #[test]
    fn only_what_has_changed_is_read_again() {
        let known = Lowerings::default();
        let none = Features::default();
        let all = Features {
            all: true,
            ..Features::default()
        };
        let (first, _) = read(&known, "struct A;", &none, None);
        assert!(read(&known, "struct A;", &none, Some(&first)).1);
        assert!(!read(&known, "struct B;", &none, Some(&first)).1);
        assert!(!read(&known, "struct A;", &all, Some(&first)).1);
        // The text before is still there, as an editor wants it while a line is half typed.
        assert!(read(&known, "struct A;", &none, Some(&first)).1);
        let (broken, _) = read(&known, "struct", &none, None);
        assert_eq!(broken.problems.error_count(), 1);
        let (again, _) = read(&known, "struct", &none, None);
        assert_eq!(
            again.problems.error_count(),
            1,
            "the problems of a text are kept, too"
        );
    }

    #[test]
    fn old_texts_are_forgotten() {
        let known = Lowerings::default();
        let none = Features::default();
        for number in 0..100 {
            known.begin();
            read(&known, &format!("struct A{number};"), &none, None);
        }
        let texts = known.with(|kept| kept.files.values().map(Vec::len).sum::<usize>());
        assert_eq!(texts, MOST_TEXTS);
        for _ in 0..=MOST_RUNS {
            known.begin();
        }
        assert!(known.with(|kept| kept.files.is_empty()));
    }
}
