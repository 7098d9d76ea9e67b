//! The metrics of controllers, with the names of controller-runtime.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// The metrics of one controller.
#[derive(Clone, Debug)]
pub(crate) struct ControllerMetrics {
    name: String,
    total: Family<Reconciled, Counter>,
    time: Histogram,
}

impl ControllerMetrics {
    /// Counts one reconciliation that ended with `result`.
    pub(crate) fn record(&self, result: &'static str, took: Duration) {
        let label = Reconciled {
            controller: self.name.clone(),
            result,
        };
        self.total.get_or_create(&label).inc();
        self.time.observe(took.as_secs_f64());
    }
}

/// The metrics of all controllers, by name.
pub(super) struct Families {
    total: Family<Reconciled, Counter>,
    time: Family<Controller, Histogram, fn() -> Histogram>,
}

/// Which controller.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Controller {
    controller: String,
}

/// The controller, and the result of a reconciliation.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Reconciled {
    controller: String,
    result: &'static str,
}

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            total: Family::default(),
            // From a millisecond to half a minute.
            time: Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.001, 2.0, 16))),
        };
        registry.register(
            "controller_runtime_reconcile",
            "Reconciliations so far, by how they ended",
            families.total.clone(),
        );
        registry.register(
            "controller_runtime_reconcile_time_seconds",
            "How long reconciliations take",
            families.time.clone(),
        );
        families
    }

    pub(super) fn of(&self, name: &str) -> ControllerMetrics {
        ControllerMetrics {
            name: name.to_owned(),
            total: self.total.clone(),
            time: self.time.get_or_create_owned(&Controller {
                controller: name.to_owned(),
            }),
        }
    }
}
