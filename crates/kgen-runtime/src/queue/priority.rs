//! The level of a key in the queue.

use std::fmt;

use crate::Event;

/// The level of a key in a queue. Higher levels go first.
///
/// ```
/// use kgen_runtime::queue::{Priority, WorkQueue};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
/// let queue = WorkQueue::default();
/// queue.at(Priority::LOW).add("existed at startup");
/// queue.add("has changed");
/// queue.at(Priority(10)).add("is urgent");
/// assert_eq!(queue.get().await.map(|item| *item), Some("is urgent"));
/// assert_eq!(queue.get().await.map(|item| *item), Some("has changed"));
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Priority(pub i32);

impl Priority {
    /// The level of objects that exist at startup or that a resync replays: −100, as in controller-runtime.
    pub const LOW: Self = Self(-100);

    /// The default level.
    pub const NORMAL: Self = Self(0);

    /// Returns the level of an event: [`Priority::LOW`] if nothing has happened to the object, because the event is an
    /// initial one or a replay.
    pub fn of<K, U>(event: &Event<K, U>) -> Self {
        match event {
            Event::Added { initial: true, .. } => Self::LOW,
            event if event.is_resync() => Self::LOW,
            _ => Self::NORMAL,
        }
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
