//! Guarantees of the work queue for every order of calls: compared with a model, and with real threads.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use kgen_runtime::queue::{Item, WorkQueue};
use proptest::prelude::*;

/// A model of the queue, as simple as possible: lists with linear search.
#[derive(Default)]
struct Model {
    now: u64,
    ready: Vec<u8>,
    changed_in_work: Vec<u8>,
    in_work: Vec<u8>,
    /// Key and time, in the order of the calls.
    delayed: Vec<(u8, u64)>,
    shutting_down: bool,
}

impl Model {
    fn add(&mut self, key: u8) {
        if self.shutting_down || self.ready.contains(&key) || self.changed_in_work.contains(&key) {
            return;
        }
        if self.in_work.contains(&key) {
            self.changed_in_work.push(key);
        } else {
            self.ready.push(key);
        }
    }

    fn add_after(&mut self, key: u8, delay: u64) {
        let due = self.now + delay;
        if delay == 0 {
            self.add(key);
        } else if !self.shutting_down && !self.delayed.iter().any(|(other, at)| *other == key && *at <= due) {
            self.delayed.retain(|(other, _)| *other != key);
            self.delayed.push((key, due));
        }
    }

    fn advance(&mut self, by: u64) {
        self.now += by;
        let now = self.now;
        let mut due: Vec<_> = self
            .delayed
            .iter()
            .copied()
            .filter(|(_, at)| *at <= now)
            .collect();
        self.delayed.retain(|(_, at)| *at > now);
        due.sort_by_key(|(_, at)| *at);
        for (key, _) in due {
            self.add(key);
        }
    }

    fn take(&mut self) -> Option<u8> {
        if self.ready.is_empty() {
            return None;
        }
        let key = self.ready.remove(0);
        self.in_work.push(key);
        Some(key)
    }

    fn done(&mut self, nth: usize) -> u8 {
        let key = self.in_work.remove(nth);
        if let Some(place) = self.changed_in_work.iter().position(|other| *other == key) {
            self.changed_in_work.remove(place);
            self.ready.push(key);
        }
        key
    }

    fn shut_down(&mut self) {
        self.shutting_down = true;
        self.delayed.clear();
    }
}

#[derive(Clone, Debug)]
enum Step {
    Add(u8),
    AddAfter(u8, u64),
    Advance(u64),
    Take,
    Done(prop::sample::Index),
    ShutDown,
}

fn step() -> impl Strategy<Value = Step> {
    // Few keys and short times, so that calls collide.
    let key = 0..4_u8;
    prop_oneof![
        6 => key.clone().prop_map(Step::Add),
        4 => (key, 0..6_u64).prop_map(|(key, delay)| Step::AddAfter(key, delay)),
        4 => (0..4_u64).prop_map(Step::Advance),
        6 => Just(Step::Take),
        6 => any::<prop::sample::Index>().prop_map(Step::Done),
        1 => Just(Step::ShutDown),
    ]
}

fn get_now(queue: &WorkQueue<u8>) -> Poll<Option<Item<u8>>> {
    pin!(queue.get()).poll(&mut Context::from_waker(Waker::noop()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_queue_does_what_the_model_does(steps in prop::collection::vec(step(), 1..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let queue = WorkQueue::default();
            let mut model = Model::default();
            let mut items: Vec<Item<u8>> = Vec::new();
            for step in steps {
                match step {
                    Step::Add(key) => {
                        model.add(key);
                        queue.add(key);
                    }
                    Step::AddAfter(key, delay) => {
                        model.add_after(key, delay);
                        queue.add_after(key, Duration::from_millis(delay));
                    }
                    Step::Advance(by) => {
                        model.advance(by);
                        tokio::time::advance(Duration::from_millis(by)).await;
                    }
                    Step::Take => match (model.take(), get_now(&queue)) {
                        (Some(expected), Poll::Ready(Some(item))) => {
                            prop_assert_eq!(expected, *item);
                            prop_assert!(!items.iter().any(|other| **other == *item), "two workers on one key");
                            items.push(item);
                        }
                        (None, Poll::Ready(None)) => prop_assert!(model.shutting_down),
                        (None, Poll::Pending) => prop_assert!(!model.shutting_down),
                        (expected, got) => prop_assert!(false, "expected {:?}, got {:?}", expected, got),
                    },
                    Step::Done(nth) if !items.is_empty() => {
                        let nth = nth.index(items.len());
                        let key = model.done(nth);
                        let item = items.remove(nth);
                        prop_assert_eq!(key, *item);
                        item.done();
                    }
                    Step::Done(_) => {}
                    Step::ShutDown => {
                        model.shut_down();
                        queue.shutdown();
                    }
                }
                prop_assert_eq!(queue.len(), model.ready.len());
            }
            // No key is lost: the remaining keys of the model are returned, in its order.
            items.clear();
            while !model.in_work.is_empty() {
                model.done(0);
            }
            model.advance(1000);
            tokio::time::advance(Duration::from_secs(1)).await;
            while let Some(expected) = model.take() {
                let Poll::Ready(Some(item)) = get_now(&queue) else {
                    return Err(TestCaseError::fail(format!("{expected} is lost")));
                };
                prop_assert_eq!(expected, *item);
                std::mem::forget(item);
            }
            prop_assert!(!matches!(get_now(&queue), Poll::Ready(Some(_))));
            Ok(())
        })?;
    }
}

/// A key whose changes are numbered, so that a lost change is detected.
#[derive(Default)]
struct Watched {
    changes: AtomicU64,
    seen: AtomicU64,
    in_work: AtomicBool,
}

/// Real threads and real time: many writers, many workers, few keys; some workers give up waiting from time to time.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn threads_never_share_a_key_and_lose_nothing() {
    const KEYS: usize = 5;
    let queue = WorkQueue::default();
    let watched: Arc<[Watched; KEYS]> = Arc::default();

    let workers: Vec<_> = (0..8)
        .map(|worker| {
            let (queue, watched) = (queue.clone(), Arc::clone(&watched));
            tokio::spawn(async move {
                let mut taken = 0_u64;
                loop {
                    let item = if worker % 2 == 0 {
                        queue.get().await
                    } else {
                        // Canceled at any moment, even when it has just been chosen for a key.
                        match tokio::time::timeout(Duration::from_micros(200), queue.get()).await {
                            Ok(item) => item,
                            Err(_) => continue,
                        }
                    };
                    let Some(item) = item else { return taken };
                    let state: &Watched = &watched[*item];
                    assert!(
                        !state.in_work.swap(true, Ordering::SeqCst),
                        "two workers on key {}",
                        *item
                    );
                    let changes = state.changes.load(Ordering::SeqCst);
                    tokio::task::yield_now().await;
                    state.seen.fetch_max(changes, Ordering::SeqCst);
                    state.in_work.store(false, Ordering::SeqCst);
                    taken += 1;
                }
            })
        })
        .collect();

    let writers: Vec<_> = (0..8_usize)
        .map(|writer| {
            let (queue, watched) = (queue.clone(), Arc::clone(&watched));
            tokio::spawn(async move {
                for round in 0..5_000_usize {
                    let key = (writer + round) % KEYS;
                    watched[key].changes.fetch_add(1, Ordering::SeqCst);
                    // At most one entry per key is ready, however often it is added.
                    queue.add(key);
                    assert!(queue.len() <= KEYS);
                    if round % 16 == 0 {
                        tokio::task::yield_now().await;
                    }
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    queue.shutdown_with_drain().await;
    let mut taken = 0;
    for worker in workers {
        taken += worker.await.unwrap();
    }
    assert!(taken >= KEYS as u64);
    for (key, state) in watched.iter().enumerate() {
        assert_eq!(
            state.seen.load(Ordering::SeqCst),
            8_000,
            "the last change of key {key} was lost"
        );
        assert_eq!(state.changes.load(Ordering::SeqCst), 8_000);
    }
}
