//! Programs in Go on controller-runtime, which kgen is compared with.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::controller_gen::tidy;

/// The version of controller-runtime.
const VERSION: &str = "v0.25.2";

/// Returns whether Go is installed.
pub fn has_go() -> bool {
    Command::new("go").arg("version").output().is_ok()
}

/// Writes a program of one file as a Go module to a new folder, and downloads its dependencies.
pub fn prepare(folder: &Path, name: &str, program: &str) -> Result<()> {
    fs::create_dir(folder)?;
    fs::write(folder.join("main.go"), program)?;
    let module = format!("module {name}\n\ngo 1.26\n\nrequire sigs.k8s.io/controller-runtime {VERSION}\n");
    fs::write(folder.join("go.mod"), module)?;
    tidy(folder)
}
