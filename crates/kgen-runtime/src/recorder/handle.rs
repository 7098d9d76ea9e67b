//! The recorder that reconcilers hold.

use std::fmt;
use std::sync::Arc;

use k8s_openapi::api::core::v1::ObjectReference;
use kube::{Client, Resource};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::event::{EventType, Occurrence, Source};
use super::fake::FakeEvents;
use super::writer::EventWriter;
use crate::clock::{Clock, SystemClock};
use crate::metrics::{Metrics, RecorderMetrics};

/// So many events wait to be written at most.
const QUEUE: usize = 1000;

/// Tells people what happened to an object. Cheap to clone.
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kgen_runtime::recorder::{EventType, Recorder};
///
/// fn reconcile(object: &ConfigMap, recorder: &Recorder) {
///     recorder.event(object, EventType::Normal, "Synced", "ConfigMap synced successfully");
/// }
///
/// // In tests. In `main`: `let (recorder, writer) = Recorder::builder(client, "my-operator").start();`
/// let (recorder, mut events) = Recorder::fake();
/// reconcile(&ConfigMap::default(), &recorder);
/// assert_eq!(events.take(), ["Normal Synced ConfigMap synced successfully"]);
/// ```
#[derive(Clone)]
pub struct Recorder {
    queue: mpsc::Sender<Occurrence>,
    clock: Arc<dyn Clock>,
    metrics: RecorderMetrics,
}

impl Recorder {
    /// A recorder that writes events in the name of `component`, mostly the operator's name.
    pub fn builder(client: Client, component: impl Into<String>) -> Builder {
        Builder {
            client,
            source: Source {
                component: component.into(),
                host: None,
            },
            clock: Arc::new(SystemClock),
            metrics: None,
            queue: QUEUE,
        }
    }

    /// A recorder for tests, and what it records. At most 1000 events are kept.
    pub fn fake() -> (Self, FakeEvents) {
        let (recorder, events) = Self::new(QUEUE, Arc::new(SystemClock), RecorderMetrics::default());
        (recorder, FakeEvents::new(events))
    }

    fn new(
        queue: usize,
        clock: Arc<dyn Clock>,
        metrics: RecorderMetrics,
    ) -> (Self, mpsc::Receiver<Occurrence>) {
        let (sender, receiver) = mpsc::channel(queue.max(1));
        (
            Self {
                queue: sender,
                clock,
                metrics,
            },
            receiver,
        )
    }

    /// Records something that happened to `object`. Never waits; if too many events are waiting to be written, drops this one.
    pub fn event<K>(&self, object: &K, event_type: EventType, reason: &str, message: impl Into<String>)
    where
        K: Resource,
        K::DynamicType: Default,
    {
        let regarding = ObjectReference {
            resource_version: object.meta().resource_version.clone(),
            ..object.object_ref(&K::DynamicType::default())
        };
        self.event_regarding(regarding, event_type, reason, message);
    }

    /// As [`Self::event`], for an object of which only a reference is at hand.
    pub fn event_regarding(
        &self,
        regarding: ObjectReference,
        event_type: EventType,
        reason: &str,
        message: impl Into<String>,
    ) {
        let occurrence = Occurrence {
            regarding,
            event_type,
            reason: reason.to_owned(),
            message: message.into(),
            time: self.clock.now(),
        };
        let (why, occurrence) = match self.queue.try_send(occurrence) {
            Ok(()) => return,
            Err(TrySendError::Full(occurrence)) => ("too many are waiting", occurrence),
            Err(TrySendError::Closed(occurrence)) => ("nobody writes them any more", occurrence),
        };
        self.metrics.dropped.inc();
        tracing::warn!(%occurrence, why, "event dropped");
    }

    /// How many events were dropped because too many were waiting, or because the writer had ended.
    pub fn dropped(&self) -> u64 {
        self.metrics.dropped.get()
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Recorder")
            .field("dropped", &self.dropped())
            .finish_non_exhaustive()
    }
}

/// A recorder in the making.
#[must_use]
pub struct Builder {
    client: Client,
    source: Source,
    clock: Arc<dyn Clock>,
    metrics: Option<Metrics>,
    queue: usize,
}

impl Builder {
    /// The machine that the events come from, mostly left out.
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.source.host = Some(host.into());
        self
    }

    /// Where the times in events come from.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Where the metrics go.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.metrics = Some(metrics.clone());
        self
    }

    /// How many events may wait to be written, in place of 1000.
    pub fn queue(mut self, queue: usize) -> Self {
        self.queue = queue;
        self
    }

    /// Starts the task that writes the events. Needs a tokio runtime. The task ends when the writer is shut down or the last
    /// clone of the recorder is dropped.
    pub fn start(self) -> (Recorder, EventWriter) {
        let metrics = match &self.metrics {
            Some(metrics) => metrics.recorder(&self.source.component),
            None => RecorderMetrics::default(),
        };
        let (recorder, queue) = Recorder::new(self.queue, self.clock, metrics.clone());
        let writer = EventWriter::start(self.client, self.source, queue, metrics);
        (recorder, writer)
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Builder")
            .field("source", &self.source)
            .field("queue", &self.queue)
            .finish_non_exhaustive()
    }
}
