//! The metrics of informers. client-go does not have any.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::Named;

type Seconds = Gauge<f64, AtomicU64>;

/// The metrics of one informer.
#[derive(Clone, Debug, Default)]
pub(crate) struct InformerMetrics {
    pub(crate) unreadable: Gauge,
    pub(crate) panics: Counter,
    pub(crate) lists: Counter,
    pub(crate) broken_watches: Counter,
    present: Option<Present>,
}

/// Metrics that exist while the informer runs.
#[derive(Clone, Debug)]
struct Present {
    informer: Named,
    objects: Family<Named, Gauge>,
    idle: Family<Named, Seconds>,
    waiting: Family<Handler, Gauge>,
}

/// The informer, and the number of the handler.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Handler {
    name: String,
    handler: u64,
}

impl InformerMetrics {
    /// Shows the number of objects, and the time since the last event.
    pub(crate) fn show(&self, objects: usize, idle: Duration) {
        if let Some(present) = &self.present {
            let objects = i64::try_from(objects).unwrap_or(i64::MAX);
            present
                .objects
                .get_or_create_owned(&present.informer)
                .set(objects);
            present
                .idle
                .get_or_create_owned(&present.informer)
                .set(idle.as_secs_f64());
        }
    }

    /// Returns the length of the queue of a new handler.
    pub(crate) fn handler(&self, handler: u64) -> Gauge {
        let Some(present) = &self.present else {
            return Gauge::default();
        };
        let gauge = present.waiting.get_or_create_owned(&present.handler(handler));
        // Another informer of this name can have ended.
        gauge.set(0);
        gauge
    }

    pub(crate) fn handler_ended(&self, handler: u64) {
        if let Some(present) = &self.present {
            present.waiting.remove(&present.handler(handler));
        }
    }

    /// Removes the metrics of an informer that has ended. The counters stay.
    pub(crate) fn ended(&self) {
        if let Some(present) = &self.present {
            present.objects.remove(&present.informer);
            present.idle.remove(&present.informer);
        }
    }
}

impl Present {
    fn handler(&self, handler: u64) -> Handler {
        Handler {
            name: self.informer.name.clone(),
            handler,
        }
    }
}

/// The metrics of all informers, by name.
pub(super) struct Families {
    unreadable: Family<Named, Gauge>,
    panics: Family<Named, Counter>,
    lists: Family<Named, Counter>,
    broken_watches: Family<Named, Counter>,
    objects: Family<Named, Gauge>,
    idle: Family<Named, Seconds>,
    waiting: Family<Handler, Gauge>,
}

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            unreadable: Family::default(),
            panics: Family::default(),
            lists: Family::default(),
            broken_watches: Family::default(),
            objects: Family::default(),
            idle: Family::default(),
            waiting: Family::default(),
        };
        registry.register(
            "informer_unreadable_objects",
            "Objects on the server that the program cannot read at present",
            families.unreadable.clone(),
        );
        registry.register(
            "informer_handler_panics",
            "Panics of handlers, mappers, transforms and index functions",
            families.panics.clone(),
        );
        registry.register("informer_lists", "Complete lists so far", families.lists.clone());
        registry.register(
            "informer_broken_watches",
            "Watches that ended with an error",
            families.broken_watches.clone(),
        );
        registry.register(
            "informer_objects",
            "Objects in the cache",
            families.objects.clone(),
        );
        registry.register(
            "informer_last_event_age_seconds",
            "Time since the last event or, before the first one, since the start",
            families.idle.clone(),
        );
        registry.register(
            "informer_handler_queue_length",
            "Events that wait for a handler; the queue does not have a limit",
            families.waiting.clone(),
        );
        families
    }

    pub(super) fn of(&self, name: &str) -> InformerMetrics {
        let name = Named::new(name);
        InformerMetrics {
            unreadable: self.unreadable.get_or_create_owned(&name),
            panics: self.panics.get_or_create_owned(&name),
            lists: self.lists.get_or_create_owned(&name),
            broken_watches: self.broken_watches.get_or_create_owned(&name),
            present: Some(Present {
                informer: name,
                objects: self.objects.clone(),
                idle: self.idle.clone(),
                waiting: self.waiting.clone(),
            }),
        }
    }
}
