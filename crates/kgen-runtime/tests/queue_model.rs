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

use kgen_runtime::queue::{Item, Priority, WorkQueue};
use proptest::prelude::*;

/// A model of the queue, as simple as possible: lists with linear search.
#[derive(Default)]
struct Model {
    now: u64,
    /// Keys and levels, in the order in which they became ready.
    ready: Vec<(u8, i32)>,
    changed_in_work: Vec<(u8, i32)>,
    in_work: Vec<(u8, i32)>,
    /// Key, time and level, in the order of the calls.
    delayed: Vec<(u8, u64, i32)>,
    taken: usize,
    shutting_down: bool,
}

impl Model {
    fn add(&mut self, key: u8, priority: i32) {
        let mut dirty = self.ready.iter_mut().chain(&mut self.changed_in_work);
        if self.shutting_down {
        } else if let Some((_, level)) = dirty.find(|(other, _)| *other == key) {
            *level = priority.max(*level);
        } else if self.in_work.iter().any(|(other, _)| *other == key) {
            self.changed_in_work.push((key, priority));
        } else {
            self.ready.push((key, priority));
        }
    }

    /// Adds a key after a delay. Without a level, it is that of the worker that has the key.
    fn add_after(&mut self, key: u8, delay: u64, priority: Option<i32>) {
        let due = self.now + delay;
        let in_work = self.in_work.iter().find(|(other, _)| *other == key);
        let mut priority = priority.or(in_work.map(|(_, level)| *level)).unwrap_or(0);
        if delay == 0 {
            self.add(key, priority);
        } else if self.shutting_down {
        } else if let Some((_, at, level)) = self.delayed.iter_mut().find(|(other, ..)| *other == key) {
            priority = priority.max(*level);
            if *at <= due {
                *level = priority;
            } else {
                self.delayed.retain(|(other, ..)| *other != key);
                self.delayed.push((key, due, priority));
            }
        } else {
            self.delayed.push((key, due, priority));
        }
    }

    fn advance(&mut self, by: u64) {
        self.now += by;
        let now = self.now;
        let mut due: Vec<_> = self
            .delayed
            .iter()
            .copied()
            .filter(|(_, at, _)| *at <= now)
            .collect();
        self.delayed.retain(|(_, at, _)| *at > now);
        due.sort_by_key(|(_, at, _)| *at);
        for (key, _, priority) in due {
            self.add(key, priority);
        }
    }

    fn take(&mut self) -> Option<(u8, i32)> {
        let highest = self.ready.iter().map(|(_, level)| *level).max()?;
        self.taken += 1;
        // Every 20th key is the oldest of all.
        let place = if self.taken.is_multiple_of(20) {
            0
        } else {
            self.ready.iter().position(|(_, level)| *level == highest)?
        };
        let taken = self.ready.remove(place);
        self.in_work.push(taken);
        Some(taken)
    }

    fn done(&mut self, nth: usize) -> u8 {
        let (key, _) = self.in_work.remove(nth);
        if let Some(place) = self.changed_in_work.iter().position(|(other, _)| *other == key) {
            let changed = self.changed_in_work.remove(place);
            self.ready.push(changed);
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
    Add(u8, i32),
    AddAfter(u8, u64, Option<i32>),
    Advance(u64),
    Take,
    Done(prop::sample::Index),
    ShutDown,
}

fn step() -> impl Strategy<Value = Step> {
    // Few keys and short times, so that calls collide.
    let key = 0..6_u8;
    let level = -1..=1_i32;
    prop_oneof![
        6 => (key.clone(), level.clone()).prop_map(|(key, level)| Step::Add(key, level)),
        4 => (key, 0..6_u64, prop::option::of(level)).prop_map(|(key, delay, level)| Step::AddAfter(key, delay, level)),
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
    fn the_queue_does_what_the_model_does(steps in prop::collection::vec(step(), 1..120)) {
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
                    Step::Add(key, level) => {
                        model.add(key, level);
                        queue.at(Priority(level)).add(key);
                    }
                    Step::AddAfter(key, delay, level) => {
                        model.add_after(key, delay, level);
                        let delay = Duration::from_millis(delay);
                        match level {
                            Some(level) => queue.at(Priority(level)).add_after(key, delay),
                            None => queue.add_after(key, delay),
                        }
                    }
                    Step::Advance(by) => {
                        model.advance(by);
                        tokio::time::advance(Duration::from_millis(by)).await;
                    }
                    Step::Take => match (model.take(), get_now(&queue)) {
                        (Some(expected), Poll::Ready(Some(item))) => {
                            prop_assert_eq!(expected, (*item, item.priority().0));
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
                    return Err(TestCaseError::fail(format!("{expected:?} is lost")));
                };
                prop_assert_eq!(expected, (*item, item.priority().0));
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
