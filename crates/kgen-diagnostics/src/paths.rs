//! Paths made absolute without asking the disk, and named in messages as the user sees them.

use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

/// Returns `path`, which starts at `folder`, as an absolute path without `.` and `..`.
#[must_use]
pub fn absolute(folder: &Path, path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in folder.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

/// Returns a path as messages show it: relative to the user's working folder, with forward slashes.
#[must_use]
pub fn shown(working_folder: &Path, path: &Path) -> String {
    let mut common = working_folder;
    let mut up = 0;
    let relative = loop {
        if let Ok(rest) = path.strip_prefix(common) {
            break rest;
        }
        match common.parent() {
            // If only the root is shared, the whole path reads better.
            Some(parent) if parent.parent().is_some() => common = parent,
            _ => return slashes(path),
        }
        up += 1;
    };
    let name = format!("{}{}", "../".repeat(up), slashes(relative));
    if name.is_empty() { ".".to_owned() } else { name }
}

/// Returns a path with forward slashes.
#[must_use]
pub fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if MAIN_SEPARATOR == '/' {
        text.into_owned()
    } else {
        text.replace(MAIN_SEPARATOR, "/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_named_from_where_the_user_stands() {
        let here = Path::new("/home/someone/project");
        assert_eq!(
            shown(here, &absolute(here, Path::new("./config/../out/a.yaml"))),
            "out/a.yaml"
        );
        assert_eq!(shown(here, Path::new("/home/someone/other")), "../other");
        assert_eq!(shown(here, Path::new("/opt/x")), "/opt/x");
        assert_eq!(shown(here, here), ".");
    }
}
