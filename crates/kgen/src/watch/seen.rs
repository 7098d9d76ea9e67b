//! The state of the disk that a run has seen: times and lengths of files, and the names in the folders where a module could appear.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use kgen_build::{
    Change, ChangeAction, Configuration, Report, absolute, entries, is_file, is_folder, read_file,
    without_dots,
};
use kgen_diagnostics::SourceFile;

/// The state of files and folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    files: BTreeMap<PathBuf, State>,
    /// The names in folders where a module could appear.
    folders: BTreeMap<PathBuf, Vec<String>>,
}

/// The state of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Missing,
    /// The attributes of a file that change when it is written.
    Present {
        modified: Option<SystemTime>,
        /// The time of the last change of the inode, on systems that have it: `cp --preserve` and rsync replace a file without
        /// changing the other two.
        changed: Option<(i64, i64)>,
        length: u64,
    },
    /// The file changed while it was read, so it differs from every other state.
    Changed,
}

impl State {
    fn of(path: &Path) -> Self {
        path.metadata().map_or(Self::Missing, |found| Self::Present {
            modified: found.modified().ok(),
            changed: changed(&found),
            length: found.len(),
        })
    }
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems do not tell")]
fn changed(found: &Metadata) -> Option<(i64, i64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.ctime(), found.ctime_nsec()))
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> Option<(i64, i64)> {
    None
}

impl Seen {
    /// Returns the state of all folders of the source, and of the Rust files in them.
    pub(super) fn of_folders(configuration: &Configuration) -> Self {
        let mut seen = Self::default();
        let mut waiting: BTreeSet<PathBuf> = BTreeSet::new();
        for set in &configuration.sets {
            let paths = set
                .paths
                .iter()
                .map(|path| absolute(&set.folder, &without_dots(path)));
            waiting.extend(paths);
            if set.paths.is_empty() {
                waiting.insert(set.folder.clone());
            }
            for name in ["Cargo.toml", "Cargo.lock"] {
                seen.add_file(&set.folder.join(name));
            }
        }
        while let Some(folder) = waiting.pop_first() {
            if is_file(&folder) {
                continue;
            }
            let names = rust_names(&folder);
            let (files, inner): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.ends_with(".rs"));
            waiting.extend(inner.into_iter().map(|name| folder.join(name)));
            for name in files {
                seen.add_file(&folder.join(name));
            }
            seen.folders.insert(folder, names);
        }
        seen
    }

    /// Adds everything that a run has read.
    ///
    /// `self` is the state before the run, and `earlier` that of the files of the run before. A file that neither has was read
    /// for the first time, so its text is compared.
    pub(super) fn add_read(&mut self, report: &Report, configuration: &Configuration, earlier: &Self) {
        let files = report.findings.iter().flat_map(|findings| findings.files.iter());
        let texts: BTreeMap<&Path, &SourceFile> = files
            .filter_map(|(_, file)| Some((file.editable()?, file)))
            .collect();
        for path in report.files_read.iter().chain(&configuration.read_from) {
            let known = earlier.files.get(path).copied();
            let texts = &texts;
            let first = || {
                // The state comes first, so that a change between the two is not missed.
                let state = State::of(path);
                let is_as_read = |file: &&SourceFile| {
                    let present = read_file(path).ok().flatten();
                    present.is_some_and(|present| present == file.whole())
                };
                match texts.get(path.as_path()) {
                    Some(file) if !is_as_read(file) => State::Changed,
                    _ => state,
                }
            };
            self.files
                .entry(path.clone())
                .or_insert_with(|| known.unwrap_or_else(first));
        }
    }

    pub(super) fn add_file(&mut self, path: &Path) {
        self.files.insert(path.to_owned(), State::of(path));
    }

    /// Takes the present state of a file that kgen wrote or removed, and of the folders that it created for it.
    pub(super) fn update(&mut self, change: &Change) {
        let path = change.path.as_path();
        let is_removed = matches!(change.action, ChangeAction::Stale { .. });
        let is_known = self.files.contains_key(path);
        let mut above: Vec<&Path> = path.ancestors().collect();
        above.reverse();
        let mut is_watched = false;
        for pair in above.windows(2) {
            let [folder, inner] = pair else { continue };
            let Some(name) = inner.file_name().map(|name| name.to_string_lossy().into_owned()) else {
                continue;
            };
            let Some(names) = self.folders.get_mut(*folder) else {
                continue;
            };
            let is_last = *inner == path;
            // The folders of a removed file are removed with their last file.
            if is_removed && !is_folder(inner) && !is_file(inner) {
                names.retain(|known| *known != name);
                self.folders.remove(*inner);
                break;
            }
            if !is_source_name(&name, !is_last) {
                break;
            }
            // Only this name: others are news that a run has not seen.
            if let Err(at) = names.binary_search(&name) {
                names.insert(at, name);
            }
            is_watched = is_last;
            if !is_last {
                self.folders.entry(inner.to_path_buf()).or_default();
            }
        }
        if is_known || is_watched {
            self.add_file(path);
        }
    }

    /// Returns the present state of the same files and folders.
    pub(super) fn again(&self) -> Self {
        Self {
            files: self
                .files
                .keys()
                .map(|path| (path.clone(), State::of(path)))
                .collect(),
            folders: self
                .folders
                .keys()
                .map(|path| (path.clone(), rust_names(path)))
                .collect(),
        }
    }

    pub(super) fn has_changed(&self) -> bool {
        self.files.iter().any(|(path, known)| State::of(path) != *known)
            || self
                .folders
                .iter()
                .any(|(path, known)| rust_names(path) != *known)
    }

    /// Returns the numbers of files and folders.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.files.len(), self.folders.len())
    }
}

/// Returns the names of Rust files and folders in which a module could appear.
fn rust_names(folder: &Path) -> Vec<String> {
    let mut names = entries(folder).unwrap_or_default();
    names.retain(|name| {
        is_source_name(name, false) || is_source_name(name, true) && is_folder(&folder.join(name))
    });
    names
}

/// Returns whether a file or folder of this name belongs to the source: not if it is hidden, the output of cargo, or packages of
/// npm, which may be many.
fn is_source_name(name: &str, is_folder: bool) -> bool {
    if is_folder {
        !name.starts_with('.') && name != "target" && name != "node_modules"
    } else {
        name.ends_with(".rs")
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use kgen_build::{Findings, plain_crd_set};
    use kgen_diagnostics::Files;

    use super::*;

    fn configuration(folder: &Path) -> Configuration {
        Configuration {
            sets: vec![plain_crd_set(folder)],
            ..Configuration::default()
        }
    }

    fn change(path: PathBuf, action: ChangeAction) -> Change {
        Change {
            path,
            name: String::new(),
            generator: "crd",
            action,
            foreign: false,
        }
    }

    #[test]
    fn folders_that_kgen_creates_are_not_news() {
        let folder = tempfile::tempdir().unwrap();
        let mut seen = Seen::of_folders(&configuration(folder.path()));
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            path
        };
        for name in ["crds/bases/a.yaml", "src/generated/mod.rs", ".hidden/inner/b.rs"] {
            let new = String::new();
            seen.update(&change(write(name), ChangeAction::Create { new }));
            assert!(!seen.has_changed(), "{name}");
        }
        assert_eq!(
            seen.folders,
            Seen::of_folders(&configuration(folder.path())).folders
        );
        write("crds/mine.rs");
        assert!(seen.has_changed(), "a file of the user beside them is news");
        let stale = folder.path().join("crds/mine.rs");
        seen = seen.again();
        fs::remove_dir_all(stale.parent().unwrap()).unwrap();
        seen.update(&change(stale, ChangeAction::Stale { old: Vec::new() }));
        assert!(!seen.has_changed(), "a file that kgen removes");
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_first_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outside.rs");
        fs::write(&path, "new").unwrap();
        let read = |text: &str| {
            let mut files = Files::default();
            files.add(SourceFile::new("outside.rs", text).editable_at(&path));
            let findings = Findings {
                files,
                ..Findings::default()
            };
            let mut report = Report::stopped_by(vec![findings]);
            report.files_read.push(path.clone());
            report
        };
        let none = Configuration::default();
        let mut seen = Seen::default();
        seen.add_read(&read("new"), &none, &Seen::default());
        assert!(!seen.has_changed());
        let mut seen = Seen::default();
        seen.add_read(&read("old"), &none, &Seen::default());
        assert!(seen.has_changed());
        let mut next = Seen::default();
        next.add_read(&read("new"), &none, &seen.again());
        assert!(!next.has_changed(), "one more run is enough");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_by_one_of_the_same_time_and_length_is_news() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("kept.rs"), folder.path().join("aside"));
        fs::write(&path, "one").unwrap();
        let before = path.metadata().unwrap();
        let mut seen = Seen::default();
        seen.add_file(&path);
        // The clock of the file system may be slower than this test.
        while changed(&path.metadata().unwrap()) == changed(&before) {
            fs::write(&aside, "two").unwrap();
            let copy = fs::File::options().write(true).open(&aside).unwrap();
            copy.set_modified(before.modified().unwrap()).unwrap();
            fs::rename(&aside, &path).unwrap();
        }
        let after = path.metadata().unwrap();
        assert_eq!(
            (before.modified().unwrap(), before.len()),
            (after.modified().unwrap(), after.len())
        );
        assert!(seen.has_changed());
    }

    #[test]
    fn packages_of_npm_are_not_watched() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["src", "node_modules/a", "target", ".git"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let seen = Seen::of_folders(&configuration(folder.path()));
        let folders: Vec<_> = seen.folders.keys().cloned().collect();
        assert_eq!(folders, [folder.path().to_owned(), folder.path().join("src")]);
    }
}
