//! Gets the published source of a crate, with the crates that its lock file names.
//!
//! Cargo downloads, unpacks and verifies; nothing is compiled.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::list::Listed;

/// Unpacks the crate into a folder of its own, whose path it returns.
///
/// # Errors
/// Returns an error if the registry does not have the crate.
pub fn unpack(folder: &Path, listed: &Listed) -> Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let name = format!("{}-{}", listed.name, listed.version);
    // This downloads and unpacks a crate without its dependencies, some of which can no longer be resolved.
    cargo(folder, &["info", &format!("{}@{}", listed.name, listed.version)])?;
    let published = registries()?
        .into_iter()
        .map(|registry| registry.join(&name))
        .find(|source| source.is_dir())
        .with_context(|| format!("cargo has not unpacked {name}"))?;
    let package = folder.join(&name);
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    copy(&published, &package)?;
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

/// Returns the folders with the unpacked crates of each registry.
fn registries() -> Result<Vec<PathBuf>> {
    let home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => std::env::home_dir()
            .context("there is no home folder")?
            .join(".cargo"),
    };
    let source = home.join("registry/src");
    let entries = fs::read_dir(&source).with_context(|| format!("cannot read {}", source.display()))?;
    Ok(entries
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?)
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
