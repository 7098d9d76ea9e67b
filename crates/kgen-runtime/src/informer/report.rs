//! Reports problems with single objects: in the log, as events and as metrics. Repeated panics of the user's functions are
//! reported by [`InformerFactory::broken`](crate::InformerFactory::broken).

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Resource;
use tokio::sync::watch;

use super::Unreadable;
use crate::metrics::{InformerMetrics, Metrics};
use crate::recorder::{EventType, Recorder};

/// After this many panics in a row, the cause is not the object.
const TOO_MANY_PANICS: u32 = 10;

/// The reason of the events about unreadable objects.
const REASON: &str = "Unreadable";

/// A signal that the user's functions panic repeatedly. Clones are the same signal.
#[derive(Clone)]
pub(super) struct BrokenSignal(watch::Sender<Option<String>>);

impl Default for BrokenSignal {
    fn default() -> Self {
        Self(watch::Sender::new(None))
    }
}

impl BrokenSignal {
    fn set(&self, what: impl FnOnce() -> String) {
        self.0.send_if_modified(|broken| {
            let first = broken.is_none();
            if first {
                *broken = Some(what());
            }
            first
        });
    }

    /// Waits until the signal is set, and returns its description.
    pub(super) async fn wait(&self) -> String {
        let mut receiver = self.0.subscribe();
        let what = receiver.wait_for(Option::is_some).await.map(|what| what.clone());
        match what {
            Ok(what) => what.unwrap_or_default(),
            // The sender is in `self`.
            Err(_) => std::future::pending().await,
        }
    }
}

/// Counts panics that no success interrupts.
#[derive(Debug, Default)]
pub(super) struct Streak(AtomicU32);

impl Streak {
    pub(super) fn interrupt(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Counts one panic, and returns whether there have been too many in a row.
    fn is_too_long(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) + 1 >= TOO_MANY_PANICS
    }
}

/// See the module.
pub(super) struct Reporter {
    /// The name of the informer.
    name: Arc<str>,
    /// The kind of the objects, for references to them.
    api_version: String,
    kind: String,
    metrics: InformerMetrics,
    recorder: Option<Recorder>,
    broken: BrokenSignal,
    /// Panics of transforms and index functions.
    objects: Streak,
}

impl Reporter {
    pub(super) fn new<K: Resource>(
        name: Arc<str>,
        resource: &K::DynamicType,
        metrics: Option<&Metrics>,
        recorder: Option<Recorder>,
        broken: BrokenSignal,
    ) -> Self {
        Self {
            metrics: metrics.map(|metrics| metrics.informer(&name)).unwrap_or_default(),
            api_version: K::api_version(resource).into_owned(),
            kind: K::kind(resource).into_owned(),
            name,
            recorder,
            broken,
            objects: Streak::default(),
        }
    }

    /// Returns a reporter that only writes to the log.
    pub(super) fn to_log(name: Arc<str>) -> Self {
        Self {
            name,
            api_version: String::new(),
            kind: String::new(),
            metrics: InformerMetrics::default(),
            recorder: None,
            broken: BrokenSignal::default(),
            objects: Streak::default(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn metrics(&self) -> &InformerMetrics {
        &self.metrics
    }

    /// Reports a version of an object that cannot be read. Call it once per version.
    pub(super) fn unreadable(&self, object: &Unreadable) {
        tracing::error!(
            informer = %self.name,
            namespace = object.namespace.as_deref().unwrap_or_default(),
            object = object.name,
            version = object.resource_version.as_deref().unwrap_or_default(),
            reason = object.reason,
            "cannot deserialize the object; skipping it"
        );
        let Some(recorder) = &self.recorder else { return };
        let regarding = ObjectReference {
            api_version: Some(self.api_version.clone()),
            kind: Some(self.kind.clone()),
            namespace: object.namespace.clone(),
            name: Some(object.name.clone()),
            uid: object.uid.clone(),
            resource_version: object.resource_version.clone(),
            field_path: None,
        };
        let message = format!("The operator cannot read this object: {}", object.reason);
        recorder.event_regarding(regarding, EventType::Warning, REASON, message);
    }

    /// Reports that an object can be read again.
    pub(super) fn readable_again(&self, (namespace, name): (&str, &str)) {
        tracing::info!(informer = %self.name, namespace, object = name, "the object is readable again");
    }

    /// Counts a panic of a transform or an index function. [`Reporter::unreadable`] reports the object.
    pub(super) fn object_panicked(&self, what: &str) {
        self.metrics.panics.inc();
        if self.objects.is_too_long() {
            self.broken
                .set(|| format!("{}: {what} {TOO_MANY_PANICS} times in a row", self.name));
        }
    }

    /// Records that an object was kept without a panic.
    pub(super) fn object_kept(&self) {
        self.objects.interrupt();
    }

    /// Reports a panic of a handler, whose panics are counted in `streak`.
    ///
    /// The report does not contain the panic message, which can quote the object and which the panic hook has printed.
    pub(super) fn handler_panicked(&self, (namespace, name): (&str, &str), streak: &Streak) {
        self.metrics.panics.inc();
        tracing::error!(
            informer = %self.name,
            namespace,
            object = name,
            "a handler panicked; the object will be handled again with its next change or resync"
        );
        if streak.is_too_long() {
            self.broken.set(|| {
                format!(
                    "{}: a handler has panicked {TOO_MANY_PANICS} times in a row",
                    self.name
                )
            });
        }
    }
}
