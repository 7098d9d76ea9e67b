//! The folder of one running control plane, and its ports.
//!
//! All run folders of a user are in one place, each with a file `lease` that its owner keeps locked. The system
//! releases the lock when the owner dies, so a lease that can be locked marks a leftover, and the next start removes it
//! with its processes. Usually the watchdog has already done so; this is for the case in which it was killed too.

mod leftovers;
mod ports;

use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::components::Ports;
use crate::error::{Error, IoContext, Result};

/// The file that the owner of a run folder holds locked.
const LEASE: &str = "lease";

/// A folder that is removed when this is dropped.
pub(crate) struct RunFolder {
    path: PathBuf,
    ports: Ports,
    /// Locked as long as it is open.
    _lease: File,
}

impl RunFolder {
    /// Removes leftovers, creates a new folder and picks free ports.
    pub(crate) fn claim() -> Result<Self> {
        let root = root()?;
        // Only one process at a time does this, so a folder without a locked lease is a leftover and not a folder that
        // is being created.
        let guard = open_lock(&root.join("lock"))?;
        guard.lock().context("lock", &root)?;
        leftovers::remove(&root)?;

        let folder = tempfile::Builder::new()
            .prefix("run-")
            .tempdir_in(&root)
            .context("make a folder in", &root)?;
        let lease_path = folder.path().join(LEASE);
        let lease = open_lock(&lease_path)?;
        lease.lock().context("lock", &lease_path)?;
        let ports = Ports::new(ports::claim(&root, folder.path())?);
        Ok(Self {
            path: folder.keep(),
            ports,
            _lease: lease,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn ports(&self) -> Ports {
        self.ports
    }

    /// Picks one more free port, for a server that is not a component.
    pub(crate) fn claim_port(&self) -> Result<u16> {
        let root = root()?;
        let guard = open_lock(&root.join("lock"))?;
        guard.lock().context("lock", &root)?;
        let [port] = ports::claim(&root, &self.path)?;
        Ok(port)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Returns the folder of this user's run folders. Only the user may enter it, because it contains keys.
fn root() -> Result<PathBuf> {
    let user = rustix::process::getuid().as_raw();
    let place = std::env::temp_dir();
    // The path of a Unix socket has at most 103 bytes on macOS, and this crate needs about 50.
    let place = if place.as_os_str().len() <= 50 {
        place
    } else {
        PathBuf::from("/tmp")
    };
    let root = place.join(format!("kgen-testenv-{user}"));
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&root)
        .context("make the folder", &root)?;
    let owner = std::fs::symlink_metadata(&root).context("look at", &root)?;
    if owner.uid() != user || !owner.is_dir() || owner.mode() & 0o077 != 0 {
        // Another user created it, in a folder that is writable for everyone.
        return Err(Error::Io {
            doing: "trust the folder",
            path: root,
            source: std::io::Error::other("it is open to other users; remove it, or set TMPDIR"),
        });
    }
    Ok(root)
}

/// Returns the folders of all control planes in `root`, alive or not.
fn run_folders(root: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(root).context("list", root)? {
        let path = entry.context("list", root)?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

fn open_lock(path: &Path) -> Result<File> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .context("open", path)
}
