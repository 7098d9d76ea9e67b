//! Decides what to do with an occurrence, depending on earlier ones: create an event, increase a count, or drop it.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::time::Duration;

use k8s_openapi::api::core::v1::ObjectReference;
use lru::LruCache;
use tokio::time::Instant;

use super::event::{EventType, Occurrence, Written, new_name};
use crate::queue::TokenBucket;

/// The number of keys of each kind that are remembered; the least recently used ones are forgotten first.
const REMEMBERED: NonZeroUsize = NonZeroUsize::MIN.saturating_add(4095);
/// The number of different messages from which on they are combined.
const DIFFERENT_MESSAGES: usize = 10;
/// Messages that are further apart are not related.
const TOGETHER: Duration = Duration::from_secs(600);
const COMBINED: &str = "(combined from similar events): ";
const SPAM_BURST: u32 = 25;
const SPAM_REFILL: Duration = Duration::from_secs(300);

/// The memory of one recorder. All its events have the same source, so the source is not part of the keys.
pub(super) struct Correlator {
    messages: LruCache<Similar, Messages>,
    written: LruCache<Same, Written>,
    allowance: LruCache<(Object, EventType), TokenBucket>,
    /// Names contain the time; two events must not have the same name.
    last_nanosecond: i128,
}

/// The decision about an occurrence.
#[derive(Debug)]
pub(super) struct Correlated {
    pub(super) message: String,
    pub(super) written: Written,
    /// The event was there before.
    pub(super) again: bool,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct Object {
    api_version: Option<String>,
    kind: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
    uid: Option<String>,
    field_path: Option<String>,
}

/// Events that may be combined.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct Similar {
    object: Object,
    event_type: EventType,
    reason: String,
}

/// Events that are counted as one: events with the same message, or combined events (without a message).
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct Same {
    similar: Similar,
    message: Option<String>,
}

struct Messages {
    different: Vec<String>,
    last: Instant,
}

impl Correlator {
    pub(super) fn new() -> Self {
        Self {
            messages: LruCache::new(REMEMBERED),
            written: LruCache::new(REMEMBERED),
            allowance: LruCache::new(REMEMBERED),
            last_nanosecond: 0,
        }
    }

    /// Returns `None` if the object has had too many events.
    pub(super) fn correlate(&mut self, occurrence: &Occurrence) -> Option<Correlated> {
        let object = Object::from(&occurrence.regarding);
        let similar = Similar {
            object: object.clone(),
            event_type: occurrence.event_type,
            reason: occurrence.reason.clone(),
        };
        let combined = self.is_combined(&similar, &occurrence.message);
        let (message, key) = if combined {
            (
                format!("{COMBINED}{}", occurrence.message),
                Same {
                    similar,
                    message: None,
                },
            )
        } else {
            (
                occurrence.message.clone(),
                Same {
                    similar,
                    message: Some(occurrence.message.clone()),
                },
            )
        };
        let correlated = self.count(key, message, occurrence);
        self.is_allowed(object, occurrence.event_type)
            .then_some(correlated)
    }

    fn is_combined(&mut self, similar: &Similar, message: &str) -> bool {
        let now = Instant::now();
        let record = self.messages.get_or_insert_mut(similar.clone(), || Messages {
            different: Vec::new(),
            last: now,
        });
        if now.saturating_duration_since(record.last) > TOGETHER {
            record.different.clear();
        }
        record.last = now;
        if record.different.iter().any(|known| known == message) {
            return false;
        }
        // One message fewer than the limit is kept: the first messages are still counted separately.
        if record.different.len() + 1 < DIFFERENT_MESSAGES {
            record.different.push(message.to_owned());
            return false;
        }
        true
    }

    fn count(&mut self, key: Same, message: String, occurrence: &Occurrence) -> Correlated {
        if let Some(written) = self.written.get_mut(&key) {
            written.count = written.count.saturating_add(1);
            return Correlated {
                message,
                written: written.clone(),
                again: true,
            };
        }
        let nanosecond = occurrence.time.as_nanosecond().max(self.last_nanosecond + 1);
        self.last_nanosecond = nanosecond;
        let object = occurrence.regarding.name.as_deref().unwrap_or_default();
        let written = Written {
            name: new_name(object, nanosecond),
            count: 1,
            first: occurrence.time,
        };
        self.written.put(key, written.clone());
        Correlated {
            message,
            written,
            again: false,
        }
    }

    fn is_allowed(&mut self, object: Object, event_type: EventType) -> bool {
        let bucket = || TokenBucket::new(1.0 / SPAM_REFILL.as_secs_f64(), SPAM_BURST);
        self.allowance
            .get_or_insert_mut((object, event_type), bucket)
            .try_take()
    }
}

impl From<&ObjectReference> for Object {
    fn from(reference: &ObjectReference) -> Self {
        // Without the resource version: it is the same object after a change.
        Self {
            api_version: reference.api_version.clone(),
            kind: reference.kind.clone(),
            namespace: reference.namespace.clone(),
            name: reference.name.clone(),
            uid: reference.uid.clone(),
            field_path: reference.field_path.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn occurrence(object: &str, event_type: EventType, message: &str) -> Occurrence {
        Occurrence {
            regarding: ObjectReference {
                name: Some(object.into()),
                ..Default::default()
            },
            event_type,
            reason: "Synced".into(),
            message: message.into(),
            time: "2026-01-01T00:00:00Z".parse().unwrap(),
        }
    }

    fn normal(message: &str) -> Occurrence {
        occurrence("foo", EventType::Normal, message)
    }

    #[tokio::test(start_paused = true)]
    async fn the_tenth_message_is_combined() {
        let mut correlator = Correlator::new();
        for n in 1..=9 {
            let correlated = correlator.correlate(&normal(&format!("message {n}"))).unwrap();
            assert_eq!(
                (correlated.message, correlated.again),
                (format!("message {n}"), false)
            );
        }
        let tenth = correlator.correlate(&normal("message 10")).unwrap();
        assert_eq!(tenth.message, "(combined from similar events): message 10");
        assert!(!tenth.again);
        let eleventh = correlator.correlate(&normal("message 11")).unwrap();
        assert_eq!(eleventh.message, "(combined from similar events): message 11");
        assert!(eleventh.again);
        assert_eq!(
            (&eleventh.written.name, eleventh.written.count),
            (&tenth.written.name, 2)
        );

        // Known messages are still counted separately; other reasons or objects are not affected.
        assert_eq!(
            correlator.correlate(&normal("message 1")).unwrap().written.count,
            2
        );
        let other = Occurrence {
            reason: "Other".into(),
            ..normal("message 12")
        };
        assert_eq!(correlator.correlate(&other).unwrap().message, "message 12");
        let other = occurrence("bar", EventType::Normal, "message 12");
        assert_eq!(correlator.correlate(&other).unwrap().message, "message 12");
    }

    #[tokio::test(start_paused = true)]
    async fn messages_far_apart_are_not_combined() {
        let mut correlator = Correlator::new();
        for n in 1..=9 {
            correlator.correlate(&normal(&format!("message {n}"))).unwrap();
        }
        tokio::time::advance(Duration::from_secs(600)).await;
        let still = correlator.correlate(&normal("message 10")).unwrap();
        assert!(still.message.starts_with(COMBINED));
        tokio::time::advance(Duration::from_secs(601)).await;
        assert_eq!(
            correlator.correlate(&normal("message 11")).unwrap().message,
            "message 11"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn an_object_gets_25_events_and_one_more_every_300_s() {
        let mut correlator = Correlator::new();
        let allowed = (0..40)
            .filter(|_| correlator.correlate(&normal("again")).is_some())
            .count();
        assert_eq!(allowed, 25);
        let warning = occurrence("foo", EventType::Warning, "again");
        assert!(
            correlator.correlate(&warning).is_some(),
            "the types have limits of their own"
        );
        assert!(
            correlator
                .correlate(&occurrence("bar", EventType::Normal, "again"))
                .is_some()
        );

        tokio::time::advance(Duration::from_secs(299)).await;
        assert!(correlator.correlate(&normal("again")).is_none());
        tokio::time::advance(Duration::from_secs(1)).await;
        let counted = correlator.correlate(&normal("again")).unwrap();
        assert_eq!(counted.written.count, 42, "what was dropped is counted");
        assert!(correlator.correlate(&normal("again")).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn names_differ_even_if_the_clock_stands_still() {
        let mut correlator = Correlator::new();
        let first = correlator.correlate(&normal("one")).unwrap();
        let second = correlator.correlate(&normal("two")).unwrap();
        assert_ne!(first.written.name, second.written.name);
    }
}
