//! Views of an informer that leave out events: of unimportant changes, or of unimportant objects.

use std::fmt;
use std::future::{Future, Ready, ready};
use std::ops::BitOr;
use std::sync::Arc;

use futures::future::Either;
use kube::Resource;
use serde::Serialize;

use super::{Event, Informer, Lister, Registration, Watchable};

/// The parts of an object whose changes matter. Combine them with `|`.
///
/// ```
/// use kgen_runtime::informer::Changed;
///
/// let changed = Changed::GENERATION | Changed::LABELS;
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[must_use]
pub struct Changed(u16);

impl Changed {
    /// `metadata.generation`, which the API server increases when the spec changes, and [`Changed::DELETION`].
    ///
    /// It misses changes of annotations, labels, finalizers and the status. Kinds without a generation, such as ConfigMaps,
    /// need [`Changed::VERSION`].
    pub const GENERATION: Self = Self(1 | Self::DELETION.0);
    /// `metadata.labels`.
    pub const LABELS: Self = Self(1 << 1);
    /// `metadata.annotations`.
    pub const ANNOTATIONS: Self = Self(1 << 2);
    /// `metadata.finalizers`.
    pub const FINALIZERS: Self = Self(1 << 3);
    /// `metadata.ownerReferences`.
    pub const OWNERS: Self = Self(1 << 4);
    /// The status.
    pub const STATUS: Self = Self(1 << 5);
    /// `metadata.resourceVersion`: any change.
    pub const VERSION: Self = Self(1 << 6);
    /// `metadata.deletionTimestamp` was set, so finalizers must run.
    pub const DELETION: Self = Self(1 << 7);

    fn has(self, part: Self) -> bool {
        self.0 & part.0 == part.0
    }

    /// Returns whether any of these parts differs between two versions of an object.
    pub fn is_in<K: Resource + Serialize>(self, old: &K, new: &K) -> bool {
        let (before, after) = (old.meta(), new.meta());
        let deletion = || before.deletion_timestamp.is_none() && after.deletion_timestamp.is_some();
        (self.has(Self::VERSION) && before.resource_version != after.resource_version)
            || (self.has(Self::GENERATION) && before.generation != after.generation)
            || (self.has(Self::DELETION) && deletion())
            || (self.has(Self::LABELS) && before.labels != after.labels)
            || (self.has(Self::ANNOTATIONS) && before.annotations != after.annotations)
            || (self.has(Self::FINALIZERS) && before.finalizers != after.finalizers)
            || (self.has(Self::OWNERS) && before.owner_references != after.owner_references)
            || (self.has(Self::STATUS) && status(old) != status(new))
    }
}

impl BitOr for Changed {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Returns the status as JSON. The types of kinds do not have a common trait for it.
fn status<K: Serialize>(object: &K) -> Option<serde_json::Value> {
    let mut object = serde_json::to_value(object).ok()?;
    object
        .get_mut("status")
        .map(serde_json::Value::take)
        .filter(|status| !status.is_null())
}

type Filter<K> = Arc<dyn Fn(&Event<K>) -> bool + Send + Sync>;

/// A view of an informer whose handlers get only some events. It has the cache and the watch of the informer.
///
/// [`Informer::changed`] and [`Informer::only`] return it. If it has several filters, an event must pass all of them.
pub struct Filtered<K> {
    informer: Informer<K>,
    filters: Vec<Filter<K>>,
}

impl<K: Watchable> Filtered<K> {
    /// See [`Informer::changed`].
    #[must_use]
    pub fn changed(&self, changed: Changed) -> Self
    where
        K: Serialize,
    {
        self.with(move |event| match event {
            Event::Updated { old, new } => event.is_resync() || changed.is_in(&**old, &**new),
            _ => true,
        })
    }

    /// See [`Informer::only`].
    #[must_use]
    pub fn only(&self, matches: impl Fn(&K) -> bool + Send + Sync + 'static) -> Self {
        self.with(move |event| match event {
            Event::Updated { old, new } => matches(new) || matches(old),
            event => matches(event.object()),
        })
    }

    fn with(&self, filter: impl Fn(&Event<K>) -> bool + Send + Sync + 'static) -> Self {
        let mut filtered = self.clone();
        filtered.filters.push(Arc::new(filter));
        filtered
    }

    /// Returns a lister for the cache of the informer, which has all objects.
    #[must_use]
    pub fn lister(&self) -> Lister<K> {
        self.informer.lister()
    }

    /// Like [`Informer::add_handler`], for the events that pass.
    pub fn add_handler<H, F>(&self, mut handler: H) -> Registration
    where
        H: FnMut(Event<K>) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let filters = self.filters.clone();
        self.informer.add_handler(move |event| -> Either<F, Ready<()>> {
            if filters.iter().all(|filter| filter(&event)) {
                Either::Left(handler(event))
            } else {
                Either::Right(ready(()))
            }
        })
    }
}

impl<K: Watchable> Informer<K> {
    /// Returns a view of this informer without updates that change none of these parts. Additions, deletions and resyncs
    /// always pass.
    ///
    /// ```
    /// use k8s_openapi::api::apps::v1::Deployment;
    /// use kgen_runtime::informer::{Changed, Filtered};
    /// use kgen_runtime::Informer;
    ///
    /// fn without_status(deployments: &Informer<Deployment>) -> Filtered<Deployment> {
    ///     deployments.changed(Changed::GENERATION | Changed::LABELS)
    /// }
    /// ```
    #[must_use]
    pub fn changed(&self, changed: Changed) -> Filtered<K>
    where
        K: Serialize,
    {
        self.filtered().changed(changed)
    }

    /// Returns a view of this informer with only those objects that match before or after a change. So handlers also learn when
    /// an object stops to match. Resyncs replay only objects that match.
    #[must_use]
    pub fn only(&self, matches: impl Fn(&K) -> bool + Send + Sync + 'static) -> Filtered<K> {
        self.filtered().only(matches)
    }
}

/// An informer, or a view of one. A [`Controller`](crate::manager::Controller) can watch both.
pub trait EventSource: sealed::Sealed {
    /// The type of the objects.
    type Object: Watchable;

    /// Returns the view.
    fn filtered(&self) -> Filtered<Self::Object>;
}

impl<K: Watchable> EventSource for Informer<K> {
    type Object = K;

    fn filtered(&self) -> Filtered<K> {
        Filtered {
            informer: self.clone(),
            filters: Vec::new(),
        }
    }
}

impl<K: Watchable> EventSource for Filtered<K> {
    type Object = K;

    fn filtered(&self) -> Filtered<K> {
        self.clone()
    }
}

mod sealed {
    pub trait Sealed {}
    impl<K> Sealed for super::Informer<K> {}
    impl<K> Sealed for super::Filtered<K> {}
}

// Not derived, because a derive would require `K: Clone`.
impl<K> Clone for Filtered<K> {
    fn clone(&self) -> Self {
        Self {
            informer: self.informer.clone(),
            filters: self.filters.clone(),
        }
    }
}

impl<K> fmt::Debug for Filtered<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Filtered")
            .field("informer", &self.informer)
            .field("filters", &self.filters.len())
            .finish()
    }
}
