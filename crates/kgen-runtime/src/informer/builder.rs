//! The settings of an informer factory.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use kube::Resource;
use kube::runtime::watcher;

use super::InformerFactory;
use super::report::BrokenSignal;
use super::run::Transform;
use crate::Connection;
use crate::metrics::Metrics;
use crate::recorder::Recorder;

/// The settings that all informers of a factory share.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) namespaces: BTreeSet<String>,
    pub(super) resync: Option<Duration>,
    tweak: Option<Box<dyn Fn(watcher::Config) -> watcher::Config + Send + Sync>>,
    drop_managed_fields: bool,
    /// A [`Transform`] for each type that has one.
    transforms: BTreeMap<TypeId, Box<dyn Any + Send + Sync>>,
    pub(super) recorder: Option<Recorder>,
    pub(super) metrics: Option<Metrics>,
    pub(super) broken: BrokenSignal,
}

impl Settings {
    pub(super) fn config(&self) -> watcher::Config {
        let config = watcher::Config::default();
        self.tweak
            .as_ref()
            .map_or_else(|| config.clone(), |tweak| tweak(config.clone()))
    }

    /// Returns all transforms of objects of type `K`.
    pub(super) fn transform<K: Resource + 'static>(&self) -> Option<Transform<K>> {
        let own = self
            .transforms
            .get(&TypeId::of::<K>())
            .and_then(|own| own.downcast_ref::<Transform<K>>())
            .cloned();
        match (self.drop_managed_fields, own) {
            (false, own) => own,
            (true, None) => Some(Arc::new(|object: &mut K| object.meta_mut().managed_fields = None)),
            (true, Some(own)) => Some(Arc::new(move |object: &mut K| {
                object.meta_mut().managed_fields = None;
                own(object);
            })),
        }
    }
}

/// Settings for an [`InformerFactory`].
///
/// ```no_run
/// use std::time::Duration;
/// use k8s_openapi::api::core::v1::Secret;
/// use kgen_runtime::{Connection, InformerFactory};
///
/// # fn example(connection: &Connection) {
/// let factory = InformerFactory::builder(connection)
///     .namespaces(["shop", "billing"])
///     .resync(Duration::from_secs(600))
///     .tweak(|config| config.labels("app.kubernetes.io/part-of=shop").page_size(100))
///     .transform::<Secret>(|secret| secret.data = None)
///     .drop_managed_fields()
///     .build();
/// # }
/// ```
#[must_use = "a builder does nothing until `build`"]
pub struct InformerFactoryBuilder {
    connection: Connection,
    settings: Settings,
}

impl InformerFactoryBuilder {
    pub(super) fn new(connection: &Connection) -> Self {
        Self {
            connection: connection.clone(),
            settings: Settings::default(),
        }
    }

    /// Watches only these namespaces, with one watch per namespace. The default is all namespaces. Repeated calls add
    /// namespaces. Cluster-scoped kinds ignore this setting.
    pub fn namespaces<N: Into<String>>(mut self, namespaces: impl IntoIterator<Item = N>) -> Self {
        self.settings
            .namespaces
            .extend(namespaces.into_iter().map(Into::into));
        self
    }

    /// Replays the cache to every handler once per `period`, unless the handler has its own period. Zero means never, which
    /// is the default.
    pub fn resync(mut self, period: Duration) -> Self {
        self.settings.resync = (!period.is_zero()).then_some(period);
        self
    }

    /// Changes the settings of lists and watches: selectors, page size, streaming lists. A watch with its own timeout detects
    /// a dead connection 3 s after that timeout; otherwise, within a minute.
    pub fn tweak(
        mut self,
        tweak: impl Fn(watcher::Config) -> watcher::Config + Send + Sync + 'static,
    ) -> Self {
        self.settings.tweak = Some(Box::new(tweak));
        self
    }

    /// Changes every object of type `K` before the cache and the handlers see it, for example to remove large fields. An
    /// object on which `transform` panics is left out and reported, like one that cannot be deserialized.
    /// Deserialized lists have unused capacity; `|object| *object = object.clone()` frees it, at the cost of a copy.
    pub fn transform<K: Resource + 'static>(
        mut self,
        transform: impl Fn(&mut K) + Send + Sync + 'static,
    ) -> Self {
        let transform: Transform<K> = Arc::new(transform);
        self.settings
            .transforms
            .insert(TypeId::of::<K>(), Box::new(transform));
        self
    }

    /// Removes `metadata.managedFields` from every object. They are large, and few programs read them.
    pub fn drop_managed_fields(mut self) -> Self {
        self.settings.drop_managed_fields = true;
        self
    }

    /// Records an event for each object that cannot be deserialized. `kubectl describe` shows it.
    pub fn recorder(mut self, recorder: &Recorder) -> Self {
        self.settings.recorder = Some(recorder.clone());
        self
    }

    /// Counts unreadable objects (`informer_unreadable_objects`) and panics (`informer_handler_panics_total`), by informer.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.settings.metrics = Some(metrics.clone());
        self
    }

    /// Builds the factory.
    #[must_use]
    pub fn build(self) -> InformerFactory {
        InformerFactory::with_settings(self.connection, self.settings)
    }
}

impl fmt::Debug for InformerFactoryBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("InformerFactoryBuilder")
            .field("namespaces", &self.settings.namespaces)
            .field("resync", &self.settings.resync)
            .finish_non_exhaustive()
    }
}
