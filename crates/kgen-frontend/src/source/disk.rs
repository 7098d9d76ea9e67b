//! Everything that the front end reads: unsaved texts, packages that ship with kgen, and a [`Tree`] of files below them.
//!
//! Unsaved texts come first, so the rest of the front end cannot tell them from saved ones.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::overlay::{Overlay, Unsaved};
use super::shipped::{Placed, Shipped};
use super::tree::{FileSystem, Tree};

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

/// A tree of files below unsaved texts, with a list of everything that was read.
#[derive(Debug)]
pub(crate) struct Disk {
    unsaved: Arc<Overlay>,
    tree: Arc<dyn Tree>,
    /// Packages whose source ships with kgen.
    shipped: Vec<Placed>,
    read: Mutex<BTreeSet<PathBuf>>,
}

impl Default for Disk {
    fn default() -> Self {
        Self::below(Overlay::default(), None)
    }
}

impl Disk {
    /// Puts unsaved texts over a tree; `None` is the file system.
    pub(crate) fn below(unsaved: Overlay, tree: Option<Arc<dyn Tree>>) -> Self {
        Self {
            unsaved: Arc::new(unsaved),
            tree: tree.unwrap_or_else(|| Arc::new(FileSystem)),
            shipped: Vec::new(),
            read: Mutex::default(),
        }
    }

    /// Returns the same files for another thread, with an empty list of files that were read.
    pub(crate) fn fork(&self) -> Self {
        Self {
            unsaved: Arc::clone(&self.unsaved),
            tree: Arc::clone(&self.tree),
            shipped: self.shipped.clone(),
            read: Mutex::default(),
        }
    }

    /// Uses the source of a package that ships with kgen for a folder, which need not exist.
    pub(crate) fn ship(&mut self, package: &'static Shipped, folder: &Path) {
        let canonical = self.tree.canonical(folder);
        self.shipped
            .push(Placed::new(package, folder.to_owned(), canonical));
    }

    /// Returns the text of a file.
    pub(crate) fn read(&self, path: &Path) -> Result<String, DiskError> {
        let bytes = match self.unsaved.get(path) {
            Some(Unsaved::Text(text)) => Ok(text.as_bytes().to_owned()),
            Some(Unsaved::Removed) => Err(ErrorKind::NotFound.into()),
            None => match self.shipped.iter().find_map(|package| package.read(path)) {
                Some(bytes) => Ok(bytes),
                None => self.tree.read(path),
            },
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
        let (mut files, mut folders) = match self.tree.list(folder) {
            // The folder may be as new as the files in it.
            Err(_) if unsaved.peek().is_some() && !self.exists(folder) => (Vec::new(), Vec::new()),
            saved => saved.map_err(|cause| DiskError::new(folder, &cause))?,
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

    /// Returns whether the tree has anything at a path.
    fn exists(&self, path: &Path) -> bool {
        self.tree.is_file(path) || self.tree.is_folder(path)
    }

    pub(crate) fn is_file(&self, path: &Path) -> bool {
        match self.unsaved.get(path) {
            Some(Unsaved::Text(_)) => true,
            Some(Unsaved::Removed) => false,
            None => {
                let mut shipped = self.shipped.iter();
                let shipped = shipped.find_map(|package| package.is_file(path));
                shipped.unwrap_or_else(|| self.tree.is_file(path))
            }
        }
    }

    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        self.tree.is_folder(path) || self.unsaved.below(path).next().is_some()
    }

    /// Returns one name for the place of `path`, however it was reached, if that of the folder around it is known.
    pub(crate) fn true_name(&self, path: &Path, around: &Path) -> PathBuf {
        match path.file_name() {
            Some(name) if !self.tree.is_link(path) => around.join(name),
            _ => self.canonical(path),
        }
    }

    /// Returns one name for one place, however it was reached; the path itself if it does not exist.
    pub(crate) fn canonical(&self, path: &Path) -> PathBuf {
        let mut shipped = self.shipped.iter();
        let shipped = shipped.find_map(|package| package.canonical(path));
        shipped.unwrap_or_else(|| self.tree.canonical(path))
    }

    /// Returns every file that was read and can change, sorted.
    pub(crate) fn files_read(&self) -> Vec<PathBuf> {
        let ships = |path: &PathBuf| self.shipped.iter().any(|package| package.contains(path));
        self.read
            .lock()
            .map(|read| read.iter().filter(|path| !ships(path)).cloned().collect())
            .unwrap_or_default()
    }

    /// Returns whether no file was read.
    pub(crate) fn has_read_nothing(&self) -> bool {
        self.read.lock().is_ok_and(|read| read.is_empty())
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
        let disk = Disk::below(unsaved, None).fork();

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
