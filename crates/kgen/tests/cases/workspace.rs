//! Folders: where the cases are, copies of them to work in, and what is in one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::Outcome;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folders in a folder, by name; none if there is no such folder.
pub(crate) fn folders(parent: &Path) -> Outcome<Vec<(String, PathBuf)>> {
    let mut folders = Vec::new();
    if !parent.is_dir() {
        return Ok(folders);
    }
    for entry in fs::read_dir(parent)? {
        let path = entry?.path();
        if path.is_dir() {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            folders.push((name, path));
        }
    }
    folders.sort();
    Ok(folders)
}

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) -> Outcome {
    for (name, text) in files(from)? {
        let target = to.join(name);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::write(target, text)?;
    }
    Ok(())
}

/// Every file below a folder, by its path with forward slashes; none if there is no such folder.
pub(crate) fn files(folder: &Path) -> Outcome<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(present) = waiting.pop() {
        if !present.is_dir() {
            continue;
        }
        for entry in fs::read_dir(present)? {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
                found.insert(name, fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

/// Runs the command in a folder with `settings` such as `NAME=VALUE`. The environment of the caller has no say about colors
/// and widths.
pub(crate) fn kgen(folder: &Path, settings: &[&str], arguments: &[String]) -> Outcome<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kgen"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "COMPLETE"] {
        command.env_remove(name);
    }
    Ok(command
        .envs(settings.iter().filter_map(|setting| setting.split_once('=')))
        .args(arguments)
        .current_dir(folder)
        .output()?)
}
