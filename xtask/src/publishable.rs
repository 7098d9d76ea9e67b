//! The crates of the workspace that are published, as `cargo metadata` describes them.

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::workspace::Workspace;

/// The parts of `cargo metadata` that chores read.
#[derive(Deserialize)]
pub struct Metadata {
    /// All packages: those of the workspace, and with dependencies also the others.
    pub packages: Vec<Package>,
}

/// A package.
#[derive(Deserialize)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub rust_version: Option<String>,
    pub description: Option<String>,
    pub license: Option<String>,
    pub repository: Option<String>,
    pub readme: Option<String>,
    pub keywords: Vec<String>,
    pub categories: Vec<String>,
    pub manifest_path: std::path::PathBuf,
    /// The registries to which it may be published; `None` for all.
    publish: Option<Vec<String>>,
    pub features: std::collections::BTreeMap<String, Vec<String>>,
    pub metadata: Option<serde_json::Value>,
    /// `None` for packages of the workspace.
    pub source: Option<String>,
}

impl Package {
    /// Returns whether the package may be published.
    pub fn is_publishable(&self) -> bool {
        self.source.is_none() && self.publish.is_none()
    }
}

/// Asks cargo about the packages; `arguments` select them.
pub fn metadata(workspace: &Workspace, arguments: &[&str]) -> Result<Metadata> {
    let mut command = workspace.cargo();
    command
        .args(["metadata", "--format-version", "1"])
        .args(arguments);
    let output = command.output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!(
            "`cargo metadata` failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Adds the arguments to a cargo command that leave out every package that is not published.
pub fn exclude_others(command: &mut std::process::Command, packages: &[Package]) {
    for package in packages.iter().filter(|package| !package.is_publishable()) {
        command.args(["--exclude", &package.name]);
    }
}
