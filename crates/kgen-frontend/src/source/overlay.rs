//! Unsaved texts over the files on disk.
//!
//! A scaffold reads its files before it writes them, and an editor reads a file before the user saves it.
//! An [`Overlay`] holds such texts. Every reader asks it first, and the disk only for the other files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that differ from the disk: new texts, and files that count as removed.
///
/// Paths are absolute and do not contain `.` and `..`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay {
    files: BTreeMap<PathBuf, Option<String>>,
}

/// The state of one file in an [`Overlay`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaved<'a> {
    /// The file has this text, whatever the disk has.
    Text(&'a str),
    /// The file does not exist, whatever the disk has.
    Removed,
}

impl Overlay {
    /// Sets the text of a file.
    pub fn write(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) {
        self.files.insert(path.into(), Some(text.into()));
    }

    /// Removes a file.
    pub fn remove(&mut self, path: impl Into<PathBuf>) {
        self.files.insert(path.into(), None);
    }

    /// Returns the state of a file, or `None` if the disk decides.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<Unsaved<'_>> {
        self.files.get(path).map(|text| match text {
            Some(text) => Unsaved::Text(text),
            None => Unsaved::Removed,
        })
    }

    /// Returns the files that have a text and are in `folder` or below it, sorted.
    pub fn below<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = &'a Path> {
        self.files
            .range(folder.to_owned()..)
            .take_while(move |(path, _)| path.starts_with(folder))
            .filter(move |(path, text)| text.is_some() && path.as_path() != folder)
            .map(|(path, _)| path.as_path())
    }
}
