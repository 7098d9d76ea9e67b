//! Finds the binaries in `KUBEBUILDER_ASSETS` or in the cache, or builds them into the cache.
//!
//! `KUBEBUILDER_ASSETS` is a common convention: a folder with etcd, kube-apiserver and kubectl, and here optionally
//! also kube-controller-manager, kube-scheduler and kwok. The cache has one folder per set of versions, which Go's
//! envtest can use as `KUBEBUILDER_ASSETS` too.

mod build;
mod cache;
mod go_module;
mod release;

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use release::minor;
pub use release::{KGEN_KUBERNETES, Release};

use crate::components::Component;
use crate::error::{Error, Result};

/// The variable that names a folder with existing binaries.
pub const KUBEBUILDER_ASSETS: &str = "KUBEBUILDER_ASSETS";

/// The variable that names the cache folder; the default is `~/.cache/kgen/control-plane`.
pub const KGEN_ASSETS: &str = "KGEN_ASSETS";

/// The program that tests call; this crate does not run it.
const KUBECTL: &str = "kubectl";

/// A folder with the binaries of a control plane.
#[derive(Clone, Debug)]
pub struct Assets {
    folder: PathBuf,
    origin: Origin,
}

/// The source of the folder.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Caller,
    Environment,
    Cache,
}

impl Origin {
    /// Returns the advice for a missing binary.
    fn help(self) -> &'static str {
        match self {
            Origin::Caller => "add it; or choose no folder, and all six are built with Go",
            Origin::Environment => {
                "KUBEBUILDER_ASSETS names this folder: add it; or unset the variable, and all six are built with Go"
            }
            Origin::Cache => "delete the folder, and it is built again",
        }
    }
}

impl Assets {
    /// Uses the binaries in a folder.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self::new(folder.into(), Origin::Caller)
    }

    /// Returns the binaries if they exist in `KUBEBUILDER_ASSETS` or the cache, without building them.
    ///
    /// # Errors
    ///
    /// Without a home folder, there is no cache folder.
    pub fn find(release: &Release) -> Result<Option<Self>> {
        if let Some(folder) = std::env::var_os(KUBEBUILDER_ASSETS).filter(|folder| !folder.is_empty()) {
            return Ok(Some(Self::new(folder.into(), Origin::Environment)));
        }
        let folder = cache::folder(release)?;
        Ok(folder.is_dir().then(|| Self::new(folder, Origin::Cache)))
    }

    fn new(folder: PathBuf, origin: Origin) -> Self {
        // Absolute, because a test may start kubectl in another folder.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        Self { folder, origin }
    }

    /// Returns the binaries; builds them if they do not exist.
    ///
    /// The first build takes about ten minutes; progress is written to stderr. If several processes call this, one
    /// builds and the others wait. This function blocks.
    ///
    /// # Errors
    ///
    /// Returns an error if Go is not installed or the build fails.
    pub fn find_or_build(release: &Release) -> Result<Self> {
        if let Some(found) = Self::find(release)? {
            return Ok(found);
        }
        let folder = cache::folder(release)?;
        if !go_is_installed() {
            return Err(Error::GoMissing { cache: folder });
        }
        cache::install(&folder, |target| build::once(release, target))?;
        Ok(Self::new(folder, Origin::Cache))
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the program of a component.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder does not have the file.
    pub fn component(&self, component: Component) -> Result<PathBuf> {
        self.binary(component.binary())
    }

    /// Returns kubectl.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder does not have the file.
    pub fn kubectl(&self) -> Result<PathBuf> {
        self.binary(KUBECTL)
    }

    fn binary(&self, binary: &'static str) -> Result<PathBuf> {
        let path = self.folder.join(binary);
        if path.is_file() {
            Ok(path)
        } else {
            let (folder, help) = (self.folder.clone(), self.origin.help());
            Err(Error::BinaryMissing { folder, binary, help })
        }
    }
}

/// Returns whether `go` is installed.
pub(crate) fn go_is_installed() -> bool {
    Command::new("go")
        .arg("version")
        .output()
        .is_ok_and(|output| output.status.success())
}
