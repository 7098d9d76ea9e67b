//! The binaries: found in `KUBEBUILDER_ASSETS`, found in the cache, or built into it.
//!
//! `KUBEBUILDER_ASSETS` is the convention of the field: a folder with etcd, kube-apiserver and kubectl, and here also
//! kube-controller-manager, kube-scheduler and kwok if they are wanted. The cache has a folder for each set of versions
//! and serves as `KUBEBUILDER_ASSETS` for Go's envtest too.

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

/// The variable that names a folder with ready binaries.
pub const KUBEBUILDER_ASSETS: &str = "KUBEBUILDER_ASSETS";

/// The variable that names another cache folder than `~/.cache/kgen/control-plane`.
pub const KGEN_ASSETS: &str = "KGEN_ASSETS";

/// The program that this crate does not run itself but hands to tests.
const KUBECTL: &str = "kubectl";

/// A folder with the binaries of a control plane.
#[derive(Clone, Debug)]
pub struct Assets {
    folder: PathBuf,
    origin: Origin,
}

/// Who chose the folder.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Caller,
    Environment,
    Cache,
}

impl Origin {
    /// What to do when a binary is missing.
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
    /// Returns a folder of your own with ready binaries.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self::new(folder.into(), Origin::Caller)
    }

    /// Returns the binaries that are there without building, if they are: from `KUBEBUILDER_ASSETS` or the cache.
    ///
    /// # Errors
    ///
    /// There is no home folder, so there is no cache folder.
    pub fn find(release: &Release) -> Result<Option<Self>> {
        if let Some(folder) = std::env::var_os(KUBEBUILDER_ASSETS).filter(|folder| !folder.is_empty()) {
            return Ok(Some(Self::new(folder.into(), Origin::Environment)));
        }
        let folder = cache::folder(release)?;
        Ok(folder.is_dir().then(|| Self::new(folder, Origin::Cache)))
    }

    fn new(folder: PathBuf, origin: Origin) -> Self {
        // Absolute, since a test may start kubectl in another folder.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        Self { folder, origin }
    }

    /// Returns the binaries, built now if they are nowhere.
    ///
    /// A build takes some ten minutes the first time; progress goes to the standard error stream. Of several processes one
    /// builds and the others wait. This function blocks.
    ///
    /// # Errors
    ///
    /// There is no Go, or the build fails.
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
    /// The folder has no such file.
    pub fn component(&self, component: Component) -> Result<PathBuf> {
        self.binary(component.binary())
    }

    /// kubectl.
    ///
    /// # Errors
    ///
    /// The folder has no such file.
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

/// Returns whether there is a `go` to build with.
pub(crate) fn go_is_installed() -> bool {
    Command::new("go")
        .arg("version")
        .output()
        .is_ok_and(|output| output.status.success())
}
