//! The metrics of work queues, with the names of client-go.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::queue::Priority;

/// The number of levels with a label of their own, as in controller-runtime. More would only cost memory.
const MAX_LEVELS: usize = 25;

/// The label of all levels if there are too many, as in controller-runtime.
const TOO_MANY_LEVELS: &str = "exceeded_cardinality_limit";

/// The ends of the buckets of controller-runtime, in seconds: from 10 ns on, each is ten times the previous one. Two are not exact,
/// as in Go.
const DURATIONS: [f64; 12] = [
    1e-8,
    1e-7,
    1e-6,
    9.999_999_999_999_999e-6,
    9.999_999_999_999_999e-5,
    0.001,
    0.01,
    0.1,
    1.0,
    10.0,
    100.0,
    1000.0,
];

type Seconds = Gauge<f64, AtomicU64>;

/// The metrics of one queue.
#[derive(Clone, Debug)]
pub(crate) struct QueueMetrics {
    name: String,
    depth: Family<Level, Gauge>,
    /// The levels that have been seen.
    levels: Arc<Mutex<BTreeSet<Priority>>>,
    pub(crate) adds: Counter,
    pub(crate) queue_duration: Histogram,
    pub(crate) work_duration: Histogram,
    pub(crate) unfinished_work: Seconds,
    pub(crate) longest_running: Seconds,
    pub(crate) retries: Counter,
}

/// The labels of a queue. controller-runtime has added `controller` beside client-go's `name`, with the same value.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Queue {
    name: String,
    controller: String,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Level {
    name: String,
    controller: String,
    priority: String,
}

impl QueueMetrics {
    /// Shows the number of keys of each level. Levels without keys are not in `depth`.
    pub(crate) fn show_depth(&self, depth: &BTreeMap<Priority, usize>) {
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        let had_labels = levels.len() <= MAX_LEVELS;
        levels.extend(depth.keys());
        if levels.len() <= MAX_LEVELS {
            for priority in levels.iter() {
                self.set_depth(
                    priority.to_string(),
                    depth.get(priority).copied().unwrap_or_default(),
                );
            }
            return;
        }
        if had_labels {
            for priority in levels.iter() {
                self.depth.remove(&self.level(priority.to_string()));
            }
        }
        // One more than the limit is enough to remember that it was exceeded.
        while levels.len() > MAX_LEVELS + 1 {
            levels.pop_last();
        }
        self.set_depth(TOO_MANY_LEVELS.to_owned(), depth.values().sum());
    }

    fn set_depth(&self, priority: String, keys: usize) {
        let gauge = self.depth.get_or_create_owned(&self.level(priority));
        gauge.set(i64::try_from(keys).unwrap_or(i64::MAX));
    }

    fn level(&self, priority: String) -> Level {
        Level {
            name: self.name.clone(),
            controller: self.name.clone(),
            priority,
        }
    }
}

/// The metrics of all queues, by name.
pub(super) struct Families {
    depth: Family<Level, Gauge>,
    adds: Family<Queue, Counter>,
    queue_duration: Family<Queue, Histogram, fn() -> Histogram>,
    work_duration: Family<Queue, Histogram, fn() -> Histogram>,
    unfinished_work: Family<Queue, Seconds>,
    longest_running: Family<Queue, Seconds>,
    retries: Family<Queue, Counter>,
}

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let durations = || Histogram::new(DURATIONS);
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
        let queue = Queue {
            name: name.to_owned(),
            controller: name.to_owned(),
        };
        QueueMetrics {
            name: name.to_owned(),
            depth: self.depth.clone(),
            levels: Arc::new(Mutex::new(BTreeSet::from([Priority::NORMAL]))),
            adds: self.adds.get_or_create_owned(&queue),
            queue_duration: self.queue_duration.get_or_create_owned(&queue),
            work_duration: self.work_duration.get_or_create_owned(&queue),
            unfinished_work: self.unfinished_work.get_or_create_owned(&queue),
            longest_running: self.longest_running.get_or_create_owned(&queue),
            retries: self.retries.get_or_create_owned(&queue),
        }
    }
}
