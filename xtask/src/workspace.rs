//! The folder of the repository, and the commands that run in it.
//!
//! Every command runs in the root of the workspace, so that chores work from any folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The folder with the workspace's `Cargo.toml`.
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Returns the workspace that this program belongs to.
    pub fn find() -> Result<Self> {
        // Cargo sets the folder of the package for a running program; a program that was started directly uses the
        // folder in which it was built.
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let package = package.filter(|folder| folder.ends_with("xtask"));
        let package = package.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        let root = package
            .parent()
            .context("xtask is not in a workspace")?
            .to_path_buf();
        if !root.join("Cargo.toml").is_file() {
            bail!(
                "{} is not a workspace: run this with `cargo xtask`",
                root.display()
            );
        }
        Ok(Self { root })
    }

    /// Returns another copy of the workspace.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// Returns the root folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a path below the root.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Returns a program that runs in the root folder.
    pub fn command(&self, program: impl Into<OsString>) -> Command {
        let mut command = Command::new(program.into());
        command.current_dir(&self.root);
        command
    }

    /// Returns the cargo that started this program.
    pub fn cargo(&self) -> Command {
        let mut cargo = self.command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // Cargo's variables for this package are removed: build scripts that read them, such as that of ring, would run
        // again, and everything that depends on them would be rebuilt whenever `cargo test` follows `cargo xtask`.
        for (name, _) in std::env::vars_os() {
            if is_about_this_package(&name.to_string_lossy()) {
                cargo.env_remove(name);
            }
        }
        // CI builds everything once in an empty folder, where incremental compilation costs time and a third of the disk.
        if std::env::var_os("CI").is_some() && std::env::var_os("CARGO_INCREMENTAL").is_none() {
            cargo.env("CARGO_INCREMENTAL", "0");
        }
        cargo
    }

    /// Returns cargo's target folder, according to cargo.
    pub fn target_folder(&self) -> Result<PathBuf> {
        let mut command = self.cargo();
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        let output = command.output().context("cannot start cargo")?;
        if !output.status.success() {
            bail!(
                "`cargo metadata` failed:\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let folder = metadata
            .get("target_directory")
            .and_then(|folder| folder.as_str());
        folder
            .map(PathBuf::from)
            .context("`cargo metadata` names no target folder")
    }
}

/// Returns whether cargo sets this variable for the program that it runs.
fn is_about_this_package(variable: &str) -> bool {
    [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_BIN_NAME",
        "CARGO_CRATE_NAME",
        "CARGO_PRIMARY_PACKAGE",
    ]
    .iter()
    .any(|prefix| variable.starts_with(prefix))
}

/// Runs a command with its output on the terminal. Returns an error for an exit code other than zero.
pub fn finish(mut command: Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(&command));
    }
    Ok(())
}

/// Runs a command, and returns what it prints. An exit code other than zero is an error with the other output.
pub fn printed(mut command: Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot start {program}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed:\n{text}", shown(&command));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Formats a command as in a shell.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_stem()
        .unwrap_or(command.get_program());
    let mut words: Vec<String> = command
        .get_envs()
        .filter_map(|(name, value)| {
            Some(format!(
                "{}={}",
                name.to_string_lossy(),
                quoted(&value?.to_string_lossy())
            ))
        })
        .collect();
    words.push(program.to_string_lossy().into_owned());
    words.extend(
        command
            .get_args()
            .map(|argument| quoted(&argument.to_string_lossy())),
    );
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain =
        !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "'\"$`\\*?;&|<>()".contains(c));
    if plain {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_they_are_typed() {
        let mut command = Command::new("/usr/bin/cargo");
        command
            .args(["doc", "--no-deps"])
            .env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(shown(&command), "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps");
    }

    #[test]
    fn cargo_does_not_hear_of_this_package() {
        let workspace = Workspace::find().unwrap();
        let cargo = workspace.cargo();
        let removed = |wanted: &str| {
            cargo
                .get_envs()
                .any(|(name, value)| name == wanted && value.is_none())
        };
        assert!(removed("CARGO_PKG_NAME") && removed("CARGO_MANIFEST_DIR"));
        assert!(!removed("CARGO_HOME") && !removed("CARGO_PROFILE_DEV_DEBUG"));
    }

    #[test]
    fn the_workspace_is_found() {
        assert!(Workspace::find().unwrap().path("xtask/Cargo.toml").is_file());
    }
}
