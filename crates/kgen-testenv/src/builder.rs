//! Configures and starts a control plane.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use crate::assets::{Assets, Release};
use crate::components::Component;
use crate::control_plane::ControlPlane;
use crate::error::{Error, Result};

/// The variable that names the folder in which logs are kept, unless the test chooses one.
pub const KGEN_LOGS: &str = "KGEN_LOGS";

/// How often a start is retried when another program takes a port between our check and the start of the component.
const ATTEMPTS: usize = 3;

/// Configures a control plane.
///
/// ```no_run
/// # async fn example() -> kgen_testenv::Result<()> {
/// use kgen_testenv::ControlPlane;
///
/// let control_plane = ControlPlane::builder()
///     .kubernetes("1.36")
///     .with_nodes(3)
///     .api_server_flag("--watch-cache=false")
///     .logs("target/control-plane-logs")
///     .start()
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing runs before `start`"]
pub struct ControlPlaneBuilder {
    pub(crate) kubernetes: Option<String>,
    pub(crate) components: BTreeSet<Component>,
    pub(crate) nodes: u16,
    pub(crate) records_access: bool,
    pub(crate) api_server_flags: Vec<String>,
    pub(crate) controllers: Vec<String>,
    pub(crate) logs: Option<PathBuf>,
    pub(crate) assets: Option<PathBuf>,
    pub(crate) ready_within: Duration,
}

impl Default for ControlPlaneBuilder {
    fn default() -> Self {
        Self {
            kubernetes: None,
            components: BTreeSet::from([Component::Etcd, Component::ApiServer]),
            nodes: 0,
            records_access: false,
            api_server_flags: Vec::new(),
            controllers: Vec::new(),
            logs: None,
            assets: None,
            ready_within: Duration::from_secs(120),
        }
    }
}

impl ControlPlaneBuilder {
    /// Sets the version of Kubernetes: a minor version (`1.36`) or a full version (`1.36.4`). The default is the value of
    /// `KGEN_KUBERNETES`, or else the pinned version. It is an error if the binaries in `KUBEBUILDER_ASSETS` have another minor
    /// version than the one that is set here.
    pub fn kubernetes(mut self, version: impl Into<String>) -> Self {
        self.kubernetes = Some(version.into());
        self
    }

    /// Adds a component. Every control plane has etcd and the API server; [`Component::Kwok`] adds one node.
    pub fn with(mut self, component: Component) -> Self {
        self.components.insert(component);
        if component == Component::Kwok {
            self.nodes = self.nodes.max(1);
        }
        self
    }

    /// Adds nodes, which kwok simulates, and the controller manager and the scheduler. So Deployments roll out, pods become
    /// Running, and the garbage collector deletes the dependents of deleted owners.
    pub fn with_nodes(mut self, nodes: u16) -> Self {
        self.nodes = nodes;
        self.with(Component::ControllerManager)
            .with(Component::Scheduler)
            .with(Component::Kwok)
    }

    /// Lets the API server write an audit log, for [`ControlPlane::access`].
    pub fn record_access(mut self) -> Self {
        self.records_access = true;
        self
    }

    /// Adds a flag to the API server, such as `--feature-gates=…`. It overrides the flags of this crate.
    pub fn api_server_flag(mut self, flag: impl Into<String>) -> Self {
        self.api_server_flags.push(flag.into());
        self
    }

    /// Adds a controller manager that runs only these controllers, such as `garbage-collector-controller`. Without
    /// `serviceaccount-controller`, pods need no service account.
    pub fn with_controllers<'c>(mut self, controllers: impl IntoIterator<Item = &'c str>) -> Self {
        let controllers = controllers.into_iter().map(str::to_owned);
        self.controllers.extend(controllers);
        self.with(Component::ControllerManager)
    }

    /// Returns whether a controller creates the default service accounts.
    pub(crate) fn has_service_accounts(&self) -> bool {
        self.components.contains(&Component::ControllerManager)
            && (self.controllers.is_empty()
                || self
                    .controllers
                    .iter()
                    .any(|controller| matches!(controller.as_str(), "*" | "serviceaccount-controller")))
    }

    /// Writes the logs to a new folder in this folder and keeps them. By default they are in the folder of the control plane
    /// and are deleted with it, unless `KGEN_LOGS` is set.
    pub fn logs(mut self, folder: impl Into<PathBuf>) -> Self {
        self.logs = Some(folder.into());
        self
    }

    /// Uses the binaries in this folder.
    pub fn assets(mut self, folder: impl Into<PathBuf>) -> Self {
        self.assets = Some(folder.into());
        self
    }

    /// Sets the time in which each component must become ready. The default is two minutes.
    pub fn ready_within(mut self, patience: Duration) -> Self {
        self.ready_within = patience;
        self
    }

    /// Starts the control plane and waits until it is ready: the API server responds, the namespace `default` and (with a
    /// controller manager) its service account exist, and (with kwok) the nodes are Ready.
    ///
    /// # Errors
    ///
    /// Returns an error if the binaries are not available ([`Error::is_unavailable`]), or if a component does not start; the
    /// error contains its log.
    pub async fn start(self) -> Result<ControlPlane> {
        let assets = self.find_or_build_assets().await?;
        let mut attempt = 1;
        loop {
            match ControlPlane::start_with(&self, assets.clone()).await {
                Err(error) if attempt < ATTEMPTS && port_was_taken(&error) => attempt += 1,
                other => return other,
            }
        }
    }

    /// Returns the binaries that this control plane needs, and builds them if necessary.
    pub(crate) async fn find_or_build_assets(&self) -> Result<Assets> {
        let builder = self.clone();
        // A build blocks for minutes.
        let task = tokio::task::spawn_blocking(move || builder.assets_now());
        task.await.unwrap_or_else(|panicked| {
            Err(Error::Build {
                what: "the binaries".to_owned(),
                command: "go build".to_owned(),
                output: panicked.to_string(),
            })
        })
    }

    fn assets_now(&self) -> Result<Assets> {
        let assets = match &self.assets {
            Some(folder) => Assets::in_folder(folder),
            None => Assets::find_or_build(&Release::resolve(self.kubernetes.as_deref())?)?,
        };
        assets.kubectl()?;
        for component in &self.components {
            assets.component(*component)?;
        }
        Ok(assets)
    }
}

/// Returns whether a component ended because its port was in use.
fn port_was_taken(error: &Error) -> bool {
    matches!(error, Error::Died { tail, .. } if tail.contains("address already in use"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_bring_what_pods_need() {
        assert_eq!(ControlPlane::builder().components.len(), 2);
        let whole = ControlPlane::builder().with_nodes(3);
        assert!(whole.components.iter().eq(Component::ALL.iter()));
        assert_eq!(whole.nodes, 3);
        assert_eq!(ControlPlane::builder().with(Component::Kwok).nodes, 1);
    }

    #[test]
    fn chosen_controllers_decide_about_service_accounts() {
        let builder = ControlPlane::builder();
        assert!(!builder.clone().has_service_accounts());
        assert!(
            builder
                .clone()
                .with(Component::ControllerManager)
                .has_service_accounts()
        );
        let collector = builder.with_controllers(["garbage-collector-controller"]);
        assert!(!collector.has_service_accounts());
        assert!(
            collector
                .with_controllers(["serviceaccount-controller"])
                .has_service_accounts()
        );
    }

    #[test]
    fn everything_can_move_between_threads() {
        fn assert_send<T: Send>(_: T) {}
        fn assert_sync<T: Send + Sync>() {}
        assert_send(ControlPlane::start());
        assert_send(ControlPlane::start_or_skip());
        assert_sync::<ControlPlane>();
        assert_sync::<Error>();
    }
}
