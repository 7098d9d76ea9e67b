//! Loads the certificate of the server from a folder, and reloads it when it changes.
//!
//! The folder is a mounted Secret: `tls.crt` and `tls.key` are links that change together. A reader of both files can still
//! see one old and one new file. So a new pair is used only if the key belongs to the certificate; otherwise, the old pair
//! is kept.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use thiserror::Error;

use crate::metrics::CertificateMetrics;

/// The reason why a certificate cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A file does not contain a certificate or private key in PEM format.
    #[error("{} holds no {what} in PEM: {reason}", path.display())]
    Pem {
        /// The file.
        path: PathBuf,
        /// The expected content.
        what: &'static str,
        /// The reason.
        reason: String,
    },
    /// The key does not belong to the certificate, or its type is not supported.
    #[error("the key and the certificate in {} cannot be used together: {reason}", folder.display())]
    Pair {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// The certificate and key of new connections.
pub(crate) struct Certificates {
    folder: PathBuf,
    provider: Arc<CryptoProvider>,
    current: RwLock<Arc<CertifiedKey>>,
    /// The files that were read last, valid or not.
    seen: Mutex<Files>,
    metrics: CertificateMetrics,
}

/// The texts of both files.
#[derive(Default, Eq, PartialEq)]
struct Files {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Files {
    fn read(folder: &Path) -> Result<Self, CertificateError> {
        let read =
            |path: PathBuf| std::fs::read(&path).map_err(|source| CertificateError::Read { path, source });
        Ok(Self {
            certificate: read(certificate_path(folder))?,
            key: read(key_path(folder))?,
        })
    }

    fn pair(&self, folder: &Path, provider: &CryptoProvider) -> Result<CertifiedKey, CertificateError> {
        let not_pem =
            |path: PathBuf, what: &'static str, reason: String| CertificateError::Pem { path, what, reason };
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&self.certificate)
            .collect::<Result<_, _>>()
            .map_err(|error| not_pem(certificate_path(folder), "certificate", error.to_string()))?;
        if chain.is_empty() {
            return Err(not_pem(
                certificate_path(folder),
                "certificate",
                "there is none".to_owned(),
            ));
        }
        let key = PrivateKeyDer::from_pem_slice(&self.key)
            .map_err(|error| not_pem(key_path(folder), "private key", error.to_string()))?;
        CertifiedKey::from_der(chain, key, provider).map_err(|error| CertificateError::Pair {
            folder: folder.to_owned(),
            reason: error.to_string(),
        })
    }
}

impl Certificates {
    /// Reads the pair for the first time. Blocks while it reads the files.
    pub(crate) fn load(
        folder: &Path,
        provider: Arc<CryptoProvider>,
        metrics: CertificateMetrics,
    ) -> Result<Self, CertificateError> {
        let files = Files::read(folder)?;
        let pair = files.pair(folder, &provider)?;
        metrics.reads.inc();
        Ok(Self {
            folder: folder.to_owned(),
            provider,
            current: RwLock::new(Arc::new(pair)),
            seen: Mutex::new(files),
            metrics,
        })
    }

    /// Checks whether the files have changed, and uses the new pair if it is complete. Blocks while it reads the files.
    pub(super) fn refresh(&self) {
        let files = match Files::read(&self.folder) {
            Ok(files) => files,
            Err(error) => return self.keep(&error),
        };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if *seen == files {
            return;
        }
        let pair = files.pair(&self.folder, &self.provider);
        *seen = files;
        drop(seen);
        match pair {
            Ok(pair) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(pair);
                self.metrics.reads.inc();
                tracing::info!(folder = %self.folder.display(), "a server has a new certificate");
            }
            Err(error) => self.keep(&error),
        }
    }

    fn keep(&self, error: &CertificateError) {
        self.metrics.errors.inc();
        let source = std::error::Error::source(error).map(ToString::to_string);
        tracing::warn!(%error, source, "a server keeps its certificate: the new one cannot be used");
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(
            &self.current.read().unwrap_or_else(PoisonError::into_inner),
        ))
    }
}

impl fmt::Debug for Certificates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Certificates")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

fn certificate_path(folder: &Path) -> PathBuf {
    folder.join("tls.crt")
}

fn key_path(folder: &Path) -> PathBuf {
    folder.join("tls.key")
}
