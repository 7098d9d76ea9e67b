//! The certificate of a server under test, in a folder that looks like a mounted Secret.
//!
//! kubelet puts the files of a Secret into a folder and lets the symbolic link `..data` point to it; `tls.crt` and
//! `tls.key` are links through `..data`. A new version is a new folder, and all files change when the link is replaced.
//! Servers that watch only the files themselves miss this change, so tests should reproduce it.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::certificates::{Authority, CertifiedKey};
use crate::error::{IoContext, Result};

/// The names of a server on this machine.
const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];

/// A certificate for a server on this machine, signed by its own authority, as `tls.crt` and `tls.key` in a folder.
///
/// ```
/// use kgen_testenv::ServingCertificates;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("kgen-serving-certificates-{}", std::process::id()));
/// let certificates = ServingCertificates::new(&folder)?;
/// let first = std::fs::read(certificates.folder().join("tls.crt"))?;
/// certificates.replace()?; // signed by the same authority
/// assert_ne!(std::fs::read(certificates.folder().join("tls.crt"))?, first);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok(())
/// # }
/// ```
pub struct ServingCertificates {
    authority: Authority,
    folder: PathBuf,
    versions: AtomicUsize,
}

impl ServingCertificates {
    /// Creates the authority, the folder, and the first certificate in it.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be created or written.
    pub fn new(folder: impl Into<PathBuf>) -> Result<Self> {
        let folder = folder.into();
        std::fs::create_dir_all(&folder).context("make the folder", &folder)?;
        let certificates = Self {
            authority: Authority::new()?,
            folder,
            versions: AtomicUsize::new(0),
        };
        certificates.replace()?;
        for name in ["tls.crt", "tls.key"] {
            let link = certificates.folder.join(name);
            symlink(Path::new("..data").join(name), &link).context("make the link", &link)?;
        }
        Ok(certificates)
    }

    /// Returns the folder with `tls.crt` and `tls.key`.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the certificate of the authority as PEM text. Clients must trust it.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.authority.own.certificate
    }

    /// Replaces the certificate with a new one, which has a new key and is signed by the same authority. Both files
    /// change at once, like those of a mounted Secret.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be written.
    pub fn replace(&self) -> Result<()> {
        self.replace_with(&self.authority.server(&NAMES)?)
    }

    /// Replaces the certificate and key with any pair, for example one whose key is wrong.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be written.
    pub fn replace_with(&self, pair: &CertifiedKey) -> Result<()> {
        let version = format!("..version-{}", self.versions.fetch_add(1, Ordering::SeqCst));
        let new = self.folder.join(&version);
        std::fs::create_dir(&new).context("make the folder", &new)?;
        for (name, text) in [("tls.crt", &pair.certificate), ("tls.key", &pair.key)] {
            let file = new.join(name);
            std::fs::write(&file, text).context("write", &file)?;
        }
        let data = self.folder.join("..data");
        let old = std::fs::read_link(&data).ok();
        let link = self.folder.join("..data_tmp");
        symlink(&version, &link).context("make the link", &link)?;
        std::fs::rename(&link, &data).context("replace", &data)?;
        match old.map(|old| self.folder.join(old)) {
            Some(old) => std::fs::remove_dir_all(&old).context("remove", &old),
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for ServingCertificates {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ServingCertificates")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}
