//! Tries to add a marker: a copy of the workspace gets new markers, is checked, and is deleted.
//!
//! The copy is always in the same folder below the target folder. Cargo distinguishes packages by their folder, so a
//! new folder each time would leave another set of build results behind.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{NewMarker, Target, plan, write};
use crate::workspace::{Workspace, finish};

/// One marker of every target, in families that differ in what surrounds their tables.
const SAMPLES: &[NewMarker<'static>] = &[
    NewMarker {
        name: "kgen:trial:Field",
        family: "validation",
        target: Target::Field,
    },
    NewMarker {
        name: "kgen:trial:Type",
        family: "structure",
        target: Target::Type,
    },
    NewMarker {
        name: "kgen:trial:Kind",
        family: "kinds",
        target: Target::Kind,
    },
    NewMarker {
        name: "kgen:trial:Module",
        family: "module",
        target: Target::Module,
    },
];

/// The folders that the copy does not need: build results and history. Everything else may belong to a member of the
/// workspace.
const LEFT_OUT: &[&str] = &["target", ".git"];

/// Tries one marker of every target.
pub fn trial_all(workspace: &Workspace) -> Result<()> {
    trial(workspace, SAMPLES)
}

/// Tries markers: they are declared in a copy of the workspace, which must compile.
pub fn trial(workspace: &Workspace, markers: &[NewMarker<'_>]) -> Result<()> {
    let target = workspace.target_folder()?;
    let copy = Copy::of(workspace, target.join("xtask").join("new-marker-trial"))?;
    for marker in markers {
        write(&copy.workspace, &plan(&copy.workspace, marker)?)?;
    }
    let mut check = copy.workspace.cargo();
    check
        .args(["check", "--quiet", "--package", "kgen-markers"])
        .env("CARGO_TARGET_DIR", &target);
    finish(check)?;
    for marker in markers {
        println!("a copy with `{}` in `{}` compiles", marker.name, marker.family);
    }
    Ok(())
}

/// A copy of the workspace that is deleted when this is dropped.
struct Copy {
    workspace: Workspace,
}

impl Copy {
    fn of(workspace: &Workspace, to: PathBuf) -> Result<Self> {
        if to.exists() {
            fs::remove_dir_all(&to).with_context(|| format!("cannot remove {}", to.display()))?;
        }
        let copy = Self {
            workspace: Workspace::at(to),
        };
        copy_folder(workspace.root(), copy.workspace.root(), LEFT_OUT)?;
        Ok(copy)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // A copy that cannot be removed now is removed before the next trial.
        let _ = fs::remove_dir_all(self.workspace.root());
    }
}

fn copy_folder(from: &Path, to: &Path, left_out: &[&str]) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        if left_out.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        // A target folder of another name may hold the copy itself.
        if to.starts_with(&from) {
            continue;
        }
        if from.is_dir() {
            copy_folder(&from, &to, &[])?;
        } else {
            fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::new_marker::family;

    #[test]
    fn every_sample_can_be_planned_in_the_real_workspace() {
        let workspace = Workspace::find().unwrap();
        let families = family::all(&workspace).unwrap();
        assert!(
            !families.contains(&"bounds".to_owned()),
            "a file without a table is not a family"
        );
        for sample in SAMPLES {
            assert!(
                families.iter().any(|family| family == sample.family),
                "{}",
                sample.family
            );
            let changes = plan(&workspace, sample).unwrap();
            assert_eq!(changes.len(), 2);
            assert!(changes[0].text.contains(&changes[0].shown));
        }
    }

    #[test]
    fn a_copy_leaves_out_what_it_does_not_need_and_goes_away() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("workspace");
        for file in [
            "Cargo.toml",
            "crates/a/src/lib.rs",
            "target/debug/a",
            "crates/a/testdata/x",
        ] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let to = folder.path().join("copy");
        let copy = Copy::of(&Workspace::at(root), to.clone()).unwrap();
        assert!(to.join("crates/a/src/lib.rs").is_file() && to.join("crates/a/testdata/x").is_file());
        assert!(!to.join("target").exists());
        drop(copy);
        assert!(!to.exists());
    }
}
