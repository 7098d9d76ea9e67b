//! The events of handlers and streams.

use std::convert::Infallible;
use std::sync::Arc;

use kube::Resource;

use super::Unreadable;
use super::index::key;

/// A change of the cache. When the event arrives, the cache and its indexes already contain the change.
///
/// `U` determines whether there are events about objects that cannot be deserialized. By default there are none. With
/// [`Informer::with_unreadable`](crate::Informer::with_unreadable), `U` is an [`Unreadable`].
#[derive(Debug)]
pub enum Event<K, U = Infallible> {
    /// An object was added to the cache.
    Added {
        /// The object.
        object: Arc<K>,
        /// Whether the object existed before this handler or this watch started.
        initial: bool,
    },
    /// An object has changed, or a resync replays it. In a resync, `old` and `new` are the same [`Arc`].
    Updated {
        /// The previous version in the cache.
        old: Arc<K>,
        /// The new version in the cache.
        new: Arc<K>,
    },
    /// An object was deleted.
    Deleted {
        /// The last known state.
        object: Arc<K>,
        /// Whether this is the final state of the object. It is `false` if the watch missed the deletion and only a new list
        /// revealed it, or if the final state could not be deserialized. In that case, the last changes can be missing.
        final_state_known: bool,
    },
    /// The server has a version of an object that cannot be deserialized. The cache keeps the last readable version, if
    /// there is one. If such an object is deleted later, the event is `Deleted`.
    Unreadable {
        /// The object.
        object: U,
        /// Whether the object was deleted before the cache had a version of it.
        deleted: bool,
    },
}

impl<K> Event<K> {
    /// Returns the object in its newest known state.
    #[must_use]
    pub fn object(&self) -> &Arc<K> {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } | Self::Deleted { object, .. } => {
                object
            }
            Self::Unreadable { object: never, .. } => match *never {},
        }
    }

    /// Like [`Event::object`], but by value.
    #[must_use]
    pub fn into_object(self) -> Arc<K> {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } | Self::Deleted { object, .. } => {
                object
            }
            Self::Unreadable { object: never, .. } => match never {},
        }
    }
}

impl<K, U> Event<K, U> {
    /// Returns whether this event is a replay by a resync.
    #[must_use]
    pub fn is_resync(&self) -> bool {
        matches!(self, Self::Updated { old, new } if Arc::ptr_eq(old, new))
    }
}

impl<K: Resource, U: UnreadableEvents> Event<K, U> {
    /// Returns the namespace and name of the object. Cluster-scoped objects have an empty namespace.
    pub(super) fn key(&self) -> (&str, &str) {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } | Self::Deleted { object, .. } => {
                key(&**object)
            }
            Self::Unreadable { object, .. } => object.key(),
        }
    }
}

// Not derived, because a derive would require `K: Clone`.
impl<K, U: Clone> Clone for Event<K, U> {
    fn clone(&self) -> Self {
        match self {
            Self::Added { object, initial } => Self::Added {
                object: Arc::clone(object),
                initial: *initial,
            },
            Self::Updated { old, new } => Self::Updated {
                old: Arc::clone(old),
                new: Arc::clone(new),
            },
            Self::Deleted {
                object,
                final_state_known,
            } => Self::Deleted {
                object: Arc::clone(object),
                final_state_known: *final_state_known,
            },
            Self::Unreadable { object, deleted } => Self::Unreadable {
                object: object.clone(),
                deleted: *deleted,
            },
        }
    }
}

/// An event in the queue of a handler.
pub(crate) type AnyEvent<K> = Event<K, Arc<Unreadable>>;

/// Whether a handler gets events about unreadable objects: `Infallible` for no, `Arc<Unreadable>` for yes.
pub trait UnreadableEvents: sealed::Sealed + Clone + Send + Sync + Sized + 'static {
    /// Returns the event if it is of the kind that the handler gets.
    #[doc(hidden)]
    fn select<K>(event: Event<K, Arc<Unreadable>>) -> Option<Event<K, Self>>;

    /// Returns the namespace and name of an unreadable object.
    #[doc(hidden)]
    fn key(&self) -> (&str, &str);
}

impl UnreadableEvents for Infallible {
    fn select<K>(event: AnyEvent<K>) -> Option<Event<K, Self>> {
        match event {
            Event::Added { object, initial } => Some(Event::Added { object, initial }),
            Event::Updated { old, new } => Some(Event::Updated { old, new }),
            Event::Deleted {
                object,
                final_state_known,
            } => Some(Event::Deleted {
                object,
                final_state_known,
            }),
            Event::Unreadable { .. } => None,
        }
    }

    fn key(&self) -> (&str, &str) {
        match *self {}
    }
}

impl UnreadableEvents for Arc<Unreadable> {
    fn select<K>(event: AnyEvent<K>) -> Option<Event<K, Self>> {
        Some(event)
    }

    fn key(&self) -> (&str, &str) {
        Unreadable::key(self)
    }
}

mod sealed {
    use std::convert::Infallible;
    use std::sync::Arc;

    pub trait Sealed {}

    impl Sealed for Infallible {}
    impl Sealed for Arc<super::Unreadable> {}
}
