//! The metrics of informers. client-go does not have any.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::Named;

/// The metrics of one informer.
#[derive(Clone, Debug, Default)]
pub(crate) struct InformerMetrics {
    pub(crate) unreadable: Gauge,
    pub(crate) panics: Counter,
}

/// The metrics of all informers, by name.
pub(super) struct Families {
    unreadable: Family<Named, Gauge>,
    panics: Family<Named, Counter>,
}

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            unreadable: Family::default(),
            panics: Family::default(),
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
        families
    }

    pub(super) fn of(&self, name: &str) -> InformerMetrics {
        let name = Named::new(name);
        InformerMetrics {
            unreadable: self.unreadable.get_or_create_owned(&name),
            panics: self.panics.get_or_create_owned(&name),
        }
    }
}
