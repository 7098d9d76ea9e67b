//! The guarantee of the election, with random faults: two replicas never work at the same time, and when the faults
//! end, one works.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

#[path = "support/scripted.rs"]
mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kgen_runtime::clock::TokioClock;
use kgen_runtime::election::{Elector, Outcome};
use proptest::prelude::*;
use support::lease::{Mood, SharedLease, View};
use tokio_util::sync::CancellationToken;

const REPLICAS: usize = 3;

#[derive(Clone, Debug)]
struct Fault {
    after: Duration,
    replica: usize,
    mood: Mood,
}

fn fault() -> impl Strategy<Value = Fault> {
    let mood = prop_oneof![
        4 => Just(Mood::Fine),
        1 => Just(Mood::Down),
        1 => Just(Mood::Hangs),
        1 => Just(Mood::Slow),
        1 => Just(Mood::LosesAnswers),
        1 => Just(Mood::ReadOnly),
    ];
    (0..12_000_u64, 0..REPLICAS, mood).prop_map(|(after, replica, mood)| Fault {
        after: Duration::from_millis(after),
        replica,
        mood,
    })
}

/// Counts the working replicas, and detects when there is more than one.
#[derive(Default)]
struct Working {
    now: AtomicUsize,
    most: AtomicUsize,
}

struct Worker(Arc<Working>);

impl Worker {
    fn start(working: &Arc<Working>) -> Self {
        let now = working.now.fetch_add(1, Ordering::SeqCst) + 1;
        working.most.fetch_max(now, Ordering::SeqCst);
        Self(Arc::clone(working))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs a replica that is restarted whenever it has lost the lease, like a pod. Its clock is off by hours.
async fn replica(nth: usize, view: View, working: Arc<Working>, stop: CancellationToken) {
    let start = "2026-01-01T00:00:00Z"
        .parse::<k8s_openapi::jiff::Timestamp>()
        .unwrap();
    let clock =
        TokioClock::starting_at(start + k8s_openapi::jiff::SignedDuration::from_hours(nth as i64 * 7));
    while !stop.is_cancelled() {
        let elector = Elector::builder(view.server.client(), "system", "operator")
            .clock(clock)
            .build()
            .unwrap();
        let outcome = elector
            .lead(stop.cancelled(), async |ending| {
                let _worker = Worker::start(&working);
                ending.cancelled().await;
            })
            .await;
        if outcome == Outcome::Lost {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn never_two(faults in prop::collection::vec(fault(), 0..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let lease = SharedLease::default();
            let working = Arc::new(Working::default());
            let stop = CancellationToken::new();
            let views: Vec<_> = (0..REPLICAS).map(|_| lease.view()).collect();
            let replicas: Vec<_> = views
                .iter()
                .enumerate()
                .map(|(nth, view)| {
                    tokio::spawn(replica(nth, view.clone(), Arc::clone(&working), stop.clone()))
                })
                .collect();
            for fault in faults {
                tokio::time::sleep(fault.after).await;
                views[fault.replica].set(fault.mood);
            }
            for view in &views {
                view.set(Mood::Fine);
            }
            // A request that hangs, an expiring lease, and two reads.
            tokio::time::sleep(Duration::from_secs(10 + 15 + 10)).await;
            prop_assert_eq!(working.now.load(Ordering::SeqCst), 1, "somebody must work");
            stop.cancel();
            for replica in replicas {
                replica.await.unwrap();
            }
            prop_assert_eq!(working.most.load(Ordering::SeqCst), 1, "two worked at once");
            prop_assert_eq!(lease.holder(), None);
            Ok(())
        })?;
    }
}
