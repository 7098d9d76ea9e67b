//! Creates one shared informer per kind, scope and selector, and starts and stops all of them.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use futures::future::join_all;
use kube::Resource;
use kube::core::ApiResource;

pub(super) use super::builder::Settings;
use super::shared::{Managed, Watchable};
use super::{Informer, InformerFactoryBuilder, InformerOptions, SyncReport, SyncResult};
use crate::Connection;
use crate::discovery::Kind;

/// Creates and shares informers. Clones are cheap and share all state.
#[derive(Clone)]
pub struct InformerFactory {
    inner: Arc<Inner>,
}

struct Inner {
    connection: Connection,
    settings: Settings,
    registry: Mutex<Registry>,
}

#[derive(Default)]
struct Registry {
    /// The informers, by their resource and by the Rust type of their objects.
    informers: BTreeMap<Key, Entry>,
    /// Informers that ended unexpectedly or because the factory was shut down. Their caches were dropped.
    ended: BTreeMap<Key, SyncResult>,
    is_shut_down: bool,
}

type Key = (String, TypeId);

struct Entry {
    managed: Arc<dyn Managed>,
    /// The `Informer<K>`.
    informer: Box<dyn Any + Send + Sync>,
}

impl InformerFactory {
    /// Creates a factory for all namespaces, without resync.
    #[must_use]
    pub fn new(connection: &Connection) -> Self {
        Self::builder(connection).build()
    }

    /// Starts to configure a factory.
    pub fn builder(connection: &Connection) -> InformerFactoryBuilder {
        InformerFactoryBuilder::new(connection)
    }

    pub(super) fn with_settings(connection: Connection, settings: Settings) -> Self {
        Self {
            inner: Arc::new(Inner {
                connection,
                settings,
                registry: Mutex::default(),
            }),
        }
    }

    /// Returns the informer for `K` with the settings of this factory. The first call creates it, and the next
    /// [`InformerFactory::start`] starts it. Later calls return the same informer. After an informer was stopped, the next
    /// call creates a new one.
    #[must_use]
    pub fn informer<K: Watchable>(&self) -> Informer<K>
    where
        K::DynamicType: Default,
    {
        self.informer_with(InformerOptions::default())
    }

    /// Returns the informer for `K` with the namespaces and selectors of `options`.
    #[must_use]
    pub fn informer_with<K: Watchable>(&self, options: InformerOptions) -> Informer<K>
    where
        K::DynamicType: Default,
    {
        self.informer_for_resource(&K::DynamicType::default(), options)
    }

    /// Returns the informer for a resource that is known only at run time, for example for
    /// [`DynamicObject`](kube::core::DynamicObject).
    #[must_use]
    pub fn informer_for_resource<K: Watchable>(
        &self,
        resource: &K::DynamicType,
        mut options: InformerOptions,
    ) -> Informer<K> {
        options
            .namespaces
            .get_or_insert_with(|| self.inner.settings.namespaces.clone());
        let informer =
            Informer::<K>::with_settings(&self.inner.connection, resource, &options, &self.inner.settings);
        let key = (informer.name().to_owned(), TypeId::of::<K>());
        let mut registry = self.registry();
        if let Some(entry) = registry.informers.get(&key)
            && !entry.managed.is_stopped()
            && let Some(present) = entry.informer.downcast_ref::<Informer<K>>()
        {
            if !options.optional {
                present.require();
            }
            return present.clone();
        }
        registry.warn_of_two_caches(&informer);
        informer.belongs_to(WeakFactory(Arc::downgrade(&self.inner)));
        let entry = Entry {
            managed: Arc::new(informer.clone()),
            informer: Box::new(informer.clone()),
        };
        let (factory, ended) = (Arc::downgrade(&self.inner), key.clone());
        informer.on_end(Box::new(move |is_requested| {
            if let Some(factory) = factory.upgrade() {
                factory.informer_ended(&ended, is_requested);
            }
        }));
        registry.ended.remove(&key);
        let replaced = registry.informers.insert(key, entry);
        // It can be large, so it is dropped outside the lock.
        drop(registry);
        drop(replaced);
        informer
    }

    /// Returns the informer for a kind of the server that is known only at run time, with its scope.
    #[must_use]
    pub fn informer_of_kind<K>(&self, kind: &Kind) -> Informer<K>
    where
        K: Watchable + Resource<DynamicType = ApiResource>,
    {
        let options = InformerOptions::new().scope(kind.scope.clone());
        self.informer_for_resource(&kind.resource, options)
    }

    /// Starts every requested informer that is not running yet. Call it again after requesting more. Does nothing after
    /// [`InformerFactory::shutdown`].
    pub fn start(&self) {
        let registry = self.registry();
        if !registry.is_shut_down {
            registry
                .informers
                .values()
                .for_each(|entry| entry.managed.start());
        }
    }

    /// Waits until the first list of every started informer is in its cache, or the informer has stopped. It does not wait
    /// for handlers; see [`Registration::synced`](crate::Registration::synced).
    pub async fn wait_for_sync(&self) -> SyncReport {
        let (settled, ended) = {
            let registry = self.registry();
            let settled = registry.informers.values().map(|entry| entry.managed.settled());
            let ended: Vec<_> = registry.ended.values().cloned().collect();
            (settled.collect::<Vec<_>>(), ended)
        };
        let mut results = join_all(settled).await;
        results.extend(ended);
        SyncReport { results }
    }

    /// Returns the current state of every informer, with the reason why it has not synced.
    #[must_use]
    pub fn sync_report(&self) -> SyncReport {
        let registry = self.registry();
        let present = registry.informers.iter();
        let present = present.map(|(key, entry)| (key, entry.managed.sync_result()));
        let ended = registry.ended.iter().map(|(key, result)| (key, result.clone()));
        let results: BTreeMap<_, _> = ended.chain(present).collect();
        SyncReport {
            results: results.into_values().collect(),
        }
    }

    /// Waits until a handler, a transform or an index function has panicked ten times in a row, and returns a description. A
    /// program with such a handler should exit, as a [`Manager`](crate::manager::Manager) does.
    pub async fn broken(&self) -> String {
        self.inner.settings.broken.wait().await
    }

    /// Stops every informer, and waits until their tasks and the tasks of their handlers have ended. Informers cannot be
    /// started after that. A handler must not wait for this, because it would wait for itself.
    pub async fn shutdown(&self) {
        let ended: Vec<_> = {
            let mut registry = self.registry();
            registry.is_shut_down = true;
            registry
                .informers
                .values()
                .map(|entry| entry.managed.shutdown())
                .collect()
        };
        join_all(ended).await;
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.inner.connection
    }

    /// Forgets `informer` if it was not started and nobody else uses it.
    pub(super) fn forget_unused<K: Watchable>(&self, informer: Informer<K>) {
        let key = (informer.name().to_owned(), TypeId::of::<K>());
        let mut registry = self.registry();
        // The registry has two handles, and the third one is `informer`.
        if informer.is_unused(3) {
            let forgotten = registry.informers.remove(&key);
            drop(registry);
            drop(forgotten);
        }
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.inner.registry()
    }
}

/// A factory, for the informers that it owns.
#[derive(Clone)]
pub(super) struct WeakFactory(Weak<Inner>);

impl WeakFactory {
    pub(super) fn upgrade(&self) -> Option<InformerFactory> {
        Some(InformerFactory {
            inner: self.0.upgrade()?,
        })
    }
}

impl Registry {
    /// Warns if one kind is watched both with and without its content.
    fn warn_of_two_caches<K: Watchable>(&self, informer: &Informer<K>) {
        let (resource, is_metadata) = informer.watched();
        let is_other = |entry: &&Entry| {
            let (other, is_other_metadata) = entry.managed.watched();
            other == resource && is_other_metadata != is_metadata && !entry.managed.is_stopped()
        };
        if let Some(other) = self.informers.values().find(is_other) {
            tracing::warn!(
                informer = informer.name(),
                other = other.managed.name(),
                "the same objects are cached twice, as a whole and as metadata; the caches change at different times"
            );
        }
    }
}

impl Inner {
    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes an informer that has ended. Informers that ended unexpectedly are still reported.
    fn informer_ended(&self, key: &Key, is_requested: bool) {
        let entry = {
            let mut registry = self.registry();
            // A new informer can have replaced it.
            let is_stopped = |entry: &Entry| entry.managed.is_stopped();
            if !registry.informers.get(key).is_some_and(is_stopped) {
                return;
            }
            let Some(entry) = registry.informers.remove(key) else {
                return;
            };
            if registry.is_shut_down || !is_requested {
                registry.ended.insert(key.clone(), entry.managed.sync_result());
            }
            entry
        };
        drop(entry);
    }
}

impl fmt::Debug for InformerFactory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let registry = self.registry();
        let names: Vec<_> = registry.informers.keys().map(|(name, _)| name).collect();
        formatter
            .debug_struct("InformerFactory")
            .field("informers", &names)
            .finish_non_exhaustive()
    }
}
