//! The files below unsaved texts: the file system, or the tree of a revision.
//!
//! The front end reads everything through [`Tree`]. So it cannot tell a checked-out file from one that only git has.

#![allow(
    clippy::disallowed_methods,
    reason = "part of the one place that reads source"
)]

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

use super::read_regular_file;

/// Files and folders by their absolute paths.
pub trait Tree: Debug + Send + Sync {
    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// Returns an error if the file does not exist or cannot be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Returns the files and the folders in a folder, in any order.
    ///
    /// # Errors
    /// Returns an error if the folder does not exist or cannot be read.
    fn list(&self, folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)>;

    /// Returns whether there is a file.
    fn is_file(&self, path: &Path) -> bool;

    /// Returns whether there is a folder.
    fn is_folder(&self, path: &Path) -> bool;

    /// Returns whether a path is a link.
    fn is_link(&self, path: &Path) -> bool;

    /// Returns one name for one place, however it was reached; the path itself if it does not exist.
    fn canonical(&self, path: &Path) -> PathBuf;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSystem;

impl Tree for FileSystem {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        read_regular_file(path)
    }

    fn list(&self, folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
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

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn is_link(&self, path: &Path) -> bool {
        path.is_symlink()
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }
}
