//! The metrics of the event recorder. client-go does not have any, so lost events go unnoticed there.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::Named;

/// The metrics of one recorder.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecorderMetrics {
    pub(crate) written: Counter,
    pub(crate) dropped: Counter,
    pub(crate) filtered: Counter,
    pub(crate) failed: Counter,
}

/// The metrics of all recorders, by component.
pub(super) struct Families {
    written: Family<Named, Counter>,
    dropped: Family<Named, Counter>,
    filtered: Family<Named, Counter>,
    failed: Family<Named, Counter>,
}

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            written: Family::default(),
            dropped: Family::default(),
            filtered: Family::default(),
            failed: Family::default(),
        };
        registry.register(
            "event_recorder_written",
            "Events created or counted up",
            families.written.clone(),
        );
        registry.register(
            "event_recorder_dropped",
            "Events dropped because the queue was full or closed",
            families.dropped.clone(),
        );
        registry.register(
            "event_recorder_filtered",
            "Events dropped because their object had too many",
            families.filtered.clone(),
        );
        registry.register(
            "event_recorder_failed",
            "Events that the API refused or that could not be sent",
            families.failed.clone(),
        );
        families
    }

    pub(super) fn of(&self, name: &str) -> RecorderMetrics {
        let name = Named::new(name);
        RecorderMetrics {
            written: self.written.get_or_create_owned(&name),
            dropped: self.dropped.get_or_create_owned(&name),
            filtered: self.filtered.get_or_create_owned(&name),
            failed: self.failed.get_or_create_owned(&name),
        }
    }
}
