//! Gets the published source of a crate, with the crates that its lock file names.
//!
//! Cargo downloads, unpacks and verifies; nothing is compiled.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::list::Listed;

/// Unpacks the crate into a folder of its own, whose path it returns.
///
/// # Errors
/// Returns an error if the registry does not have the crate.
pub fn unpack(folder: &Path, listed: &Listed) -> Result<PathBuf> {
    let probe = folder.join("probe");
    fs::create_dir_all(probe.join("src"))?;
    fs::write(probe.join("src/lib.rs"), "")?;
    let manifest = format!(
        "[package]\nname = \"probe\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies.{}]\nversion = \"={}\"\n\
         default-features = false\n\n[workspace]\n",
        listed.name, listed.version
    );
    fs::write(probe.join("Cargo.toml"), manifest)?;
    let metadata = cargo(&probe, &["metadata", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let published = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == *listed.name)
        .and_then(|package| package["manifest_path"].as_str())
        .and_then(|manifest| Path::new(manifest).parent())
        .with_context(|| format!("cargo does not know {}", listed.name))?;
    let package = folder.join(format!("{}-{}", listed.name, listed.version));
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    copy(published, &package)?;
    let manifest = package.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    if !text.contains("[workspace]") {
        fs::write(&manifest, format!("{text}\n[workspace]\n"))?;
    }
    // A crate whose dependencies can no longer be resolved is read without them, which its row shows.
    if let Err(error) = cargo(&package, &["fetch"]) {
        eprintln!("{}: {error:#}", listed.name);
    }
    Ok(package)
}

fn cargo(folder: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).args(["--quiet"]).current_dir(folder);
    let output = command.output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
