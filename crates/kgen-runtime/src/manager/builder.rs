//! The settings of a manager.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kube::client::ClientBuilder;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use super::{Manager, ManagerError};
use crate::health::Health;
use crate::metrics::Metrics;
use crate::recorder::Recorder;
use crate::{Connection, InformerFactory, InformerFactoryBuilder, election};

/// The default resync period, as in controller-runtime.
const RESYNC: Duration = Duration::from_secs(10 * 60 * 60);

/// The default timeout for the sync of the caches, as in controller-runtime.
const SYNC_TIMEOUT: Duration = Duration::from_secs(2 * 60);

/// The time that tasks have to end: most of [`GRACE`](super::GRACE).
const GRACE_FOR_WORK: Duration = Duration::from_secs(20);

/// How metrics are served.
#[derive(Clone, Copy, Debug)]
pub(super) enum ServedMetrics {
    Plain(SocketAddr),
    #[cfg(feature = "webhook")]
    Secured(SocketAddr),
}

/// A change of the settings of another part.
pub(super) struct Adjust<B>(Arc<dyn Fn(B) -> B + Send + Sync>);

impl<B> Adjust<B> {
    pub(super) fn apply(&self, builder: B) -> B {
        (self.0)(builder)
    }
}

// Not derived, because a derive would require `B: Clone`.
impl<B> Clone for Adjust<B> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<B> fmt::Debug for Adjust<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Adjust")
    }
}

/// Settings of a [`Manager`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    pub(super) name: String,
    pub(super) kubeconfig: Option<PathBuf>,
    pub(super) context: Option<String>,
    pub(super) namespaces: Vec<String>,
    pub(super) resync: Duration,
    pub(super) informers: Option<Adjust<InformerFactoryBuilder>>,
    pub(super) leader_election: bool,
    pub(super) election: Option<Adjust<election::Builder>>,
    pub(super) lease_namespace: Option<String>,
    pub(super) lease_name: Option<String>,
    pub(super) workers: u16,
    pub(super) sync_timeout: Duration,
    pub(super) grace: Duration,
    pub(super) metrics: Option<ServedMetrics>,
    pub(super) probes: Option<SocketAddr>,
    #[cfg(feature = "webhook")]
    pub(super) metrics_certificates: Option<PathBuf>,
    #[cfg(feature = "webhook")]
    pub(super) metrics_http2: bool,
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
            informers: None,
            leader_election: false,
            election: None,
            lease_namespace: None,
            lease_name: None,
            workers: 1,
            sync_timeout: SYNC_TIMEOUT,
            grace: GRACE_FOR_WORK,
            metrics: None,
            probes: None,
            #[cfg(feature = "webhook")]
            metrics_certificates: None,
            #[cfg(feature = "webhook")]
            metrics_http2: false,
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

    /// Sets the namespaces to watch. An empty list means all namespaces. Empty names, such as that of an empty environment
    /// variable, are left out.
    pub fn namespaces<N: Into<String>>(mut self, namespaces: impl IntoIterator<Item = N>) -> Self {
        let names = namespaces.into_iter().map(Into::<String>::into);
        self.namespaces = names.filter(|name| !name.is_empty()).collect();
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

    /// Changes the settings of leader election. It does not turn it on.
    ///
    /// ```
    /// use kgen_runtime::manager::Manager;
    /// use std::time::Duration;
    ///
    /// let builder = Manager::builder("my-operator")
    ///     .leader_election(true)
    ///     .election(|elector| elector.lease_duration(Duration::from_secs(60)).renew_deadline(Duration::from_secs(40)));
    /// ```
    pub fn election(
        mut self,
        adjust: impl Fn(election::Builder) -> election::Builder + Send + Sync + 'static,
    ) -> Self {
        self.election = Some(Adjust(Arc::new(adjust)));
        self
    }

    /// Sets the namespace and the name of the lease.
    pub fn lease(self, namespace: impl Into<String>, name: impl Into<String>) -> Self {
        self.lease_namespace(Some(namespace.into()))
            .lease_name(Some(name.into()))
    }

    /// Sets the namespace of the lease. The default is the namespace of the pod or of the kubeconfig.
    pub fn lease_namespace(mut self, namespace: Option<String>) -> Self {
        self.lease_namespace = namespace;
        self
    }

    /// Sets the name of the lease. The default is the name of the manager.
    pub fn lease_name(mut self, name: Option<String>) -> Self {
        self.lease_name = name;
        self
    }

    /// Sets how many objects a controller reconciles concurrently, unless
    /// [`Controller::workers`](super::Controller::workers) sets it. The default is one.
    pub fn workers(mut self, workers: u16) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// Changes the settings of the informers: transforms, selectors, page size.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::Secret;
    /// use kgen_runtime::manager::Manager;
    ///
    /// let builder = Manager::builder("my-operator").informers(|factory| {
    ///     factory
    ///         .transform::<Secret>(|secret| secret.data = None)
    ///         .tweak(|config| config.page_size(100))
    /// });
    /// ```
    pub fn informers(
        mut self,
        adjust: impl Fn(InformerFactoryBuilder) -> InformerFactoryBuilder + Send + Sync + 'static,
    ) -> Self {
        self.informers = Some(Adjust(Arc::new(adjust)));
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

    /// Serves `/metrics` at this address over TLS, to clients whose service account may `get` the non-resource URL
    /// `/metrics`. See [`secured`](crate::secured) for the permissions that the operator needs.
    ///
    /// The certificate is self-signed unless [`Self::metrics_certificates`] is set.
    #[cfg(feature = "webhook")]
    pub fn serve_metrics(mut self, address: Option<SocketAddr>) -> Self {
        self.metrics = address.map(ServedMetrics::Secured);
        self
    }

    /// Sets the folder with `tls.crt` and `tls.key` for [`Self::serve_metrics`]. The files are reloaded when they change.
    #[cfg(feature = "webhook")]
    pub fn metrics_certificates(mut self, folder: Option<PathBuf>) -> Self {
        self.metrics_certificates = folder;
        self
    }

    /// Also serves the metrics of [`Self::serve_metrics`] over HTTP/2. It is off by default; see
    /// [`Secured::http2`](crate::secured::Secured::http2).
    #[cfg(feature = "webhook")]
    pub fn metrics_http2(mut self, wanted: bool) -> Self {
        self.metrics_http2 = wanted;
        self
    }

    /// Serves `/metrics` at this address over plain HTTP, to every client that can reach it.
    pub fn serve_metrics_insecurely(mut self, address: Option<SocketAddr>) -> Self {
        self.metrics = address.map(ServedMetrics::Plain);
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
        let metrics = Metrics::default();
        let layer = metrics.rest_client(&config.cluster_url);
        let client = ClientBuilder::try_from(config).map_err(|source| ManagerError::Connect {
            what: "cannot create a client from the configuration".to_owned(),
            source: source.into(),
        })?;
        Ok(self.assemble(client.with_layer(&layer).build(), namespace, metrics))
    }

    /// Returns a manager that uses `client`. The lease for leader election is in `namespace`. Needs a tokio runtime.
    ///
    /// Its requests are counted only if it has the layer [`Metrics::rest_client`].
    pub fn with_client(self, client: Client, namespace: impl Into<String>) -> Manager {
        self.assemble(client, namespace.into(), Metrics::default())
    }

    fn assemble(self, client: Client, namespace: String, metrics: Metrics) -> Manager {
        metrics.process();
        let (recorder, writer) = Recorder::builder(client.clone(), self.name.clone())
            .metrics(&metrics)
            .start();
        let connection = Connection::new(client).with_field_manager(self.name.clone());
        let informers = InformerFactory::builder(&connection)
            .namespaces(self.namespaces.iter().cloned())
            .resync(self.resync)
            .drop_managed_fields()
            .recorder(&recorder)
            .metrics(&metrics);
        let informers = match &self.informers {
            Some(adjust) => adjust.apply(informers),
            None => informers,
        };
        Manager {
            settings: self,
            namespace,
            connection,
            informers: informers.build(),
            others: Vec::new(),
            health: Health::default(),
            addresses: Default::default(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_namespaces_are_left_out() {
        let of = |names: &[&str]| Manager::builder("tea").namespaces(names.to_vec()).namespaces;
        assert_eq!(of(&["a", "", "b"]), ["a", "b"]);
        assert!(of(&[""]).is_empty());
    }
}
