//! A running control plane.
//!
//! This file has the simple accessors; `access` reads the audit log, `lifecycle` starts, kills and stops components, `requests` sends requests to the
//! API server and etcd, `webhooks` installs webhook configurations, and `webhook_server` answers them. Everything takes `&self`, so that tests can
//! share a control plane.

mod access;
mod lifecycle;
mod requests;
mod webhook_server;
mod webhooks;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::assets::Assets;
use crate::builder::ControlPlaneBuilder;
use crate::certificates::{Authority, CertifiedKey};
use crate::components::{Component, Layout, Options};
use crate::error::{Error, IoContext, Result};
use crate::https::HttpsClient;
use crate::kubeconfig::Kubeconfig;
use crate::process::Process;
use crate::run_folder::RunFolder;
use crate::watchdog::Watchdog;

pub use self::webhooks::WebhookInstallation;

/// A Kubernetes control plane of this process, with its own ports, folder and certificates.
///
/// Dropping it stops the control plane. If the process ends without dropping it (killed, aborted, Ctrl-C, in a static), a
/// watchdog stops it a second later. [`ControlPlane::stop`] stops it gracefully and returns errors.
///
/// It is not bound to a Tokio runtime, so all tests of a program can share one in a static:
///
/// ```no_run
/// use kgen_testenv::{ControlPlane, Result};
/// use tokio::sync::OnceCell;
///
/// async fn shared() -> Result<&'static ControlPlane> {
///     static SHARED: OnceCell<ControlPlane> = OnceCell::const_new();
///     SHARED.get_or_try_init(ControlPlane::start).await
/// }
/// ```
pub struct ControlPlane {
    assets: Assets,
    layout: Layout,
    options: Options,
    authority: Authority,
    admin: Kubeconfig,
    https: HttpsClient,
    version: String,
    ready_within: Duration,
    /// The components; `None` for a component that was killed.
    processes: Mutex<BTreeMap<Component, Option<Process>>>,
    // Dropped in this order, after `Drop::drop` has killed the processes: the watchdog, then the folder that it guards.
    watchdog: Watchdog,
    run_folder: RunFolder,
}

impl ControlPlane {
    /// Starts etcd and an API server, like envtest. It is ready in a few seconds.
    ///
    /// # Errors
    ///
    /// See [`ControlPlaneBuilder::start`].
    pub async fn start() -> Result<Self> {
        Self::builder().start().await
    }

    /// Configures components, version, flags and more before the start.
    pub fn builder() -> ControlPlaneBuilder {
        ControlPlaneBuilder::default()
    }

    /// Returns the version that the API server reports, such as `v1.36.4`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the address of the API server, such as `https://127.0.0.1:20123`.
    #[must_use]
    pub fn url(&self) -> &str {
        self.admin.server()
    }

    /// Returns the folder of this control plane: certificates, kubeconfigs, etcd's data. It is deleted with the control plane.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.layout.folder
    }

    /// Returns the administrator's kubeconfig.
    #[must_use]
    pub fn kubeconfig(&self) -> &Kubeconfig {
        &self.admin
    }

    /// Returns the file with the administrator's kubeconfig, for `KUBECONFIG` or `--kubeconfig`.
    #[must_use]
    pub fn kubeconfig_path(&self) -> PathBuf {
        self.layout.admin_kubeconfig()
    }

    /// Returns a kubeconfig for a new user with a client certificate, optionally in a group. RBAC determines the user's
    /// permissions.
    ///
    /// # Errors
    ///
    /// Returns an error if the certificate cannot be created.
    pub fn user_kubeconfig(&self, user: &str, group: Option<&str>) -> Result<Kubeconfig> {
        self.layout.client(&self.authority, user, group)
    }

    /// Returns a certificate for a server on this machine, such as the webhooks of an operator under test; the
    /// `caBundle` is [`Kubeconfig::certificate_authority`].
    ///
    /// # Errors
    ///
    /// Returns an error if one of the names is not a host name or an address.
    pub fn server_certificate(&self, names: &[&str]) -> Result<CertifiedKey> {
        self.authority.server(names)
    }

    /// Returns a client of the `kube` crate for the administrator. It is bound to the current Tokio runtime.
    ///
    /// # Errors
    ///
    /// Returns an error if kube rejects the kubeconfig.
    #[cfg(feature = "kube")]
    pub async fn client(&self) -> Result<kube::Client> {
        self.admin.client().await
    }

    /// Returns a kubectl command with the administrator's kubeconfig. Add arguments and run it.
    ///
    /// ```no_run
    /// # fn example(control_plane: &kgen_testenv::ControlPlane) -> std::io::Result<()> {
    /// let status = control_plane.kubectl().args(["apply", "-k", "config"]).status()?;
    /// assert!(status.success());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn kubectl(&self) -> Command {
        let mut command = Command::new(self.assets.folder().join("kubectl"));
        command
            .env("KUBECONFIG", self.kubeconfig_path())
            // The developer's preferences and cached discovery must not affect the test.
            .env("KUBERC", "off")
            .arg(format!("--cache-dir={}", self.layout.file("kubectl-cache")));
        command
    }

    /// Returns the components that this control plane has, running or not.
    #[must_use]
    pub fn components(&self) -> Vec<Component> {
        self.processes().keys().copied().collect()
    }

    /// Returns the process ID of a running component.
    #[must_use]
    pub fn process_id(&self, component: Component) -> Option<u32> {
        let mut processes = self.processes();
        let process = processes.get_mut(&component)?.as_mut()?;
        process.check().is_ok().then(|| process.id())
    }

    /// Returns the file with the log of a component.
    #[must_use]
    pub fn log_path(&self, component: Component) -> PathBuf {
        self.layout.log(component)
    }

    /// Returns the log of a component, including its restarts.
    ///
    /// # Errors
    ///
    /// Returns an error if this control plane does not have the component.
    pub fn log(&self, component: Component) -> Result<String> {
        if !self.processes().contains_key(&component) {
            return Err(Error::NotPartOfIt(component));
        }
        let path = self.log_path(component);
        let bytes = std::fs::read(&path).context("read", &path)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Locks the map. A panic in another test must not make this one unusable: it is consistent between any two
    /// statements.
    fn processes(&self) -> MutexGuard<'_, BTreeMap<Component, Option<Process>>> {
        self.processes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for ControlPlane {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ControlPlane")
            .field("version", &self.version)
            .field("url", &self.url())
            .field("folder", &self.folder())
            .field("components", &self.components())
            .finish_non_exhaustive()
    }
}
