//! The one place where the front end touches the file system: it only reads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::read_regular_file;

/// Why something could not be read.
#[derive(Debug)]
pub(crate) struct DiskError {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
    /// The text of a file that is none, and where it ceases to be one.
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

/// The file system, with a list of everything that was read from it.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    read: Mutex<BTreeSet<PathBuf>>,
}

impl Disk {
    /// The text of a file.
    pub(crate) fn read(&self, path: &Path) -> Result<String, DiskError> {
        let bytes = read_regular_file(path).map_err(|cause| DiskError::new(path, &cause))?;
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

    /// The names in a folder, sorted: files first, then folders.
    pub(crate) fn list(&self, path: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), DiskError> {
        let error = |cause: std::io::Error| DiskError::new(path, &cause);
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in std::fs::read_dir(path).map_err(error)? {
            let entry = entry.map_err(error)?;
            let path = entry.path();
            // A link counts as what it points to; one that points nowhere counts as a file, and says so when read.
            let is_folder = match entry.file_type() {
                // Reading a pipe or a device would wait for ever.
                Ok(found) if !(found.is_symlink() || found.is_dir() || found.is_file()) => continue,
                Ok(found) if !found.is_symlink() => found.is_dir(),
                _ => path.is_dir(),
            };
            if is_folder { &mut folders } else { &mut files }.push(path);
        }
        files.sort();
        folders.sort();
        Ok((files, folders))
    }

    pub(crate) fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
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
