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

/// The default size of the queue.
const QUEUE: usize = 1000;

/// Records events about objects. Cheap to clone.
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
    /// Starts to configure a recorder. `component` is the source of its events, usually the name of the operator.
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

    /// Returns a recorder for tests, and its events. It keeps at most 1000 events.
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

    /// Records an event about `object`. Never waits; if the queue is full, drops the event.
    pub fn event<K>(&self, object: &K, event_type: EventType, reason: &str, message: impl Into<String>)
    where
        K: Resource,
        K::DynamicType: Default,
    {
        self.event_of_kind(&K::DynamicType::default(), object, event_type, reason, message);
    }

    /// Like [`Self::event`], for a type whose kind is known only at run time, such as
    /// [`DynamicObject`](kube::core::DynamicObject).
    pub fn event_of_kind<K: Resource>(
        &self,
        kind: &K::DynamicType,
        object: &K,
        event_type: EventType,
        reason: &str,
        message: impl Into<String>,
    ) {
        let regarding = ObjectReference {
            resource_version: object.meta().resource_version.clone(),
            ..object.object_ref(kind)
        };
        self.event_regarding(regarding, event_type, reason, message);
    }

    /// Like [`Self::event`], with a reference to the object.
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
            Err(TrySendError::Full(occurrence)) => ("the queue is full", occurrence),
            Err(TrySendError::Closed(occurrence)) => ("the writer has ended", occurrence),
        };
        self.metrics.dropped.inc();
        tracing::warn!(%occurrence, why, "event dropped");
    }

    /// Returns the number of events that were dropped because the queue was full or the writer had ended.
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

/// Builds a [`Recorder`].
#[must_use]
pub struct Builder {
    client: Client,
    source: Source,
    clock: Arc<dyn Clock>,
    metrics: Option<Metrics>,
    queue: usize,
}

impl Builder {
    /// Sets the host of the event source, which is usually not set.
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.source.host = Some(host.into());
        self
    }

    /// Sets the clock for the times in events.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sets the registry of the metrics.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.metrics = Some(metrics.clone());
        self
    }

    /// Sets the size of the queue. The default is 1000.
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
