//! Objects that end by themselves: Events after an hour.

use std::sync::Arc;

use k8s_openapi::jiff::Timestamp;

use crate::meta;
use crate::state::State;

/// Seconds that an Event is kept.
const EVENT_LIFETIME: i64 = 3600;

/// Removes Events that are older than an hour.
pub(crate) fn expire_events(state: &mut State) {
    let now = state.clock.now().as_second();
    for resource in ["events", "events.events.k8s.io"] {
        let expired: Vec<String> = state
            .store
            .list(resource, "")
            .filter(|(_, stored)| {
                let created = meta::text(&stored.object, "creationTimestamp").parse::<Timestamp>();
                created.is_ok_and(|created| now - created.as_second() >= EVENT_LIFETIME)
            })
            .map(|(key, _)| key.clone())
            .collect();
        let resource: Arc<str> = Arc::from(resource);
        for key in expired {
            state.store.remove(&resource, &key);
        }
    }
}
