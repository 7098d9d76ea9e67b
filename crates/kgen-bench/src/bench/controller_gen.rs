//! The real controller-gen: fetched once from the Go module proxy, and given the Go form of an API.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::api::{self, Api};

/// The version that kgen is compared with. With it goes that of apimachinery in `api/go.rs`.
pub const VERSION: &str = "v0.23.0";

const PACKAGE: &str = "sigs.k8s.io/controller-tools/cmd/controller-gen";

/// A controller-gen that can be run.
pub struct ControllerGen {
    /// The program.
    pub program: PathBuf,
    /// The Go that it runs on, such as `go1.26.8`.
    pub go: String,
}

impl ControllerGen {
    /// Installs controller-gen if it is not there yet; `None` if there is no Go.
    pub fn find_or_install() -> Result<Option<Self>> {
        let Ok(output) = Command::new("go").args(["env", "GOVERSION"]).output() else {
            return Ok(None);
        };
        let go = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let folder = cache_folder()?.join(format!("controller-gen-{VERSION}-{go}"));
        let program = folder.join(format!("controller-gen{}", std::env::consts::EXE_SUFFIX));
        if !program.is_file() {
            fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
            eprintln!("installing controller-gen {VERSION} into {}", folder.display());
            let mut install = Command::new("go");
            install
                .args(["install", &format!("{PACKAGE}@{VERSION}")])
                .env("GOBIN", &folder)
                .current_dir(&folder);
            go_command(install)?;
        }
        Ok(Some(Self { program, go }))
    }
}

/// Writes an API as a Go module, with everything that it needs downloaded.
pub fn prepare(api: &Api, folder: &Path) -> Result<()> {
    api::write(folder, &api::go_files(api))?;
    tidy(folder)
}

/// Downloads the dependencies of a Go module.
pub fn tidy(folder: &Path) -> Result<()> {
    let mut tidy = Command::new("go");
    tidy.args(["mod", "tidy"]).current_dir(folder);
    go_command(tidy)
}

fn go_command(mut command: Command) -> Result<()> {
    let output = command.output().context("cannot start go")?;
    if !output.status.success() {
        bail!(
            "`{}` failed:\n{}",
            crate::workspace::shown(&command),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}

/// Returns a folder of this user that outlives the target folder, so that cleaning up does not mean downloading again.
pub fn cache_folder() -> Result<PathBuf> {
    let variable = if cfg!(windows) {
        "LOCALAPPDATA"
    } else {
        "XDG_CACHE_HOME"
    };
    let own = std::env::var_os(variable)
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute());
    let usual = if cfg!(target_vendor = "apple") {
        "Library/Caches"
    } else {
        ".cache"
    };
    let folder = own.or_else(|| std::env::home_dir().map(|home| home.join(usual)));
    Ok(folder.context("this user has no home folder")?.join("kgen-xtask"))
}
