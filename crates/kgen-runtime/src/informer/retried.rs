//! Events on which a handler has panicked. They are not lost: the next event about the same object includes them. The
//! next resync, or a timer if there is none, repeats the others.

use std::collections::BTreeMap;
use std::time::Duration;

use kube::Resource;
use tokio::time::Instant;

use super::Event;
use super::event::UnreadableEvents;

/// When a handler without resync gets the events again on which it has panicked.
const WITHOUT_RESYNC: Duration = Duration::from_secs(600);

/// The events about one namespace and name on which a handler has panicked.
struct Missed<K, U> {
    /// The last deletion. An object that was created later does not replace it: it is another object.
    deleted: Option<Event<K, U>>,
    /// The last event after the deletion.
    newer: Option<Event<K, U>>,
}

impl<K, U> Missed<K, U> {
    fn into_events(self) -> impl Iterator<Item = Event<K, U>> {
        self.deleted.into_iter().chain(self.newer)
    }
}

/// The events on which one handler has panicked, by namespace and name of the object.
pub(super) struct Retried<K, U> {
    events: BTreeMap<(String, String), Missed<K, U>>,
    has_resync: bool,
    due: Option<Instant>,
}

impl<K: Resource, U: UnreadableEvents> Retried<K, U> {
    pub(super) fn new(has_resync: bool) -> Self {
        Self {
            events: BTreeMap::new(),
            has_resync,
            due: None,
        }
    }

    /// Remembers an event on which the handler has panicked.
    pub(super) fn add(&mut self, event: Event<K, U>) {
        let (namespace, name) = event.key();
        let key = (namespace.to_owned(), name.to_owned());
        let missed = self.events.entry(key).or_insert(Missed {
            deleted: None,
            newer: None,
        });
        if matches!(event, Event::Deleted { .. }) {
            missed.deleted = Some(event);
            missed.newer = None;
        } else {
            missed.newer = Some(event);
        }
        if !self.has_resync {
            self.due.get_or_insert_with(|| Instant::now() + WITHOUT_RESYNC);
        }
    }

    /// Returns the events to handle instead of `event`, in order. They include the missed events.
    pub(super) fn with_missed(&mut self, event: Event<K, U>) -> Vec<Event<K, U>> {
        if self.events.is_empty() {
            return vec![event];
        }
        let (namespace, name) = event.key();
        let Some(missed) = self.events.remove(&(namespace.to_owned(), name.to_owned())) else {
            return vec![event];
        };
        let event = match (missed.newer, event) {
            // The handler does not know the object yet.
            (Some(Event::Added { initial, .. }), Event::Updated { new: object, .. }) => {
                Event::Added { object, initial }
            }
            (Some(Event::Updated { old, .. }), Event::Updated { new, .. }) => Event::Updated { old, new },
            (_, event) => event,
        };
        missed.deleted.into_iter().chain([event]).collect()
    }

    /// Returns all remaining events, to be handled again.
    pub(super) fn take(&mut self) -> Vec<Event<K, U>> {
        self.due = None;
        let missed = std::mem::take(&mut self.events);
        missed.into_values().flat_map(Missed::into_events).collect()
    }

    /// Waits until the events should be handled again without a resync.
    pub(super) async fn due(&self) {
        match self.due {
            Some(due) => tokio::time::sleep_until(due).await,
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use k8s_openapi::api::core::v1::ConfigMap;

    use super::*;

    fn map(version: &str) -> Arc<ConfigMap> {
        let mut map = ConfigMap::default();
        map.metadata.name = Some("a".to_owned());
        map.metadata.resource_version = Some(version.to_owned());
        Arc::new(map)
    }

    fn updated(old: &str, new: &str) -> Event<ConfigMap> {
        Event::Updated {
            old: map(old),
            new: map(new),
        }
    }

    /// Letters for the kinds of the events, with the versions.
    fn words(events: &[Event<ConfigMap>]) -> Vec<String> {
        let version = |map: &Arc<ConfigMap>| map.metadata.resource_version.clone().unwrap_or_default();
        events
            .iter()
            .map(|event| match event {
                Event::Added { object, .. } => format!("added {}", version(object)),
                Event::Updated { old, new } => format!("updated {} to {}", version(old), version(new)),
                Event::Deleted { object, .. } => format!("deleted {}", version(object)),
                Event::Unreadable { object: never, .. } => match *never {},
            })
            .collect()
    }

    #[tokio::test]
    async fn the_next_event_includes_the_missed_one() {
        let added = Event::Added {
            object: map("1"),
            initial: false,
        };
        let deleted = Event::Deleted {
            object: map("3"),
            final_state_known: true,
        };
        for (missed, next, expected) in [
            (added.clone(), updated("1", "2"), &["added 2"][..]),
            (updated("1", "2"), updated("2", "3"), &["updated 1 to 3"]),
            (updated("1", "2"), deleted.clone(), &["deleted 3"]),
            (deleted, added, &["deleted 3", "added 1"]),
        ] {
            let mut retried = Retried::new(true);
            retried.add(missed);
            assert_eq!(words(&retried.with_missed(next)), expected);
            assert!(retried.take().is_empty());
        }
    }

    #[tokio::test]
    async fn a_missed_deletion_is_kept_beside_the_newer_event() {
        let deleted = Event::Deleted {
            object: map("3"),
            final_state_known: true,
        };
        let added = Event::Added {
            object: map("4"),
            initial: false,
        };
        let mut retried = Retried::new(true);
        retried.add(deleted.clone());
        retried.add(added.clone());
        let events = retried.with_missed(updated("4", "5"));
        assert_eq!(words(&events), ["deleted 3", "added 5"]);
        assert!(retried.take().is_empty());

        retried.add(deleted);
        retried.add(added);
        assert_eq!(words(&retried.take()), ["deleted 3", "added 4"]);
        assert!(retried.take().is_empty());
    }
}
