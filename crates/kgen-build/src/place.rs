//! Names of files below a folder.

use std::path::Path;

pub use kgen_diagnostics::{absolute, shown};

/// Returns a path below a folder, with forward slashes.
pub(crate) fn inside(folder: &Path, path: &Path) -> Option<String> {
    path.strip_prefix(folder).ok().map(kgen_diagnostics::slashes)
}

/// Returns whether a relative name leads to a file in the folder that it starts at; with `folders`, to one at any depth.
pub(crate) fn is_inside(name: &str, folders: bool) -> bool {
    let parts = name.split('/').count();
    let is_plain = |part: &str| {
        !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']) && !part.chars().any(char::is_control)
    };
    (folders || parts == 1) && name.split('/').all(is_plain)
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
}
