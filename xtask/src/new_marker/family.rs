//! Which files take markers.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::entry;
use crate::workspace::Workspace;

/// Where the families are declared.
const FOLDER: &str = "crates/kgen-markers/src/defs";

/// Returns the file of a family, relative to the root.
pub fn file(workspace: &Workspace, family: &str) -> Result<PathBuf> {
    let families = all(workspace)?;
    let family = family.trim_end_matches(".rs");
    if !families.iter().any(|known| known == family) {
        bail!(
            "no family is declared in {FOLDER}/{family}.rs; there are {}",
            families.join(", ")
        );
    }
    Ok(PathBuf::from(FOLDER).join(format!("{family}.rs")))
}

/// Returns the families by their files, in the order of the alphabet.
pub fn all(workspace: &Workspace) -> Result<Vec<String>> {
    let folder = workspace.path(FOLDER);
    let mut families = Vec::new();
    for file in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = file?.path();
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        if is_rust && entry::has_table(&fs::read_to_string(&path)?) {
            families.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    families.sort();
    Ok(families)
}
