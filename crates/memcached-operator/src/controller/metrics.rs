//! Metrics of the controller, which kube does not have, with the names of controller-runtime.

use std::time::Duration;

use kgen_runtime::metrics::Metrics;
use kgen_runtime::metrics::prometheus_client::metrics::counter::Counter;
use kgen_runtime::metrics::prometheus_client::metrics::family::Family;
use kgen_runtime::metrics::prometheus_client::metrics::histogram::{Histogram, exponential_buckets};

type Labels = [(&'static str, &'static str); 2];

/// The number, the results and the durations of reconciliations.
pub(super) struct ReconcileMetrics {
    total: Family<Labels, Counter>,
    time: Histogram,
}

impl ReconcileMetrics {
    pub(super) fn register(metrics: &Metrics) -> Self {
        let (total, time) = (
            Family::default(),
            // From 1 ms to some 16 s.
            Histogram::new(exponential_buckets(0.001, 2.0, 15)),
        );
        metrics.register(|registry| {
            registry.register(
                "controller_runtime_reconcile",
                "Calls of the reconciler so far",
                total.clone(),
            );
            registry.register(
                "controller_runtime_reconcile_time_seconds",
                "How long the reconciler takes",
                time.clone(),
            );
        });
        Self { total, time }
    }

    pub(super) fn observe(&self, took: Duration, succeeded: bool) {
        let result = if succeeded { "success" } else { "error" };
        let labels = [("controller", "memcached"), ("result", result)];
        self.total.get_or_create(&labels).inc();
        self.time.observe(took.as_secs_f64());
    }
}
