//! What a handler is told.

use std::sync::Arc;

/// One change of the cache. The cache and its indexes already hold it when it arrives.
#[derive(Debug)]
pub enum Event<K> {
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
        /// Whether that is the state it was deleted in. It is not when the deletion fell into a gap of the watch and was
        /// only noticed by a new list: changes shortly before the deletion may be missing then.
        final_state_known: bool,
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
        }
    }

    /// [`Event::object`] by value.
    #[must_use]
    pub fn into_object(self) -> Arc<K> {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } | Self::Deleted { object, .. } => {
                object
            }
        }
    }

    /// Whether this is a replay by a resync and not a change.
    #[must_use]
    pub fn is_resync(&self) -> bool {
        matches!(self, Self::Updated { old, new } if Arc::ptr_eq(old, new))
    }
}

// By hand, because a derive would ask for `K: Clone`.
impl<K> Clone for Event<K> {
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
        }
    }
}
