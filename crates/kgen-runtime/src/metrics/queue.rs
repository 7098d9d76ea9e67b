//! The metrics of work queues, with the names of client-go.

use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use super::Named;

type Seconds = Gauge<f64, AtomicU64>;

/// The metrics of one queue.
#[derive(Clone, Debug)]
pub(crate) struct QueueMetrics {
    pub(crate) depth: Gauge,
    pub(crate) adds: Counter,
    pub(crate) queue_duration: Histogram,
    pub(crate) work_duration: Histogram,
    pub(crate) unfinished_work: Seconds,
    pub(crate) longest_running: Seconds,
    pub(crate) retries: Counter,
}

/// The metrics of all queues, by name.
pub(super) struct Families {
    depth: Family<Named, Gauge>,
    adds: Family<Named, Counter>,
    queue_duration: Family<Named, Histogram, fn() -> Histogram>,
    work_duration: Family<Named, Histogram, fn() -> Histogram>,
    unfinished_work: Family<Named, Seconds>,
    longest_running: Family<Named, Seconds>,
    retries: Family<Named, Counter>,
}

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        // Ten buckets from 10 ns on, each ten times the previous one.
        let durations = || Histogram::new(exponential_buckets(1e-8, 10.0, 10));
        let families = Self {
            depth: Family::default(),
            adds: Family::default(),
            queue_duration: Family::new_with_constructor(durations),
            work_duration: Family::new_with_constructor(durations),
            unfinished_work: Family::default(),
            longest_running: Family::default(),
            retries: Family::default(),
        };
        registry.register(
            "workqueue_depth",
            "Keys that wait for a worker",
            families.depth.clone(),
        );
        registry.register("workqueue_adds", "Keys queued so far", families.adds.clone());
        registry.register(
            "workqueue_queue_duration_seconds",
            "How long keys wait before a worker takes them",
            families.queue_duration.clone(),
        );
        registry.register(
            "workqueue_work_duration_seconds",
            "How long workers take",
            families.work_duration.clone(),
        );
        registry.register(
            "workqueue_unfinished_work_seconds",
            "Sum of the time that work in progress has taken so far; steady growth means stuck workers",
            families.unfinished_work.clone(),
        );
        registry.register(
            "workqueue_longest_running_processor_seconds",
            "How long the longest work in progress has taken so far",
            families.longest_running.clone(),
        );
        registry.register(
            "workqueue_retries",
            "Delayed and rate-limited adds so far",
            families.retries.clone(),
        );
        families
    }

    pub(super) fn of(&self, name: &str) -> QueueMetrics {
        let name = Named::new(name);
        QueueMetrics {
            depth: self.depth.get_or_create_owned(&name),
            adds: self.adds.get_or_create_owned(&name),
            queue_duration: self.queue_duration.get_or_create_owned(&name),
            work_duration: self.work_duration.get_or_create_owned(&name),
            unfinished_work: self.unfinished_work.get_or_create_owned(&name),
            longest_running: self.longest_running.get_or_create_owned(&name),
            retries: self.retries.get_or_create_owned(&name),
        }
    }
}
