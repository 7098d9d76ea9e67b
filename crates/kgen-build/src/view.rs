//! The files that a run compares with: unsaved texts over the disk.
//!
//! The front end reads source in the same way; see [`Overlay`].

use std::path::{Path, PathBuf};

use kgen_frontend::{Overlay, Unsaved};

use crate::disk;

/// Reads files, unsaved texts first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a>(pub(crate) &'a Overlay);

impl View<'_> {
    /// Returns the text of a file, or why it cannot be read.
    pub(crate) fn read_text(self, path: &Path) -> Result<String, String> {
        match self.0.get(path) {
            Some(Unsaved::Text(text)) => Ok(text.to_owned()),
            Some(Unsaved::Removed) => Err("the file does not exist".to_owned()),
            None => disk::read_text(path),
        }
    }

    /// Returns the bytes of a file, or `None` if it does not exist.
    pub(crate) fn read_if_there(self, path: &Path) -> Result<Option<Vec<u8>>, String> {
        match self.0.get(path) {
            Some(Unsaved::Text(text)) => Ok(Some(text.as_bytes().to_owned())),
            Some(Unsaved::Removed) => Ok(None),
            None => disk::read_if_there(path),
        }
    }

    /// Returns the first line of a file, or an empty line if it has none or cannot be read.
    pub(crate) fn first_line(self, path: &Path) -> String {
        match self.0.get(path) {
            Some(Unsaved::Text(text)) => text.lines().next().unwrap_or_default().to_owned(),
            Some(Unsaved::Removed) => String::new(),
            None => disk::first_line(path),
        }
    }

    /// Returns the files in a folder, sorted. The list is empty if the folder does not exist.
    pub(crate) fn files_in(self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        let unsaved = self.0.below(folder).filter(|file| file.parent() == Some(folder));
        Ok(self.merged(disk::files_in(folder)?, unsaved))
    }

    /// Returns the files in a folder and in all folders below it, sorted. The list is empty if the folder does not exist.
    pub(crate) fn files_below(self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        Ok(self.merged(disk::files_below(folder)?, self.0.below(folder)))
    }

    fn merged<'p>(self, saved: Vec<PathBuf>, unsaved: impl Iterator<Item = &'p Path>) -> Vec<PathBuf> {
        let mut files = saved;
        files.retain(|file| self.0.get(file) != Some(Unsaved::Removed));
        files.extend(unsaved.map(Path::to_path_buf));
        files.sort();
        files.dedup();
        files
    }
}
