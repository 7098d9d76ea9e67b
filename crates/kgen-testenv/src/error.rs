//! The errors of this crate, each with advice.
//!
//! A message has the cause first, then the end of the log if a component failed, then a line that starts with `help:`.
//! [`Error::is_unavailable`] distinguishes a machine without a control plane from a control plane that is broken.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use crate::Component;

/// The reason why a control plane could not be started or a request to it failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The binaries were not found, and Go is not installed to build them.
    #[error(
        "the control plane binaries were not found: `KUBEBUILDER_ASSETS` is not set, `{}` does not exist, and `go` is not on the PATH\n  \
         help: install Go 1.26 or newer, and they are built once, in about ten minutes; \
         or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kubectl",
        cache.display()
    )]
    GoMissing {
        /// The folder for built binaries.
        cache: PathBuf,
    },

    /// Go is installed, but a build failed.
    #[error(
        "`{command}` failed while building {what}\n{output}\n  \
         help: install Go 1.26 or newer and check the Go module proxy (`go env GOPROXY`); \
         or set KUBEBUILDER_ASSETS to a folder with the binaries"
    )]
    Build {
        /// The binary or module that was being built.
        what: String,
        /// The command line.
        command: String,
        /// The end of Go's output.
        output: String,
    },

    /// A binary is missing in the folder of binaries.
    #[error("`{}` does not contain `{binary}`\n  help: {help}", folder.display())]
    BinaryMissing {
        /// The folder that was searched.
        folder: PathBuf,
        /// The name of the missing program.
        binary: &'static str,
        /// The advice.
        help: &'static str,
    },

    /// A Kubernetes version that is not pinned.
    #[error(
        "no versions of etcd and kwok are pinned for Kubernetes `{asked}`\n  \
         help: use one of {known}, or a whole version such as 1.36.4"
    )]
    UnknownVersion {
        /// The requested version.
        asked: String,
        /// The pinned minor versions.
        known: String,
    },

    /// The binaries have another minor version than the requested one.
    #[error(
        "Kubernetes {asked} was requested, but `{}` has {found}\n  \
         help: unset KUBEBUILDER_ASSETS, or do not request a version",
        folder.display()
    )]
    WrongVersion {
        /// The requested version.
        asked: String,
        /// The version that the API server reports.
        found: String,
        /// The folder of the binaries.
        folder: PathBuf,
    },

    /// A file or folder could not be used, or a program could not be started.
    #[error("cannot {doing} `{}`", path.display())]
    Io {
        /// The failed operation, as in "cannot … the file".
        doing: &'static str,
        /// The file, folder or program.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },

    /// All ports of the range are in use.
    #[error(
        "no free port between {first} and {last} on 127.0.0.1\n  help: stop control planes that are not needed"
    )]
    NoFreePort {
        /// The first port that was tried.
        first: u16,
        /// The last port that was tried.
        last: u16,
    },

    /// A certificate could not be created or used.
    #[error("cannot {doing} a certificate")]
    Certificate {
        /// The failed operation, as in "cannot … a certificate".
        doing: &'static str,
        /// The error of the library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },

    /// A component exited by itself.
    #[error(
        "{component} exited unexpectedly ({status}); the end of its log:\n{tail}\n  \
         help: the whole log is `{}`; `ControlPlaneBuilder::logs` or KGEN_LOGS keeps it",
        log.display()
    )]
    Died {
        /// The component.
        component: Component,
        /// Its exit status.
        status: ExitStatus,
        /// Its log.
        log: PathBuf,
        /// The end of the log.
        tail: String,
    },

    /// A component runs but did not become ready in time.
    #[error(
        "{component} was not ready after {seconds} s ({last}); the end of its log:\n{tail}\n  \
         help: on a slow machine, increase `ControlPlaneBuilder::ready_within`; the whole log is `{}`",
        log.display()
    )]
    NotReady {
        /// The component.
        component: Component,
        /// How long the start waited.
        seconds: u64,
        /// The last response, or the reason why there was none.
        last: String,
        /// Its log.
        log: PathBuf,
        /// The end of the log.
        tail: String,
    },

    /// The control plane was started without this component.
    #[error(
        "this control plane does not include {0}\n  help: add it with `ControlPlane::builder().with(Component::{0:?})`"
    )]
    NotPartOfIt(Component),

    /// A request was not answered.
    #[error(
        "no response to {request}: {reason}\n  help: check that the component is running; `ControlPlane::log` returns its log"
    )]
    Request {
        /// Method and path.
        request: String,
        /// The reason.
        reason: String,
    },

    /// A request was answered with an error.
    #[error("{request} was rejected ({status}): {message}")]
    Refused {
        /// Method and path.
        request: String,
        /// The HTTP status.
        status: u16,
        /// The message of the server.
        message: String,
    },

    /// A manifest cannot be read.
    #[error("{origin}: {problem}")]
    Manifest {
        /// The file, or "the text given".
        origin: String,
        /// The problem, with advice.
        problem: String,
    },

    /// The API server accepted a CRD but does not serve it.
    #[error("the API server accepted {name} but does not serve it: {reason}")]
    NotEstablished {
        /// The name of the CRD.
        name: String,
        /// Its conditions, or the missing parts.
        reason: String,
    },

    /// The API server does not reach the webhooks.
    #[error(
        "the API server did not reach the webhooks at {address} in {seconds} s: {last}\n  \
         help: check that the server listens there, with the certificate in `WebhookInstallation::folder`"
    )]
    WebhookUnreachable {
        /// The address at which they should be.
        address: std::net::SocketAddr,
        /// How long the test waited.
        seconds: u64,
        /// The last message of the API server.
        last: String,
    },

    /// kube could not create a client.
    #[cfg(feature = "kube")]
    #[error("kube cannot create a client from the kubeconfig")]
    Client {
        /// The error of kube.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Returns whether the binaries are not available on this machine. Tests are then skipped (see [`crate::skip`]);
    /// every other error is a failure.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        matches!(
            self,
            Error::GoMissing { .. } | Error::Build { .. } | Error::BinaryMissing { .. }
        )
    }

    /// Returns the message with the messages of its causes.
    #[must_use]
    pub fn with_causes(&self) -> String {
        with_causes(self)
    }

    /// Converts an error of the certificate library.
    pub(crate) fn certificate<E>(doing: &'static str) -> impl FnOnce(E) -> Error
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        move |source| Error::Certificate {
            doing,
            source: Box::new(source),
        }
    }
}

/// Returns the message of an error with the messages of its causes, as one string.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

/// Adds the path to an I/O error, which the standard library leaves out.
pub(crate) trait IoContext<T> {
    /// Adds the context of an error; `doing` completes the sentence "cannot … `path`".
    fn context(self, doing: &'static str, path: &Path) -> Result<T>;
}

impl<T> IoContext<T> for std::io::Result<T> {
    fn context(self, doing: &'static str, path: &Path) -> Result<T> {
        self.map_err(|source| Error::Io {
            doing,
            path: path.to_owned(),
            source,
        })
    }
}
