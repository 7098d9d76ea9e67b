//! Folders as values: every file below a folder with its content.

use std::collections::BTreeMap;
use std::fs;
use std::io::Result;
use std::path::Path;

/// Files by their paths in a folder, with forward slashes.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Reads every file below a folder. Returns an empty tree if the folder does not exist.
///
/// # Errors
/// If a folder or a file cannot be read.
pub fn read(folder: &Path) -> Result<Tree> {
    let mut found = Tree::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        if !next.is_dir() {
            continue;
        }
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if let Ok(name) = path.strip_prefix(folder) {
                let name = name.to_string_lossy().replace('\\', "/");
                found.insert(name, fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

/// Writes files into a folder, in the order of their names.
///
/// # Errors
/// If a folder cannot be created or a file cannot be written.
pub fn write(folder: &Path, files: &Tree) -> Result<()> {
    for (name, bytes) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// Copies every file below a folder.
///
/// # Errors
/// If a file cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    write(to, &read(from)?)
}
