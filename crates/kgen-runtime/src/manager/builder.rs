//! The settings of a manager.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use super::{Manager, ManagerError};
use crate::health::Health;
use crate::metrics::Metrics;
use crate::recorder::Recorder;
use crate::{Connection, InformerFactory};

/// The default resync period, as in controller-runtime.
const RESYNC: Duration = Duration::from_secs(10 * 60 * 60);

/// The default timeout for the sync of the caches, as in controller-runtime.
const SYNC_TIMEOUT: Duration = Duration::from_secs(2 * 60);

/// The time that tasks have to end: most of [`GRACE`](super::GRACE).
const GRACE_FOR_WORK: Duration = Duration::from_secs(20);

/// Settings of a [`Manager`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    pub(super) name: String,
    pub(super) kubeconfig: Option<PathBuf>,
    pub(super) context: Option<String>,
    pub(super) namespaces: Vec<String>,
    pub(super) resync: Duration,
    pub(super) leader_election: bool,
    pub(super) sync_timeout: Duration,
    pub(super) grace: Duration,
    pub(super) metrics: Option<SocketAddr>,
    pub(super) probes: Option<SocketAddr>,
    #[cfg(feature = "webhook")]
    pub(super) webhooks: Option<(SocketAddr, PathBuf)>,
}

impl Builder {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            kubeconfig: None,
            context: None,
            namespaces: Vec::new(),
            resync: RESYNC,
            leader_election: false,
            sync_timeout: SYNC_TIMEOUT,
            grace: GRACE_FOR_WORK,
            metrics: None,
            probes: None,
            #[cfg(feature = "webhook")]
            webhooks: None,
        }
    }

    /// Sets the path of the kubeconfig. The default is `KUBECONFIG`, `~/.kube/config` or the service account of the pod.
    pub fn kubeconfig(mut self, file: Option<PathBuf>) -> Self {
        self.kubeconfig = file;
        self
    }

    /// Sets the context in the kubeconfig. The default is the current context.
    pub fn context(mut self, context: Option<String>) -> Self {
        self.context = context;
        self
    }

    /// Sets the namespaces to watch. An empty list means all namespaces.
    pub fn namespaces<N: Into<String>>(mut self, namespaces: impl IntoIterator<Item = N>) -> Self {
        self.namespaces = namespaces.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the period after which every object is reconciled even if it has not changed. The default is ten hours.
    pub fn resync(mut self, period: Duration) -> Self {
        self.resync = period;
        self
    }

    /// Runs controllers only while this replica is the leader. The lease has the name of the manager, and is in the namespace
    /// of the pod or of the kubeconfig. Every replica fills its caches and serves webhooks.
    pub fn leader_election(mut self, wanted: bool) -> Self {
        self.leader_election = wanted;
        self
    }

    /// Sets the time after which the manager returns [`ManagerError::NotSynced`] if the caches have not synced. The default is
    /// two minutes. The error names the informers and the reasons. The lease is acquired only after the sync.
    pub fn sync_timeout(mut self, timeout: Duration) -> Self {
        self.sync_timeout = timeout;
        self
    }

    /// Sets the time after a signal or a failure when running tasks are aborted. The default is 20 s. The rest of the shutdown
    /// takes up to five seconds more. Add them for [`Shutdown::run`](crate::shutdown::Shutdown::run), as
    /// [`GRACE`](super::GRACE) does.
    ///
    /// Webhooks are served until tasks, informers and events have ended. Open requests then have the remaining time to finish,
    /// and at least one second.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Serves `/metrics` at this address.
    pub fn serve_metrics(mut self, address: Option<SocketAddr>) -> Self {
        self.metrics = address;
        self
    }

    /// Serves `/healthz` and `/readyz` at this address. It is separate from the address of the metrics, so that clients of the
    /// metrics cannot delay the probes of the kubelet.
    pub fn serve_probes(mut self, address: Option<SocketAddr>) -> Self {
        self.probes = address;
        self
    }

    /// Serves webhooks at `address`, with `tls.crt` and `tls.key` from the folder `certificates`. If `certificates` is `None`,
    /// webhooks are not served.
    #[cfg(feature = "webhook")]
    pub fn webhooks(mut self, address: SocketAddr, certificates: Option<PathBuf>) -> Self {
        self.webhooks = certificates.map(|folder| (address, folder));
        self
    }

    /// Connects to the cluster and returns the manager.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no configuration for a cluster, or if it is invalid.
    pub async fn connect(self) -> Result<Manager, ManagerError> {
        let config = self.configuration().await?;
        let namespace = config.default_namespace.clone();
        let client = Client::try_from(config).map_err(|source| ManagerError::Connect {
            what: "cannot create a client from the configuration".to_owned(),
            source: source.into(),
        })?;
        Ok(self.with_client(client, namespace))
    }

    /// Returns a manager that uses `client`. The lease for leader election is in `namespace`. Needs a tokio runtime.
    pub fn with_client(self, client: Client, namespace: impl Into<String>) -> Manager {
        let metrics = Metrics::default();
        let (recorder, writer) = Recorder::builder(client.clone(), self.name.clone())
            .metrics(&metrics)
            .start();
        let connection = Connection::new(client).with_field_manager(self.name.clone());
        let informers = InformerFactory::builder(&connection)
            .namespaces(self.namespaces.iter().cloned())
            .resync(self.resync)
            .drop_managed_fields()
            .recorder(&recorder)
            .metrics(&metrics)
            .build();
        Manager {
            settings: self,
            namespace: namespace.into(),
            connection,
            informers,
            health: Health::default(),
            metrics,
            recorder,
            writer,
            tasks: Vec::new(),
            controllers: BTreeMap::new(),
            refused: None,
            #[cfg(feature = "webhook")]
            webhooks: Default::default(),
        }
    }

    async fn configuration(&self) -> Result<Config, ManagerError> {
        let failed = |what: String| {
            |source: kube::config::KubeconfigError| ManagerError::Connect {
                what,
                source: source.into(),
            }
        };
        let options = KubeConfigOptions {
            context: self.context.clone(),
            ..KubeConfigOptions::default()
        };
        let kubeconfig = match &self.kubeconfig {
            Some(path) => {
                Kubeconfig::read_from(path).map_err(failed(format!("cannot read `{}`", path.display())))?
            }
            None if self.context.is_some() => {
                Kubeconfig::read().map_err(failed("cannot read the kubeconfig".to_owned()))?
            }
            None => {
                return Config::infer().await.map_err(|source| ManagerError::Connect {
                    what: "there is no kubeconfig, and the process does not run in a pod".to_owned(),
                    source: source.into(),
                });
            }
        };
        Config::from_custom_kubeconfig(kubeconfig, &options)
            .await
            .map_err(failed("the kubeconfig is invalid".to_owned()))
    }
}
