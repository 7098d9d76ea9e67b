//! How a manager finds its cluster, and what it serves.

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

/// How often everything is looked at again, also if nothing seems to have changed. As in controller-runtime.
const RESYNC: Duration = Duration::from_secs(10 * 60 * 60);

/// How long the caches may take to fill, as in controller-runtime.
const SYNC_TIMEOUT: Duration = Duration::from_secs(2 * 60);

/// How long work may take to finish: most of [`GRACE`](super::GRACE).
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

    /// Connects as this kubeconfig says; without it, as the environment says, or with the service account of the pod.
    pub fn kubeconfig(mut self, file: Option<PathBuf>) -> Self {
        self.kubeconfig = file;
        self
    }

    /// Uses this context of the kubeconfig; without it, the current one.
    pub fn context(mut self, context: Option<String>) -> Self {
        self.context = context;
        self
    }

    /// Watches these namespaces; all of them if there are none here.
    pub fn namespaces<N: Into<String>>(mut self, namespaces: impl IntoIterator<Item = N>) -> Self {
        self.namespaces = namespaces.into_iter().map(Into::into).collect();
        self
    }

    /// Looks at every object after this time, also if nothing seems to have changed; ten hours if not said otherwise.
    pub fn resync(mut self, period: Duration) -> Self {
        self.resync = period;
        self
    }

    /// Lets controllers work only while this replica holds the lease of the manager's name, in the namespace of the pod or
    /// of the kubeconfig. Every replica fills its caches and serves webhooks; queues stay empty without the lease.
    pub fn leader_election(mut self, wanted: bool) -> Self {
        self.leader_election = wanted;
        self
    }

    /// Ends the manager with [`ManagerError::NotSynced`] if the caches are not filled after this time: two minutes by default.
    /// The error says which informers are late, and why. Until then, the lease is not acquired.
    pub fn sync_timeout(mut self, timeout: Duration) -> Self {
        self.sync_timeout = timeout;
        self
    }

    /// Aborts tasks that do not end within this time after a signal or a failure: 20 s by default. The rest of the end takes up
    /// to five seconds more, so give [`Shutdown::run`](crate::shutdown::Shutdown::run) that much on top, as
    /// [`GRACE`](super::GRACE) does.
    ///
    /// Webhooks are served until tasks, informers and events have ended. Their open requests then have the time that is left
    /// of both, and at least one second.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Serves `/metrics` at this address.
    pub fn serve_metrics(mut self, address: Option<SocketAddr>) -> Self {
        self.metrics = address;
        self
    }

    /// Serves `/healthz` and `/readyz` at this address. It is not that of the metrics, so that nobody who can reach those can
    /// delay the probes of the kubelet.
    pub fn serve_probes(mut self, address: Option<SocketAddr>) -> Self {
        self.probes = address;
        self
    }

    /// Serves webhooks at `address`, with `tls.crt` and `tls.key` of the folder `certificates`; without it, not at all.
    #[cfg(feature = "webhook")]
    pub fn webhooks(mut self, address: SocketAddr, certificates: Option<PathBuf>) -> Self {
        self.webhooks = certificates.map(|folder| (address, folder));
        self
    }

    /// A manager of the cluster that the settings lead to.
    ///
    /// # Errors
    ///
    /// When they lead to none.
    pub async fn connect(self) -> Result<Manager, ManagerError> {
        let config = self.configuration().await?;
        let namespace = config.default_namespace.clone();
        let client = Client::try_from(config).map_err(|source| ManagerError::Connect {
            what: "the configuration leads to no cluster".to_owned(),
            source: source.into(),
        })?;
        Ok(self.with_client(client, namespace))
    }

    /// A manager that talks through `client`; the lease of the leader is in `namespace`. Needs a tokio runtime.
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
                    what: "there is no way to a cluster".to_owned(),
                    source: source.into(),
                });
            }
        };
        Config::from_custom_kubeconfig(kubeconfig, &options)
            .await
            .map_err(failed("the kubeconfig cannot be used".to_owned()))
    }
}
