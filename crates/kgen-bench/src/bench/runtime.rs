//! `cargo xtask bench --runtime`: what generated code costs to run and to build, beside plain kube.
//!
//! The caches and the webhook server are measured by benchmarks of `kgen-runtime`. The build is that of a small operator:
//! once with its types alone, once with everything that kgen generates for them and the runtime below it. The difference is
//! the price.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::api::{self, Api};
use crate::amounts;
use crate::workspace::{Workspace, finish};

/// How many kinds the operator has.
const KINDS: usize = 20;

/// The limit for the time that they add to a debug build.
const GOAL: Duration = Duration::from_secs(10);

/// Measures all, and prints the results.
pub fn run(workspace: &Workspace, kgen: &Path) -> Result<()> {
    for benchmark in ["cache", "webhook"] {
        let mut command = workspace.cargo();
        command.args(["bench", "--package", "kgen-runtime", "--bench", benchmark]);
        finish(command)?;
    }

    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    // Every kind gets a client.
    let root = "+kubebuilder:object:root=true";
    let mut files = api::rust_files(&Api::of_size(KINDS)?);
    for (_, text) in &mut files {
        *text = text.replace(root, &format!("{root}\n/// +genclient"));
    }
    api::write(folder, &files)?;
    fs::copy(workspace.path("Cargo.lock"), folder.join("Cargo.lock"))?;
    fs::write(folder.join("Cargo.toml"), manifest(workspace, false)?)?;
    println!("\nbuilding kube and an operator of {KINDS} kinds, types only");
    build(workspace, folder)?;
    let types = rebuild(workspace, folder)?;

    let mut command = Command::new(kgen);
    command.current_dir(folder).args([
        "object",
        "client",
        "lister",
        "informer",
        "applyconfiguration",
        "paths=src/api",
        "output:dir=src/generated",
    ]);
    finish(command)?;
    fs::write(folder.join("Cargo.toml"), manifest(workspace, true)?)?;
    fs::write(
        folder.join("src/lib.rs"),
        "//! An operator of the benchmark.\n\npub mod api;\npub mod generated;\n",
    )?;
    println!("building it with generated code and the runtime");
    // Other crates that the runtime needs are built once and for all, as kube is.
    build(workspace, folder)?;
    let generated = rebuild(workspace, folder)?;
    forget_runtime(workspace, folder)?;
    let all = build(workspace, folder)?;

    let added = all.saturating_sub(types);
    println!("\ndebug build of an operator of {KINDS} kinds, kube and other crates built before");
    println!(
        "  types only                               {}",
        amounts::time(types)
    );
    println!(
        "  types and generated code                 {}",
        amounts::time(generated)
    );
    println!(
        "  types, generated code and kgen-runtime   {}",
        amounts::time(all)
    );
    let verdict = if added <= GOAL { "ok  " } else { "MISS" };
    println!(
        "{verdict}  generated code and runtime add at most {}: {}",
        amounts::time(GOAL),
        amounts::time(added)
    );
    Ok(())
}

/// Returns the manifest of the operator, with the versions of this workspace.
fn manifest(workspace: &Workspace, with_runtime: bool) -> Result<String> {
    let table = fs::read_to_string(workspace.path("Cargo.toml"))?;
    let version = |name: &str| {
        table
            .lines()
            .find(|line| line.split(" = ").next() == Some(name))
            .and_then(|line| line.split('"').nth(1))
            .with_context(|| format!("the workspace names no version of {name}"))
    };
    let (kube, openapi) = (version("kube")?, version("k8s-openapi")?);
    let (serde, json) = (version("serde")?, version("serde_json")?);
    let runtime = if with_runtime {
        format!(
            "kgen-runtime = {{ path = {:?} }}\n",
            workspace.path("crates/kgen-runtime")
        )
    } else {
        String::new()
    };
    Ok(format!(
        "[package]\nname = \"benchmark-operator\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nk8s-openapi = {{ version = \"{openapi}\", features = [\"latest\"] }}\n\
         kube = {{ version = \"{kube}\", default-features = false, features = [\"client\", \"ring\", \"rustls-tls\", \"runtime\"] }}\n\
         serde = {{ version = \"{serde}\", features = [\"derive\"] }}\nserde_json = \"{json}\"\n{runtime}"
    ))
}

/// Returns cargo in the folder of the operator, with a target folder that stays for the next time.
fn cargo(workspace: &Workspace, folder: &Path) -> Result<Command> {
    let mut command = workspace.cargo();
    let target = workspace.target_folder()?.join("bench-operator");
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    Ok(command)
}

/// Builds the operator, and says how long that took.
fn build(workspace: &Workspace, folder: &Path) -> Result<Duration> {
    let mut command = cargo(workspace, folder)?;
    command.args(["build", "--quiet"]);
    let start = Instant::now();
    finish(command)?;
    Ok(start.elapsed())
}

/// Makes the next build compile the runtime again.
fn forget_runtime(workspace: &Workspace, folder: &Path) -> Result<()> {
    let mut command = cargo(workspace, folder)?;
    command.args(["clean", "--quiet", "--package", "kgen-runtime"]);
    finish(command)
}

/// Rebuilds only the operator itself.
fn rebuild(workspace: &Workspace, folder: &Path) -> Result<Duration> {
    let library = folder.join("src/lib.rs");
    let text = fs::read_to_string(&library)?;
    fs::write(library, format!("{text}\n"))?;
    build(workspace, folder)
}
