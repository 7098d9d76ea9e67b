//! The work queue with a clock that the test controls: adding, taking, delays and shutdown.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::queue::{Exponential, Item, Priority, WorkQueue};
use tokio::time::{Instant, advance, timeout};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Returns the result of `get` if it does not wait, otherwise `None`.
fn get_now(queue: &WorkQueue<&'static str>) -> Option<Option<Item<&'static str>>> {
    match pin!(queue.get()).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(item) => Some(item),
        Poll::Pending => None,
    }
}

fn take(queue: &WorkQueue<&'static str>) -> Item<&'static str> {
    get_now(queue)
        .expect("a key is ready")
        .expect("the queue is open")
}

fn nothing_ready(queue: &WorkQueue<&'static str>) -> bool {
    get_now(queue).is_none()
}

fn over(queue: &WorkQueue<&'static str>) -> bool {
    matches!(get_now(queue), Some(None))
}

#[tokio::test(start_paused = true)]
async fn keys_are_deduplicated_and_come_in_order() {
    let queue = WorkQueue::default();
    for key in ["c", "a", "b", "a", "c"] {
        queue.add(key);
    }
    assert_eq!(queue.len(), 3);
    let order: Vec<_> = (0..3).map(|_| *take(&queue)).collect();
    assert_eq!(order, ["c", "a", "b"]);
    assert!(nothing_ready(&queue));
}

#[tokio::test(start_paused = true)]
async fn a_key_in_work_is_queued_once_more_when_done() {
    let queue = WorkQueue::default();
    queue.add("a");
    let first = take(&queue);
    queue.add("a");
    queue.add("a");
    assert_eq!(queue.len(), 0);
    assert!(nothing_ready(&queue), "two workers must not have one key");
    first.done();
    let second = take(&queue);
    second.done();
    assert!(nothing_ready(&queue));
}

#[tokio::test(start_paused = true)]
async fn a_waiting_worker_wakes_for_a_key_that_changed_in_the_hands_of_another() {
    let queue = WorkQueue::default();
    queue.add("a");
    let first = take(&queue);
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.get().await.map(|item| *item) }
    });
    tokio::task::yield_now().await;
    queue.add("a");
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    first.done();
    assert_eq!(timeout(ms(1), waiting).await.unwrap().unwrap(), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn a_waiting_worker_wakes_for_a_new_key_and_for_a_delay() {
    let queue = WorkQueue::default();
    let worker = tokio::spawn({
        let queue = queue.clone();
        async move {
            let started = Instant::now();
            let mut seen = Vec::new();
            while let Some(item) = queue.get().await {
                seen.push((*item, started.elapsed()));
            }
            seen
        }
    });
    tokio::task::yield_now().await;
    queue.add("now");
    queue.add_after("later", ms(300));
    tokio::task::yield_now().await;
    // Earlier than the delay that the worker is waiting for.
    queue.add_after("soon", ms(100));
    tokio::time::sleep(ms(1000)).await;
    queue.shutdown();
    assert_eq!(
        worker.await.unwrap(),
        [("now", ms(0)), ("soon", ms(100)), ("later", ms(300))]
    );
}

#[tokio::test(start_paused = true)]
async fn the_earliest_delay_wins() {
    let queue = WorkQueue::default();
    queue.add_after("a", ms(500));
    queue.add_after("a", ms(50));
    queue.add_after("a", ms(5000));
    advance(ms(49)).await;
    assert!(nothing_ready(&queue));
    advance(ms(1)).await;
    take(&queue).done();
    advance(ms(10_000)).await;
    assert!(nothing_ready(&queue), "one key, one delay");
}

#[tokio::test(start_paused = true)]
async fn no_delay_is_now_and_equal_delays_keep_their_order() {
    let queue = WorkQueue::default();
    queue.add_after("now", Duration::ZERO);
    take(&queue).done();
    for key in ["x", "y", "z"] {
        queue.add_after(key, ms(10));
    }
    advance(ms(10)).await;
    assert_eq!(queue.len(), 3);
    let order: Vec<_> = (0..3).map(|_| *take(&queue)).collect();
    assert_eq!(order, ["x", "y", "z"]);
}

#[tokio::test(start_paused = true)]
async fn a_delayed_key_that_is_added_meanwhile_runs_again_when_due() {
    let queue = WorkQueue::default();
    queue.add_after("a", ms(100));
    queue.add("a");
    take(&queue).done();
    assert!(nothing_ready(&queue));
    advance(ms(100)).await;
    take(&queue).done();
}

#[tokio::test(start_paused = true)]
async fn failures_wait_5_ms_doubled_up_to_1000_s() {
    let queue = WorkQueue::default();
    queue.add("a");
    let mut waits = Vec::new();
    for failures in 1..=20 {
        let item = queue.get().await.unwrap();
        queue.add_rate_limited(*item);
        assert_eq!(queue.num_requeues(&item), failures);
        item.done();
        let failed = Instant::now();
        let again = queue.get().await.unwrap();
        waits.push(failed.elapsed());
        queue.add(*again);
    }
    let expected: Vec<_> = (0..20).map(|n| ms((5 << n).min(1_000_000))).collect();
    assert_eq!(waits, expected);

    queue.forget(&"a");
    assert_eq!(queue.num_requeues(&"a"), 0);
    let item = queue.get().await.unwrap();
    queue.add_rate_limited(*item);
    item.done();
    let failed = Instant::now();
    queue.get().await.unwrap().done();
    assert_eq!(failed.elapsed(), ms(5));
}

#[tokio::test(start_paused = true)]
async fn failures_of_many_keys_share_10_a_second_after_100() {
    let queue = WorkQueue::default();
    for key in 0..150 {
        queue.add_rate_limited(key);
    }
    let started = Instant::now();
    let mut came = Vec::new();
    for _ in 0..150 {
        queue.get().await.unwrap().done();
        came.push(started.elapsed());
    }
    assert!(
        came[..100].iter().all(|at| *at == ms(5)),
        "the burst waits for the keys' own 5 ms only"
    );
    for (after, at) in came[100..].iter().enumerate() {
        let expected = ms(100 * (after as u64 + 1));
        // tokio's timers count whole milliseconds.
        assert!(*at >= expected && *at <= expected + ms(1), "{after}: {at:?}");
    }
}

/// client-go counts these failures too, and the delay quickly reaches 1000 s.
#[tokio::test(start_paused = true)]
async fn failures_while_a_retry_is_waiting_do_not_count() {
    let base = Duration::from_secs(1);
    let queue = WorkQueue::builder()
        .rate_limiter(Exponential::new(base, Duration::from_secs(1000)))
        .build();
    queue.add_rate_limited("a");
    // Another event arrives every 100 ms, and every attempt fails.
    for _ in 0..9 {
        advance(ms(100)).await;
        queue.add("a");
        let item = take(&queue);
        queue.add_rate_limited(*item);
    }
    assert_eq!(queue.num_requeues(&"a"), 1);
    advance(ms(100)).await;
    let retry = take(&queue);
    queue.add_rate_limited(*retry);
    retry.done();
    assert_eq!(queue.num_requeues(&"a"), 2);
    let failed = Instant::now();
    queue.get().await.unwrap().done();
    assert_eq!(failed.elapsed(), base * 2);
}

#[tokio::test(start_paused = true)]
async fn a_failure_after_a_success_does_not_wait_for_an_old_retry() {
    let queue = WorkQueue::builder()
        .rate_limiter(Exponential::new(
            Duration::from_secs(100),
            Duration::from_secs(100),
        ))
        .build();
    queue.add_rate_limited("a");
    advance(Duration::from_secs(50)).await;
    queue.add("a");
    let item = take(&queue);
    queue.forget(&item);
    item.done();
    queue.add_rate_limited("a");
    assert_eq!(queue.num_requeues(&"a"), 1, "a new failure counts");
}

#[tokio::test(start_paused = true)]
async fn shutdown_refuses_new_keys_and_hands_out_the_old() {
    let queue = WorkQueue::default();
    queue.add("a");
    queue.add("b");
    queue.add_after("due", ms(10));
    queue.add_after("not due", ms(11));
    advance(ms(10)).await;
    queue.shutdown();
    assert!(queue.is_shutting_down());
    queue.add("c");
    queue.add_after("d", ms(1));
    queue.add_rate_limited("e");
    let order: Vec<_> = (0..3).map(|_| *take(&queue)).collect();
    assert_eq!(order, ["a", "b", "due"]);
    advance(Duration::from_secs(3600)).await;
    assert!(over(&queue), "what was added or due later is gone");
}

#[tokio::test(start_paused = true)]
async fn shutdown_wakes_every_waiting_worker() {
    let queue: WorkQueue<&'static str> = WorkQueue::default();
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let queue = queue.clone();
            tokio::spawn(async move { queue.get().await.is_none() })
        })
        .collect();
    tokio::task::yield_now().await;
    queue.shutdown();
    for worker in workers {
        assert!(worker.await.unwrap());
    }
}

#[tokio::test(start_paused = true)]
async fn drain_waits_for_what_is_queued_and_for_what_is_in_work() {
    let queue = WorkQueue::default();
    queue.add("in work");
    queue.add("queued");
    let item = take(&queue);
    // Changed before the end, so it has to run again.
    queue.add("in work");
    let mut drain = pin!(queue.shutdown_with_drain());
    assert!(timeout(ms(10), &mut drain).await.is_err());
    queue.add("too late");

    let queued = take(&queue);
    assert_eq!(*queued, "queued");
    queued.done();
    assert!(timeout(ms(10), &mut drain).await.is_err());
    item.done();
    assert!(
        timeout(ms(10), &mut drain).await.is_err(),
        "the change of the key in work is still to come"
    );
    let again = take(&queue);
    assert_eq!(*again, "in work");
    again.done();
    assert!(timeout(ms(10), &mut drain).await.is_ok());
    assert!(over(&queue));
}

#[tokio::test(start_paused = true)]
async fn drain_of_an_idle_queue_ends_at_once_and_shutdown_releases_a_drain() {
    let queue: WorkQueue<&'static str> = WorkQueue::default();
    timeout(ms(1), queue.shutdown_with_drain()).await.unwrap();

    let queue = WorkQueue::default();
    queue.add("a");
    let stuck = take(&queue);
    let drain = tokio::spawn({
        let queue = queue.clone();
        async move { queue.shutdown_with_drain().await }
    });
    tokio::task::yield_now().await;
    assert!(!drain.is_finished());
    queue.shutdown();
    drain.await.unwrap();
    stuck.done();
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_stops_waiting_loses_nothing() {
    let queue = WorkQueue::default();
    let patient = tokio::spawn({
        let queue = queue.clone();
        async move { queue.get().await.map(|item| *item) }
    });
    {
        let mut impatient = pin!(queue.get());
        assert!(timeout(ms(1), &mut impatient).await.is_err());
        // Both wait; one is chosen for the key, and the impatient one gives up without checking.
        queue.add("a");
    }
    assert_eq!(timeout(ms(1), patient).await.unwrap().unwrap(), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_worker_does_not_lock_its_key() {
    let queue = WorkQueue::default();
    queue.add("a");
    let worker = tokio::spawn({
        let queue = queue.clone();
        async move {
            let _item = queue.get().await;
            queue.add("a");
            panic!("a bug");
        }
    });
    assert!(worker.await.is_err());
    assert_eq!(*take(&queue), "a");
}

#[tokio::test(start_paused = true)]
async fn metrics_have_the_names_and_values_of_client_go() {
    let metrics = Metrics::default();
    let queue = WorkQueue::builder().name("foo").metrics(&metrics).build();
    queue.add("a");
    queue.add("a");
    queue.add("b");
    queue.add_after("c", ms(500));
    advance(ms(1500)).await;
    let a = take(&queue);
    advance(Duration::from_secs(3)).await;
    let b = take(&queue);
    advance(Duration::from_secs(2)).await;
    queue.add_rate_limited("b");
    b.done();

    let text = metrics.encode(Format::Prometheus);
    let value = |name: &str| {
        let labels = "name=\"foo\",controller=\"foo\"";
        let level = if name == "workqueue_depth" {
            ",priority=\"0\""
        } else {
            ""
        };
        let start = format!("{name}{{{labels}{level}}} ");
        let line = text.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("no {name} in\n{text}"))
            .parse::<f64>()
            .unwrap()
    };
    assert_eq!(value("workqueue_depth"), 1.0, "c has become due, b is delayed");
    assert_eq!(value("workqueue_adds_total"), 3.0);
    assert_eq!(value("workqueue_retries_total"), 2.0);
    assert_eq!(value("workqueue_queue_duration_seconds_count"), 2.0);
    assert_eq!(value("workqueue_queue_duration_seconds_sum"), 1.5 + 4.5);
    assert_eq!(value("workqueue_work_duration_seconds_count"), 1.0);
    assert_eq!(value("workqueue_work_duration_seconds_sum"), 2.0);
    assert_eq!(value("workqueue_unfinished_work_seconds"), 5.0);
    assert_eq!(value("workqueue_longest_running_processor_seconds"), 5.0);
    let buckets = text
        .lines()
        .filter(|line| line.starts_with("workqueue_work_duration_seconds_bucket"));
    assert_eq!(buckets.count(), 13, "twelve, and the one without end");
    for declared in [
        "# TYPE workqueue_adds_total counter",
        "# TYPE workqueue_depth gauge",
        "# TYPE workqueue_queue_duration_seconds histogram",
    ] {
        assert!(
            text.lines().any(|line| line == declared),
            "no {declared} in\n{text}"
        );
    }
    a.done();
}

#[tokio::test(start_paused = true)]
async fn a_queue_without_a_name_has_no_metrics_and_two_queues_share_a_family() {
    let metrics = Metrics::default();
    let unnamed = WorkQueue::builder().metrics(&metrics).build();
    unnamed.add("a");
    assert!(!metrics.encode(Format::Prometheus).contains("workqueue"));

    let foo = WorkQueue::builder().name("foo").metrics(&metrics).build();
    let bar = WorkQueue::builder().name("bar").metrics(&metrics).build();
    foo.add("a");
    bar.add("a");
    bar.add("b");
    let text = metrics.encode(Format::OpenMetrics);
    for (queue, depth) in [("foo", 1), ("bar", 2)] {
        let line =
            format!("workqueue_depth{{name=\"{queue}\",controller=\"{queue}\",priority=\"0\"}} {depth}\n");
        assert!(text.contains(&line), "{text}");
    }
    assert_eq!(text.matches("# TYPE workqueue_depth gauge").count(), 1);
    assert!(text.ends_with("# EOF\n"));
}

#[tokio::test(start_paused = true)]
async fn shutting_down_now_drops_what_nobody_has_taken() {
    let metrics = Metrics::default();
    let queue = WorkQueue::builder().name("q").metrics(&metrics).build();
    queue.add("a");
    let taken = queue.get().await.unwrap();
    queue.add("a");
    queue.add("b");
    queue.add_after("c", Duration::from_secs(1));
    queue.shutdown_now();
    assert!(queue.is_shutting_down() && queue.is_empty());
    queue.add("d");
    drop(taken);
    assert!(
        queue.get().await.is_none(),
        "also not what changed while it was in work"
    );
    let text = metrics.encode(Format::Prometheus);
    let line = "workqueue_depth{name=\"q\",controller=\"q\",priority=\"0\"} 0";
    assert!(text.contains(line), "{text}");
}

#[tokio::test(start_paused = true)]
async fn higher_levels_go_first_and_a_raised_key_keeps_its_time() {
    let queue = WorkQueue::default();
    for key in ["a", "b", "c", "d"] {
        queue.at(Priority::LOW).add(key);
    }
    queue.add("x");
    queue.add("c");
    queue.at(Priority::LOW).add("x");
    assert_eq!(queue.len(), 5, "a key is queued once, whatever its level");
    let order: Vec<_> = (0..5).map(|_| *take(&queue)).collect();
    assert_eq!(order, ["c", "x", "a", "b", "d"], "c was added before x");
}

#[tokio::test(start_paused = true)]
async fn delays_and_retries_keep_the_level_of_the_worker() {
    let queue = WorkQueue::default();
    queue.at(Priority::LOW).add("later");
    let item = take(&queue);
    queue.add_after("later", ms(10));
    item.done();
    queue.at(Priority::LOW).add("retried");
    let item = take(&queue);
    queue.add_rate_limited("retried");
    item.done();
    queue.add_after("not in work", ms(10));
    advance(ms(20)).await;
    let levels: Vec<_> = (0..3)
        .map(|_| take(&queue))
        .map(|item| (*item, item.priority()))
        .collect();
    assert_eq!(
        levels,
        [
            ("not in work", Priority::NORMAL),
            ("retried", Priority::LOW),
            ("later", Priority::LOW),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_change_raises_the_retry_that_waits() {
    let queue = WorkQueue::default();
    queue.at(Priority::LOW).add("a");
    let item = take(&queue);
    queue.add_rate_limited("a");
    queue.add("a");
    item.done();
    let item = take(&queue);
    queue.add_rate_limited("a");
    item.done();
    advance(ms(20)).await;
    assert_eq!(take(&queue).priority(), Priority::NORMAL);
}

#[tokio::test(start_paused = true)]
async fn every_20th_key_is_the_oldest() {
    let queue = WorkQueue::default();
    queue.at(Priority::LOW).add("old");
    let mut taken = Vec::new();
    // A busy level: a key of it is always ready.
    for round in 0..40 {
        queue.add(["even", "odd"][round % 2]);
        taken.push(*take(&queue));
    }
    assert_eq!(taken.iter().position(|key| *key == "old"), Some(19));
}

#[tokio::test(start_paused = true)]
async fn the_depth_is_counted_by_level() {
    let metrics = Metrics::default();
    let queue = WorkQueue::builder().name("q").metrics(&metrics).build();
    queue.at(Priority::LOW).add("a".to_owned());
    queue.at(Priority::LOW).add("b".to_owned());
    queue.add("b".to_owned());
    let depth = |priority: &str| {
        let text = metrics.encode(Format::Prometheus);
        let start = format!("workqueue_depth{{name=\"q\",controller=\"q\",priority=\"{priority}\"}} ");
        let line = text.lines().find_map(|line| line.strip_prefix(&start));
        line.map(|value| value.parse::<u64>().unwrap())
    };
    assert_eq!((depth("-100"), depth("0")), (Some(1), Some(1)));
    drop(queue.get().await);
    drop(queue.get().await);
    assert_eq!((depth("-100"), depth("0")), (Some(0), Some(0)));

    for level in 0..30 {
        queue.at(Priority(level)).add(format!("key {level}"));
    }
    assert_eq!(depth("exceeded_cardinality_limit"), Some(30));
    assert_eq!((depth("0"), depth("-100")), (None, None));
    queue.shutdown_now();
    drop(queue);
    assert_eq!(depth("exceeded_cardinality_limit"), Some(0));
}
