//! Builds the six binaries with Go, from the module proxy.
//!
//! Go verifies its downloads against the projects' own `go.sum` and the checksum database. Builds do not use cgo, so
//! that they run on any machine of the platform, and do not contain paths of this machine.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::assets::Release;
use crate::assets::go_module::GoModule;
use crate::error::{Error, IoContext, Result};
use crate::notice::notice;

/// How often a running build reports progress.
const PROGRESS_EVERY: Duration = Duration::from_secs(15);

/// How many lines of Go's output an error shows.
const OUTPUT_LINES: usize = 20;

/// One module and the programs that are built from it.
struct Product {
    module: GoModule,
    /// Values for `-ldflags`.
    linker_flags: String,
    /// The name of each program, and the package it is built from.
    programs: &'static [(&'static str, &'static str)],
}

/// A build that failed in this process, as the parts of [`Error::Build`]. Twenty tests in a program must not repeat a
/// build that fails after minutes.
static FAILED: Mutex<Option<Failure>> = Mutex::new(None);

#[derive(Clone)]
struct Failure {
    release: Release,
    what: String,
    command: String,
    output: String,
}

/// Builds everything into `target`, unless a build has already failed.
pub(super) fn once(release: &Release, target: &Path) -> Result<()> {
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Failure {
        what,
        command,
        output,
        ..
    }) = failed.clone().filter(|failure| failure.release == *release)
    {
        return Err(Error::Build {
            what,
            command,
            output,
        });
    }
    let outcome = all(release, target);
    if let Err(Error::Build {
        what,
        command,
        output,
    }) = &outcome
    {
        let (what, command, output) = (what.clone(), command.clone(), output.clone());
        *failed = Some(Failure {
            release: release.clone(),
            what,
            command,
            output,
        });
    }
    outcome
}

fn all(release: &Release, target: &Path) -> Result<()> {
    let products = products(release);
    let count: usize = products.iter().map(|product| product.programs.len()).sum();
    let start = Instant::now();
    notice(&format!(
        "building the control plane of Kubernetes {} once; this takes some ten minutes on two cores",
        release.kubernetes
    ));
    let mut number = 0;
    for product in &products {
        let workplace = tempfile::tempdir_in(target).context("make a folder in", target)?;
        prepare(product, workplace.path())?;
        for (program, package) in product.programs {
            number += 1;
            let step = format!("{program} ({number} of {count})");
            compile(product, workplace.path(), package, &target.join(program), &step)?;
        }
    }
    notice(&format!("built all {count} in {} s", start.elapsed().as_secs()));
    Ok(())
}

fn products(release: &Release) -> [Product; 3] {
    let etcd = format!("v{}", release.etcd);
    let kubernetes = format!("v{}", release.kubernetes);
    let kwok = format!("v{}", release.kwok);
    [
        Product {
            module: GoModule {
                path: "go.etcd.io/etcd/server/v3",
                version: etcd.clone(),
                sisters: etcd,
            },
            linker_flags: String::new(),
            programs: &[("etcd", "go.etcd.io/etcd/server/v3")],
        },
        Product {
            linker_flags: version_flags(release, &kubernetes),
            module: GoModule {
                path: "k8s.io/kubernetes",
                version: kubernetes,
                sisters: format!("v{}", release.staging()),
            },
            programs: &[
                ("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver"),
                ("kubectl", "k8s.io/kubernetes/cmd/kubectl"),
                (
                    "kube-controller-manager",
                    "k8s.io/kubernetes/cmd/kube-controller-manager",
                ),
                ("kube-scheduler", "k8s.io/kubernetes/cmd/kube-scheduler"),
            ],
        },
        Product {
            module: GoModule {
                path: "sigs.k8s.io/kwok",
                version: kwok.clone(),
                sisters: kwok,
            },
            linker_flags: String::new(),
            programs: &[("kwok", "sigs.k8s.io/kwok/cmd/kwok")],
        },
    ]
}

/// Sets the version of the binaries, like the release scripts. Without it they report `v0.0.0-master+$Format:%H$`,
/// which is wrong for every client that checks the version.
fn version_flags(release: &Release, version: &str) -> String {
    let (major, minor) = release.minor().split_once('.').unwrap_or(("1", ""));
    let variables = [
        ("gitVersion", version),
        ("gitMajor", major),
        ("gitMinor", minor),
        ("gitTreeState", "clean"),
    ];
    let flags: Vec<String> = variables
        .iter()
        .map(|(variable, value)| format!("-X k8s.io/component-base/version.{variable}={value}"))
        .collect();
    flags.join(" ")
}

/// Writes `go.mod` and `go.sum` for a product.
fn prepare(product: &Product, workplace: &Path) -> Result<()> {
    let module = &product.module;
    notice(&format!("downloading {} {}", module.path, module.version));
    let downloaded = download(module, workplace)?;
    let go_mod = std::fs::read_to_string(&downloaded.go_mod).context("read", &downloaded.go_mod)?;
    let adapted = workplace.join("go.mod");
    std::fs::write(&adapted, module.adapt(&go_mod)).context("write", &adapted)?;
    let sums = downloaded.folder.join("go.sum");
    if sums.is_file() {
        let copy = workplace.join("go.sum");
        let text = std::fs::read(&sums).context("read", &sums)?;
        // Written, not copied: files of the module cache are read-only, and Go appends to this one.
        std::fs::write(&copy, text).context("write", &copy)?;
    }
    Ok(())
}

/// The output of `go mod download -json`.
#[derive(Deserialize)]
struct Downloaded {
    #[serde(rename = "GoMod")]
    go_mod: PathBuf,
    #[serde(rename = "Dir")]
    folder: PathBuf,
}

fn download(module: &GoModule, workplace: &Path) -> Result<Downloaded> {
    let mut command = go(workplace);
    command.args([
        "mod",
        "download",
        "-json",
        &format!("{}@{}", module.path, module.version),
    ]);
    let output = command.output().context("start", Path::new("go"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).map_err(|_| Error::Build {
        what: module.path.to_owned(),
        command: line_of(&command),
        // Go reports a failed download as JSON on stdout, and other errors on stderr.
        output: format!("{}{}", text, String::from_utf8_lossy(&output.stderr)),
    })
}

fn compile(product: &Product, workplace: &Path, package: &str, program: &Path, step: &str) -> Result<()> {
    let start = Instant::now();
    notice(&format!("building {step}"));
    let mut command = go(workplace);
    command
        // `-v` prints each package when it is compiled, as progress. `-mod=mod` lets Go complete go.mod and go.sum.
        .args(["build", "-v", "-mod=mod", "-trimpath", "-buildvcs=false"])
        .arg(format!("-ldflags=-s -w {}", product.linker_flags))
        .arg("-o")
        .arg(program)
        .arg(package)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut running = command.spawn().context("start", Path::new("go"))?;
    let mut output = Vec::new();
    if let Some(lines) = running.stderr.take() {
        let mut said = Instant::now();
        for line in BufReader::new(lines).lines().map_while(std::io::Result::ok) {
            output.push(line);
            if said.elapsed() >= PROGRESS_EVERY {
                said = Instant::now();
                notice(&format!(
                    "building {step}: {} packages, {} s",
                    output.len(),
                    start.elapsed().as_secs()
                ));
            }
        }
    }
    let status = running.wait().context("wait for", Path::new("go"))?;
    if !status.success() {
        let start = output.len().saturating_sub(OUTPUT_LINES);
        return Err(Error::Build {
            what: step.to_owned(),
            command: line_of(&command),
            output: output.split_off(start).join("\n"),
        });
    }
    Ok(())
}

/// Returns a Go command for this machine, independent of a Go workspace around the current folder. `GOFLAGS`, `GOPROXY`
/// and similar variables keep the user's values.
fn go(workplace: &Path) -> Command {
    let mut command = Command::new("go");
    command
        .current_dir(workplace)
        .env("CGO_ENABLED", "0")
        .env("GOWORK", "off")
        .env_remove("GOOS")
        .env_remove("GOARCH");
    command
}

fn line_of(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}
