//! Go modules, downloaded from the module proxy and checked against Go's database of checksums.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Returns the folder of a module at a version, downloaded if it is not there yet.
pub fn download(module: &str, version: &str) -> Result<PathBuf> {
    let mut command = Command::new("go");
    command.args(["mod", "download", "-json", &format!("{module}@{version}")]);
    // Outside any module, so that no go.mod applies.
    command.current_dir(std::env::temp_dir());
    let output = command.output().context("cannot start go")?;
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let text = |key: &str| answer.get(key).and_then(|value| value.as_str());
    match (text("Dir"), text("Error")) {
        (Some(folder), None) => Ok(PathBuf::from(folder)),
        (_, error) => bail!(
            "cannot download {module}@{version}: {}",
            error.unwrap_or("go names no folder")
        ),
    }
}
