//! Paths: made absolute without asking the disk, and named as the user sees them.

use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

/// An absolute path without `.` and `..`: `path`, which starts at `folder`.
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

/// A path as messages show it: relative to where the user stands, with forward slashes.
#[must_use]
pub fn shown(working_folder: &Path, path: &Path) -> String {
    let mut common = working_folder;
    let mut up = 0;
    let relative = loop {
        if let Ok(rest) = path.strip_prefix(common) {
            break rest;
        }
        match common.parent() {
            // Where only the root is shared, the whole path reads better.
            Some(parent) if parent.parent().is_some() => common = parent,
            _ => return slashes(path),
        }
        up += 1;
    };
    let name = format!("{}{}", "../".repeat(up), slashes(relative));
    if name.is_empty() { ".".to_owned() } else { name }
}

/// A path below a folder, with forward slashes.
pub(crate) fn inside(folder: &Path, path: &Path) -> Option<String> {
    path.strip_prefix(folder).ok().map(slashes)
}

/// Returns whether a relative name leads to a file in the folder that it starts at; with `folders`, to one at any depth.
pub(crate) fn is_inside(name: &str, folders: bool) -> bool {
    let parts = name.split('/').count();
    let is_plain = |part: &str| {
        !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']) && !part.chars().any(char::is_control)
    };
    (folders || parts == 1) && name.split('/').all(is_plain)
}

fn slashes(path: &Path) -> String {
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
    fn names_stay_inside_their_folder() {
        assert!(is_inside("role.yaml", false));
        assert!(is_inside("..role", false));
        assert!(is_inside("pottery_v1/kiln.rs", true));
        for name in [
            "",
            ".",
            "..",
            "../role.yaml",
            "a/../b",
            "/role.yaml",
            "a//b",
            "c:x",
            "a\\b",
            "a\nb",
            "a/",
        ] {
            assert!(!is_inside(name, true), "{name}");
        }
        assert!(!is_inside("config/role.yaml", false));
    }

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
