//! Metrics in Prometheus' text format: one registry for informers, queues, electors, recorders, webhooks and the operator
//! itself.
//!
//! This module re-exports the crate `prometheus-client`, the client library of the Prometheus project, so that an operator
//! can register its own metrics.

mod controller;
mod conversion;
mod election;
mod informer;
mod process;
mod queue;
mod recorder;
mod rest_client;
mod text;
#[cfg(feature = "webhook")]
mod webhook;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

pub use prometheus_client;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::registry::Registry;

pub(crate) use self::controller::{ControllerMetrics, Reconciled};
pub(crate) use self::conversion::ConversionMetrics;
pub(crate) use self::election::ElectionMetrics;
pub(crate) use self::informer::InformerMetrics;
pub(crate) use self::queue::QueueMetrics;
pub(crate) use self::recorder::RecorderMetrics;
pub use self::rest_client::{RestClient, RestClientLayer};
#[cfg(feature = "webhook")]
pub(crate) use self::webhook::{CertificateMetrics, WebhookMetrics};

/// The metrics of a process. Clones share them.
///
/// ```
/// use kgen_runtime::metrics::prometheus_client::metrics::counter::Counter;
/// use kgen_runtime::metrics::{Format, Metrics};
/// use kgen_runtime::queue::WorkQueue;
///
/// let metrics = Metrics::default();
/// let queue = WorkQueue::builder().name("foo").metrics(&metrics).build();
/// queue.add("default/a");
///
/// let synced = Counter::<u64>::default();
/// metrics.register(|registry| registry.register("foo_synced", "Successful syncs", synced.clone()));
/// synced.inc();
///
/// let text = metrics.encode(Format::Prometheus);
/// assert!(text.contains("workqueue_depth{name=\"foo\",controller=\"foo\",priority=\"0\"} 1"));
/// assert!(text.contains("foo_synced_total 1"));
/// ```
#[derive(Clone, Default)]
pub struct Metrics {
    shared: Arc<Shared>,
}

/// A text format of Prometheus.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Format {
    /// The text format 0.0.4, which all scrapers support.
    Prometheus,
    /// OpenMetrics 1.0, for scrapers that request it.
    OpenMetrics,
}

impl Format {
    /// Returns the value of the header `content-type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    registry: Registry,
    controller: Option<controller::Families>,
    queue: Option<queue::Families>,
    election: Option<election::Families>,
    informer: Option<informer::Families>,
    recorder: Option<recorder::Families>,
    rest_client: Option<rest_client::Families>,
    has_process: bool,
    #[cfg(feature = "webhook")]
    conversion: Option<conversion::Families>,
    #[cfg(feature = "webhook")]
    webhook: Option<webhook::Families>,
    refreshers: Vec<Weak<dyn Refresh>>,
}

/// A source of metrics that depend on the time, such as the age of running work. It updates them whenever they are read.
pub(crate) trait Refresh: Send + Sync {
    fn refresh(&self);
}

impl Metrics {
    /// Calls `register` with the registry, to register metrics of the operator.
    pub fn register<T>(&self, register: impl FnOnce(&mut Registry) -> T) -> T {
        register(&mut self.state().registry)
    }

    /// Adds the metrics of the process (`process_*`) on Linux; elsewhere they are empty. A
    /// [`Manager`](crate::manager::Manager) does it itself.
    pub fn process(&self) {
        let mut state = self.state();
        if !std::mem::replace(&mut state.has_process, true) {
            state.registry.register_collector(Box::new(process::Process));
        }
    }

    fn rest_client_families(&self) -> rest_client::Families {
        let mut state = self.state();
        let State {
            registry,
            rest_client,
            ..
        } = &mut *state;
        rest_client
            .get_or_insert_with(|| rest_client::Families::register(registry))
            .clone()
    }

    /// Returns all metrics as text.
    pub fn encode(&self, format: Format) -> String {
        // Refreshing takes the locks of queues, so it must not happen while ours is held.
        let refreshers = {
            let mut state = self.state();
            state.refreshers.retain(|refresher| refresher.strong_count() > 0);
            state.refreshers.clone()
        };
        for refresher in refreshers.iter().filter_map(Weak::upgrade) {
            refresher.refresh();
        }
        let mut text = String::new();
        if let Err(error) = prometheus_client::encoding::text::encode(&mut text, &self.state().registry) {
            // Only a custom `EncodeMetric` of the operator can fail: a `String` accepts everything.
            tracing::error!(%error, "metrics cannot be encoded");
        }
        match format {
            Format::OpenMetrics => text,
            Format::Prometheus => text::to_prometheus(&text),
        }
    }

    pub(crate) fn controller(&self, name: &str) -> ControllerMetrics {
        let mut state = self.state();
        let State {
            registry, controller, ..
        } = &mut *state;
        controller
            .get_or_insert_with(|| controller::Families::register(registry))
            .of(name)
    }

    pub(crate) fn queue(&self, name: &str) -> QueueMetrics {
        let mut state = self.state();
        let State { registry, queue, .. } = &mut *state;
        queue
            .get_or_insert_with(|| queue::Families::register(registry))
            .of(name)
    }

    pub(crate) fn election(&self, name: &str) -> ElectionMetrics {
        let mut state = self.state();
        let State {
            registry, election, ..
        } = &mut *state;
        election
            .get_or_insert_with(|| election::Families::register(registry))
            .of(name)
    }

    pub(crate) fn informer(&self, name: &str) -> InformerMetrics {
        let mut state = self.state();
        let State {
            registry, informer, ..
        } = &mut *state;
        informer
            .get_or_insert_with(|| informer::Families::register(registry))
            .of(name)
    }

    pub(crate) fn recorder(&self, component: &str) -> RecorderMetrics {
        let mut state = self.state();
        let State {
            registry, recorder, ..
        } = &mut *state;
        recorder
            .get_or_insert_with(|| recorder::Families::register(registry))
            .of(component)
    }

    /// Returns the metrics of the conversion of a kind between `versions`.
    #[cfg(feature = "webhook")]
    pub(crate) fn conversion(&self, kind: &str, versions: &[&str]) -> ConversionMetrics {
        let mut state = self.state();
        let State {
            registry, conversion, ..
        } = &mut *state;
        conversion
            .get_or_insert_with(|| conversion::Families::register(registry))
            .of(kind, versions)
    }

    #[cfg(feature = "webhook")]
    pub(crate) fn webhook(&self, path: &str) -> WebhookMetrics {
        self.webhooks(|families| families.of(path))
    }

    /// Returns the metrics of the webhook for conversions at a path.
    #[cfg(feature = "webhook")]
    pub(crate) fn conversion_webhook(&self, path: &str) -> WebhookMetrics {
        self.webhooks(|families| families.of_conversions(path))
    }

    #[cfg(feature = "webhook")]
    pub(crate) fn certificate(&self) -> CertificateMetrics {
        self.webhooks(webhook::Families::certificate)
    }

    /// Returns the gauge of the memory for bodies of admission requests.
    #[cfg(feature = "webhook")]
    pub(crate) fn body_bytes(&self) -> prometheus_client::metrics::gauge::Gauge {
        self.webhooks(webhook::Families::body_bytes)
    }

    #[cfg(feature = "webhook")]
    fn webhooks<T>(&self, of: impl FnOnce(&webhook::Families) -> T) -> T {
        let mut state = self.state();
        let State {
            registry, webhook, ..
        } = &mut *state;
        of(webhook.get_or_insert_with(|| webhook::Families::register(registry)))
    }

    pub(crate) fn refresh_with(&self, refresher: Weak<dyn Refresh>) {
        self.state().refreshers.push(refresher);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// The label `name`.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Named {
    name: String,
}

impl Named {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
        }
    }
}
