//! The one place where the front end touches the file system: it only reads.
//!
//! Unsaved texts come before the disk, so the rest of the front end cannot tell them from saved ones.

#![allow(clippy::disallowed_methods, reason = "the one place that reads source")]

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::overlay::{Overlay, Unsaved};
use super::read_regular_file;

/// Why something could not be read.
#[derive(Debug)]
pub(crate) struct DiskError {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
    /// A file that is not valid UTF-8, and the offset of the first invalid byte.
    pub(crate) broken_text: Option<(String, usize)>,
}

impl DiskError {
    fn new(path: &Path, cause: &std::io::Error) -> Self {
        Self {
            path: path.to_owned(),
            reason: cause.to_string(),
            broken_text: None,
        }
    }
}

/// The file system below unsaved texts, with a list of everything that was read.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    unsaved: Arc<Overlay>,
    read: Mutex<BTreeSet<PathBuf>>,
}

impl Disk {
    /// Puts unsaved texts over the file system.
    pub(crate) fn below(unsaved: Overlay) -> Self {
        Self {
            unsaved: Arc::new(unsaved),
            read: Mutex::default(),
        }
    }

    /// Returns the same files for another thread, with an empty list of files that were read.
    pub(crate) fn fork(&self) -> Self {
        Self {
            unsaved: Arc::clone(&self.unsaved),
            read: Mutex::default(),
        }
    }

    /// Returns the text of a file.
    pub(crate) fn read(&self, path: &Path) -> Result<String, DiskError> {
        let bytes = match self.unsaved.get(path) {
            Some(Unsaved::Text(text)) => Ok(text.as_bytes().to_owned()),
            Some(Unsaved::Removed) => Err(ErrorKind::NotFound.into()),
            None => read_regular_file(path),
        };
        let bytes = bytes.map_err(|cause| DiskError::new(path, &cause))?;
        if let Ok(mut read) = self.read.lock() {
            read.insert(path.to_owned());
        }
        String::from_utf8(bytes).map_err(|error| DiskError {
            path: path.to_owned(),
            reason: "the file is not UTF-8 text".to_owned(),
            broken_text: Some((
                String::from_utf8_lossy(error.as_bytes()).into_owned(),
                error.utf8_error().valid_up_to(),
            )),
        })
    }

    /// Returns the paths in a folder, sorted: files and folders.
    pub(crate) fn list(&self, folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), DiskError> {
        let mut unsaved = self.unsaved.below(folder).peekable();
        let (mut files, mut folders) = match Self::saved(folder) {
            // The folder may be as new as the files in it.
            Err(_) if unsaved.peek().is_some() && !folder.exists() => (Vec::new(), Vec::new()),
            saved => saved?,
        };
        files.retain(|file| self.unsaved.get(file) != Some(Unsaved::Removed));
        for file in unsaved {
            match file.strip_prefix(folder).map(|rest| rest.components().next()) {
                Ok(Some(first)) if folder.join(first) != file => folders.push(folder.join(first)),
                _ => files.push(file.to_owned()),
            }
        }
        for paths in [&mut files, &mut folders] {
            paths.sort();
            paths.dedup();
        }
        Ok((files, folders))
    }

    /// Returns the files and folders that the disk has in a folder.
    fn saved(path: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), DiskError> {
        let error = |cause: std::io::Error| DiskError::new(path, &cause);
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in std::fs::read_dir(path).map_err(error)? {
            let entry = entry.map_err(error)?;
            let path = entry.path();
            // A link counts as what it points to; one that points nowhere counts as a file, and says so when read.
            let is_folder = match entry.file_type() {
                // Reading a pipe or a device would block forever.
                Ok(found) if !(found.is_symlink() || found.is_dir() || found.is_file()) => continue,
                Ok(found) if !found.is_symlink() => found.is_dir(),
                _ => path.is_dir(),
            };
            if is_folder { &mut folders } else { &mut files }.push(path);
        }
        Ok((files, folders))
    }

    pub(crate) fn is_file(&self, path: &Path) -> bool {
        match self.unsaved.get(path) {
            Some(Unsaved::Text(_)) => true,
            Some(Unsaved::Removed) => false,
            None => path.is_file(),
        }
    }

    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        path.is_dir() || self.unsaved.below(path).next().is_some()
    }

    /// One name for the place of `path`, however it was reached, if that of the folder around it is known.
    pub(crate) fn true_name(&self, path: &Path, around: &Path) -> PathBuf {
        match path.file_name() {
            Some(name) if !path.is_symlink() => around.join(name),
            _ => self.canonical(path),
        }
    }

    /// One name for one place, however it was reached; the path itself if it does not exist.
    pub(crate) fn canonical(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    /// Every file that was read, sorted.
    pub(crate) fn files_read(&self) -> Vec<PathBuf> {
        self.read
            .lock()
            .map(|read| read.iter().cloned().collect())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn unsaved_texts_come_before_the_disk() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for name in ["kept.rs", "changed.rs", "removed.rs"] {
            fs::write(path(name), "saved").unwrap();
        }
        let mut unsaved = Overlay::default();
        unsaved.write(path("changed.rs"), "unsaved");
        unsaved.write(path("new/deep/file.rs"), "unsaved");
        unsaved.remove(path("removed.rs"));
        let disk = Disk::below(unsaved).fork();

        assert_eq!(disk.read(&path("kept.rs")).unwrap(), "saved");
        assert_eq!(disk.read(&path("changed.rs")).unwrap(), "unsaved");
        assert_eq!(disk.read(&path("new/deep/file.rs")).unwrap(), "unsaved");
        assert!(disk.read(&path("removed.rs")).is_err());
        assert_eq!(disk.files_read().len(), 3);

        assert!(disk.is_file(&path("new/deep/file.rs")) && !disk.is_file(&path("removed.rs")));
        assert!(disk.is_folder(&path("new")) && !disk.is_folder(&path("changed.rs")));
        assert_eq!(
            disk.list(root.path()).unwrap(),
            (vec![path("changed.rs"), path("kept.rs")], vec![path("new")])
        );
        assert_eq!(disk.list(&path("new")).unwrap(), (vec![], vec![path("new/deep")]));
        assert!(disk.list(&path("nowhere")).is_err());
    }
}
