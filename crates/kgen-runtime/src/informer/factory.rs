//! One informer per kind, scope and selector, however many ask for it, and one place to start and end them all.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::join_all;

pub(super) use super::builder::Settings;
use super::shared::{Managed, Watchable};
use super::{Informer, InformerFactoryBuilder, InformerOptions, SyncReport, SyncResult};
use crate::Connection;

/// Hands out informers and shares them. Clones are cheap and share everything.
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
    /// By what they watch, and by the type that they watch it as.
    informers: BTreeMap<Key, Entry>,
    /// Informers that have ended although nobody wanted it, or because the factory was shut down. Their caches are gone.
    ended: BTreeMap<Key, SyncResult>,
    is_shut_down: bool,
}

type Key = (String, TypeId);

struct Entry {
    managed: Arc<dyn Managed>,
    /// The same `Informer<K>`, to be handed out again.
    informer: Box<dyn Any + Send + Sync>,
}

impl InformerFactory {
    /// A factory for all namespaces, without resync.
    #[must_use]
    pub fn new(connection: &Connection) -> Self {
        Self::builder(connection).build()
    }

    /// A factory with settings.
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

    /// The informer for `K` with the settings of this factory. The first call makes it, and it begins to work with the
    /// next [`InformerFactory::start`]; later calls return the same. The factory lets go of one that was stopped, and the next
    /// call makes a new one.
    #[must_use]
    pub fn informer<K: Watchable>(&self) -> Informer<K>
    where
        K::DynamicType: Default,
    {
        self.informer_with(InformerOptions::default())
    }

    /// The informer for `K` with namespaces or selectors of its own, where `options` have any.
    #[must_use]
    pub fn informer_with<K: Watchable>(&self, options: InformerOptions) -> Informer<K>
    where
        K::DynamicType: Default,
    {
        self.informer_for_resource(&K::DynamicType::default(), options)
    }

    /// The informer for a resource that is known only while the program runs, for example as
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
            return present.clone();
        }
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
        // What it holds may be large, and nobody should wait for that.
        drop(registry);
        drop(replaced);
        informer
    }

    /// Starts every informer that has been asked for and does not run yet. Call it again after asking for more. After
    /// [`InformerFactory::shutdown`] it does nothing.
    pub fn start(&self) {
        let registry = self.registry();
        if !registry.is_shut_down {
            registry
                .informers
                .values()
                .for_each(|entry| entry.managed.start());
        }
    }

    /// Waits until the first list of every started informer is in its cache, or the informer has stopped. Says nothing
    /// about handlers: [`Registration::synced`](crate::Registration::synced) does.
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

    /// How far every informer is now. When a wait takes too long, this says why.
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

    /// Waits until a handler, a transform or an index function of an informer has panicked ten times in a row, and returns a
    /// description. A program whose handlers do not work should end, as a [`Manager`](crate::manager::Manager) does.
    pub async fn broken(&self) -> String {
        self.inner.settings.broken.wait().await
    }

    /// Stops every informer and waits until their tasks, and those of their handlers, have ended. Nothing can be
    /// started after it. A handler must not wait for this, as it would wait for itself.
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

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.inner.registry()
    }
}

impl Inner {
    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets go of an informer that has ended. One that was stopped on request is forgotten; others are still reported.
    fn informer_ended(&self, key: &Key, is_requested: bool) {
        let entry = {
            let mut registry = self.registry();
            // A new one may have taken its place.
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
