//! The metrics of controllers, with the names, labels and buckets of controller-runtime.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// The buckets of controller-runtime, in seconds.
const BUCKETS: [f64; 40] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25,
    1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0,
    50.0, 60.0,
];

/// The metrics of one controller.
#[derive(Clone, Debug)]
pub(crate) struct ControllerMetrics {
    success: Counter,
    error: Counter,
    requeue_after: Counter,
    errors: Counter,
    terminal_errors: Counter,
    panics: Counter,
    timeouts: Counter,
    time: Histogram,
    pub(crate) max_concurrent: Gauge,
    pub(crate) active_workers: Gauge,
}

/// How a reconciliation ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Reconciled {
    Success,
    RequeueAfter,
    Error,
    /// An error that is not retried.
    Terminal,
    Panic,
    Timeout,
}

impl ControllerMetrics {
    /// Counts one reconciliation.
    pub(crate) fn record(&self, reconciled: Reconciled, took: Duration) {
        self.time.observe(took.as_secs_f64());
        let special = match reconciled {
            Reconciled::Success => {
                self.success.inc();
                return;
            }
            Reconciled::RequeueAfter => {
                self.requeue_after.inc();
                return;
            }
            Reconciled::Error => None,
            Reconciled::Terminal => Some(&self.terminal_errors),
            Reconciled::Panic => Some(&self.panics),
            Reconciled::Timeout => Some(&self.timeouts),
        };
        self.error.inc();
        self.errors.inc();
        if let Some(special) = special {
            special.inc();
        }
    }
}

/// The metrics of all controllers, by name.
pub(super) struct Families {
    total: Family<Result, Counter>,
    errors: Family<Controller, Counter>,
    terminal_errors: Family<Controller, Counter>,
    panics: Family<Controller, Counter>,
    timeouts: Family<Controller, Counter>,
    time: Family<Controller, Histogram, fn() -> Histogram>,
    max_concurrent: Family<Controller, Gauge>,
    active_workers: Family<Controller, Gauge>,
}

/// Which controller.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Controller {
    controller: String,
}

/// The controller, and the result of a reconciliation.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Result {
    controller: String,
    result: &'static str,
}

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            total: Family::default(),
            errors: Family::default(),
            terminal_errors: Family::default(),
            panics: Family::default(),
            timeouts: Family::default(),
            time: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            max_concurrent: Family::default(),
            active_workers: Family::default(),
        };
        let Self {
            total,
            errors,
            terminal_errors,
            panics,
            timeouts,
            time,
            max_concurrent,
            active_workers,
        } = &families;
        let name = |name: &str| format!("controller_runtime_{name}");
        registry.register(
            name("reconcile"),
            "Reconciliations so far, by how they ended",
            total.clone(),
        );
        registry.register(
            name("reconcile_errors"),
            "Reconciliations that failed, panicked or took too long",
            errors.clone(),
        );
        registry.register(
            name("terminal_reconcile_errors"),
            "Errors that are not retried",
            terminal_errors.clone(),
        );
        registry.register(name("reconcile_panics"), "Panics of reconcilers", panics.clone());
        registry.register(
            name("reconcile_timeouts"),
            "Reconciliations that took too long",
            timeouts.clone(),
        );
        registry.register(
            name("reconcile_time_seconds"),
            "How long reconciliations take",
            time.clone(),
        );
        registry.register(
            name("max_concurrent_reconciles"),
            "The number of workers",
            max_concurrent.clone(),
        );
        registry.register(
            name("active_workers"),
            "The number of workers that are reconciling",
            active_workers.clone(),
        );
        families
    }

    pub(super) fn of(&self, name: &str) -> ControllerMetrics {
        let controller = Controller {
            controller: name.to_owned(),
        };
        let total = |result| {
            self.total.get_or_create_owned(&Result {
                controller: name.to_owned(),
                result,
            })
        };
        // controller-runtime has it for a result that kgen does not have.
        let _ = total("requeue");
        ControllerMetrics {
            success: total("success"),
            error: total("error"),
            requeue_after: total("requeue_after"),
            errors: self.errors.get_or_create_owned(&controller),
            terminal_errors: self.terminal_errors.get_or_create_owned(&controller),
            panics: self.panics.get_or_create_owned(&controller),
            timeouts: self.timeouts.get_or_create_owned(&controller),
            time: self.time.get_or_create_owned(&controller),
            max_concurrent: self.max_concurrent.get_or_create_owned(&controller),
            active_workers: self.active_workers.get_or_create_owned(&controller),
        }
    }
}
