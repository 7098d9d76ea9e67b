//! `cargo xtask msrv`: checks that the oldest supported compiler, `rust-version` in Cargo.toml, still works.
//!
//! Dependencies must not require a newer one in their manifests. kgen's own code is checked by the lint
//! `clippy::incompatible_msrv` in the step `clippy`, and by the compiler itself if rustup has it.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::publishable::{Package, metadata};
use crate::workspace::{Workspace, finish};

/// Runs the check.
pub fn run(workspace: &Workspace) -> Result<()> {
    let own = metadata(workspace, &["--no-deps"])?;
    let oldest = own
        .packages
        .iter()
        .filter(|package| package.is_publishable())
        .find_map(|package| package.rust_version.clone())
        .context("the workspace has no `rust-version`")?;
    let host = host(workspace)?;
    let all = metadata(workspace, &["--filter-platform", &host])?;
    let newer = too_new(&all.packages, &oldest);
    if !newer.is_empty() {
        bail!(
            "these packages need a compiler newer than {oldest}: {}",
            newer.join(", ")
        );
    }
    println!(
        "{} packages build with Rust {oldest}, as their manifests say",
        all.packages.len()
    );
    if has_toolchain(&oldest) {
        let mut check = workspace.command("cargo");
        check.args([
            &format!("+{oldest}"),
            "check",
            "--workspace",
            "--all-targets",
            "--target-dir",
        ]);
        check.arg(workspace.target_folder()?.join("msrv"));
        // Set by the cargo that runs this program, for its own toolchain.
        for variable in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC"] {
            check.env_remove(variable);
        }
        return finish(check);
    }
    println!(
        "rustup has no toolchain {oldest}, so kgen's own code is only checked by clippy::incompatible_msrv"
    );
    Ok(())
}

/// Returns the target triple of this machine.
pub fn host(workspace: &Workspace) -> Result<String> {
    let output = workspace
        .command("rustc")
        .arg("-vV")
        .output()
        .context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).context("`rustc -vV` names no host")
}

fn has_toolchain(version: &str) -> bool {
    let mut command = Command::new("rustup");
    command
        .args(["run", version, "rustc", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Returns the packages that ask for a newer compiler, with its version.
fn too_new(packages: &[Package], oldest: &str) -> Vec<String> {
    let newer = packages.iter().filter_map(|package| {
        let wanted = package.rust_version.as_deref()?;
        (numbers(wanted) > numbers(oldest))
            .then(|| format!("{} {} ({wanted})", package.name, package.version))
    });
    newer.collect()
}

/// Returns the three numbers of a version.
fn numbers(version: &str) -> [u32; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert!(numbers("1.100") > numbers("1.89.1"));
        assert!(numbers("1.89") <= numbers("1.89.0"));
    }
}
