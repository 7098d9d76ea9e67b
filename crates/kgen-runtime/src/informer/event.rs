//! What a handler is told.

use std::convert::Infallible;
use std::sync::Arc;

use kube::Resource;

use super::Unreadable;
use super::index::key;

/// One change of the cache. The cache and its indexes already hold it when it arrives.
///
/// `U` says whether there can be events about objects that the Rust type cannot read. There are none unless a handler asks
/// for them, with [`Informer::with_unreadable`](crate::Informer::with_unreadable); then `U` is an [`Unreadable`].
#[derive(Debug)]
pub enum Event<K, U = Infallible> {
    /// An object is new to the cache.
    Added {
        /// The object.
        object: Arc<K>,
        /// Whether it was there before this handler or this watch began, rather than having been created since.
        initial: bool,
    },
    /// An object has changed, or is replayed by a resync: then `old` and `new` are the same [`Arc`].
    Updated {
        /// The object as the cache held it until now.
        old: Arc<K>,
        /// The object as the cache holds it.
        new: Arc<K>,
    },
    /// An object is gone.
    Deleted {
        /// The last state that is known.
        object: Arc<K>,
        /// Whether that is the state it was deleted in. It is not if the deletion fell into a gap of the watch and was only
        /// noticed by a new list, or if the last state could not be read: changes shortly before the deletion may be missing
        /// then.
        final_state_known: bool,
    },
    /// The server has a version of an object that cannot be read. The cache keeps the last version that could be read, if there
    /// was one. If the object is deleted later and the cache had a version of it, the event is `Deleted`.
    Unreadable {
        /// The object.
        object: U,
        /// Whether it has been deleted, and no version of it was ever in the cache.
        deleted: bool,
    },
}

impl<K> Event<K> {
    /// The object in question, in its newest known state.
    #[must_use]
    pub fn object(&self) -> &Arc<K> {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } | Self::Deleted { object, .. } => {
                object
            }
            Self::Unreadable { object: never, .. } => match *never {},
        }
    }

    /// [`Event::object`] by value.
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
    /// Whether this is a replay by a resync and not a change.
    #[must_use]
    pub fn is_resync(&self) -> bool {
        matches!(self, Self::Updated { old, new } if Arc::ptr_eq(old, new))
    }
}

impl<K: Resource, U: UnreadableEvents> Event<K, U> {
    /// Namespace and name of the object, with the empty namespace for objects of the cluster.
    pub(super) fn key(&self) -> (&str, &str) {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } | Self::Deleted { object, .. } => {
                key(&**object)
            }
            Self::Unreadable { object, .. } => object.key(),
        }
    }
}

// By hand, because a derive would ask for `K: Clone`.
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

/// An event as informers send it.
pub(crate) type AnyEvent<K> = Event<K, Arc<Unreadable>>;

/// Whether a handler gets events about unreadable objects: `Infallible` for no, `Arc<Unreadable>` for yes.
pub trait UnreadableEvents: sealed::Sealed + Clone + Send + Sync + Sized + 'static {
    /// Returns the event if it is of the kind that the handler gets.
    #[doc(hidden)]
    fn select<K>(event: Event<K, Arc<Unreadable>>) -> Option<Event<K, Self>>;

    /// Namespace and name of an unreadable object.
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
