//! Leader election with a scripted Lease API, and a clock that the tests control.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

#[path = "support/scripted.rs"]
mod support;

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kgen_runtime::clock::TokioClock;
use kgen_runtime::election::{Builder, ElectionError, Elector, Outcome, Status};
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::recorder::Recorder;
use kube::Client;
use serde_json::{Value, json};
use support::lease::{Mood, SharedLease, View};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The longest wait between two reads: 2 s plus a jitter of 1.2 times as much.
const LOOK: Duration = Duration::from_millis(4400);

fn builder(client: Client, identity: &str) -> Builder {
    Elector::builder(client, "system", "operator")
        .identity(identity)
        .clock(TokioClock::starting_at("2026-01-01T00:00:00Z".parse().unwrap()))
}

/// A replica that works as long as it leads.
struct Replica {
    view: View,
    status: Status,
    stop: CancellationToken,
    task: JoinHandle<Outcome<&'static str>>,
}

impl Replica {
    fn start(lease: &SharedLease, identity: &str) -> Self {
        Self::start_with(lease, identity, |builder| builder)
    }

    fn start_with(lease: &SharedLease, identity: &str, with: impl FnOnce(Builder) -> Builder) -> Self {
        let view = lease.view();
        let elector = with(builder(view.server.client(), identity)).build().unwrap();
        let status = elector.status();
        let stop = CancellationToken::new();
        let stopped = stop.clone().cancelled_owned();
        let task = tokio::spawn(elector.lead(stopped, async |ending| {
            ending.cancelled().await;
            "finished"
        }));
        Self {
            view,
            status,
            stop,
            task,
        }
    }

    async fn leads(&self) {
        let mut leader = self.status.leader_changes();
        while !self.status.is_leader() {
            tokio::select! {
                changed = leader.changed() => changed.unwrap(),
                () = sleep(Duration::from_millis(10)) => {}
            }
        }
    }

    async fn outcome(self) -> Outcome<&'static str> {
        self.task.await.unwrap()
    }
}

fn foreign(holder: &str, duration: u64, renewed: &str) -> Value {
    json!({
        "holderIdentity": holder, "leaseDurationSeconds": duration, "leaseTransitions": 4,
        "acquireTime": renewed, "renewTime": renewed,
    })
}

#[tokio::test(start_paused = true)]
async fn the_first_replica_creates_the_lease_and_renews_it_every_2_s() {
    let lease = SharedLease::default();
    let replica = Replica::start(&lease, "a");
    replica.leads().await;
    assert_eq!(replica.view.methods(), ["GET", "POST"]);
    let expected = json!({
        "holderIdentity": "a", "leaseDurationSeconds": 15, "leaseTransitions": 0,
        "acquireTime": "2026-01-01T00:00:00.000000Z", "renewTime": "2026-01-01T00:00:00.000000Z",
    });
    assert_eq!(lease.spec(), expected);

    sleep(Duration::from_millis(20_500)).await;
    let methods = replica.view.methods();
    assert_eq!(methods.len(), 12, "{methods:?}");
    assert!(
        methods[2..].iter().all(|method| method == "PUT"),
        "a leader need not read: {methods:?}"
    );
    assert_eq!(lease.spec()["acquireTime"], "2026-01-01T00:00:00.000000Z");
    assert_eq!(lease.spec()["renewTime"], "2026-01-01T00:00:20.000000Z");
    assert_eq!(lease.spec()["leaseTransitions"], 0);
    assert_eq!(replica.status.check(Duration::ZERO), Ok(()));
}

#[tokio::test(start_paused = true)]
async fn a_lease_is_taken_only_after_15_s_of_silence_whatever_its_times_say() {
    for renewed in ["1999-01-01T00:00:00.000000Z", "2099-01-01T00:00:00.000000Z"] {
        let lease = SharedLease::default();
        lease.put(foreign("other", 15, renewed));
        let started = Instant::now();
        let replica = Replica::start(&lease, "a");
        replica.leads().await;
        let waited = started.elapsed();
        assert!(
            waited >= seconds(15) && waited <= seconds(15) + LOOK,
            "{renewed}: {waited:?}"
        );
        assert_eq!(lease.spec()["leaseTransitions"], 5, "a takeover counts");
        assert_eq!(lease.spec()["acquireTime"], lease.spec()["renewTime"]);
    }
}

#[tokio::test(start_paused = true)]
async fn the_duration_in_the_record_counts_not_ones_own() {
    let lease = SharedLease::default();
    lease.put(foreign("other", 40, "2026-01-01T00:00:00.000000Z"));
    let started = Instant::now();
    let replica = Replica::start(&lease, "a");
    replica.leads().await;
    let waited = started.elapsed();
    assert!(
        waited >= seconds(40) && waited <= seconds(40) + LOOK,
        "{waited:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_changes_is_never_taken() {
    let lease = SharedLease::default();
    let replica = Replica::start_with(&lease, "a", |builder| builder);
    replica.view.set(Mood::Down);
    for second in 0..60 {
        // The clock of the other replica is in the past, but advances.
        lease.put(foreign(
            "other",
            15,
            &format!("2001-01-01T00:00:{second:02}.000000Z"),
        ));
        replica.view.set(Mood::Fine);
        sleep(seconds(10)).await;
        assert!(!replica.status.is_leader());
    }
    assert_eq!(replica.status.leader().as_deref(), Some("other"));
    assert!(replica.view.methods().iter().all(|method| method == "GET"));
}

#[tokio::test(start_paused = true)]
async fn labels_on_the_lease_do_not_make_it_younger() {
    let lease = SharedLease::default();
    lease.put(foreign("other", 15, "2026-01-01T00:00:00.000000Z"));
    let started = Instant::now();
    let replica = Replica::start(&lease, "a");
    for n in 0..3 {
        sleep(seconds(4)).await;
        lease.edit(|lease| lease["metadata"]["labels"] = json!({ "n": n.to_string() }));
    }
    replica.leads().await;
    assert!(started.elapsed() <= seconds(15) + LOOK);
}

#[tokio::test(start_paused = true)]
async fn at_the_end_the_lease_is_given_back_after_the_work() {
    let lease = SharedLease::default();
    let view = lease.view();
    let elector = builder(view.server.client(), "a").build().unwrap();
    let stop = CancellationToken::new();
    let task = tokio::spawn(elector.lead(stop.clone().cancelled_owned(), {
        let lease = lease.clone();
        async move |ending| {
            ending.cancelled().await;
            // Longer than the lease duration: the lease is renewed while the work ends.
            sleep(seconds(20)).await;
            lease.holder()
        }
    }));
    sleep(seconds(5)).await;
    let other = Replica::start(&lease, "b");
    sleep(seconds(5)).await;
    stop.cancel();
    let stopped = Instant::now();
    let Outcome::Finished(holder) = task.await.unwrap() else {
        panic!("the work ends by itself")
    };
    assert_eq!(holder.as_deref(), Some("a"));
    assert_eq!(stopped.elapsed(), seconds(20));
    assert!(!other.status.is_leader());
    let expected = json!({
        "leaseDurationSeconds": 1, "leaseTransitions": 0,
        "acquireTime": "2026-01-01T00:00:30.000000Z", "renewTime": "2026-01-01T00:00:30.000000Z",
    });
    assert_eq!(lease.spec(), expected);
    other.leads().await;
    assert!(
        stopped.elapsed() <= seconds(20) + LOOK,
        "nobody waits for a lease that was given back"
    );
    assert_eq!(lease.spec()["leaseTransitions"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_lease_is_given_back_also_in_the_middle_of_a_renewal() {
    let lease = SharedLease::default();
    let replica = Replica::start(&lease, "a");
    replica.leads().await;
    sleep(seconds(1)).await;
    replica.view.set(Mood::Slow);
    // The renewal of the second second is stored, but its response has not arrived: the replica's state is out of date.
    sleep(Duration::from_millis(1500)).await;
    replica.stop.cancel();
    let view = replica.view.clone();
    assert_eq!(replica.outcome().await, Outcome::Finished("finished"));
    assert_eq!(view.methods(), ["GET", "POST", "PUT", "PUT", "GET", "PUT"]);
    assert_eq!(lease.holder(), None);
}

#[tokio::test(start_paused = true)]
async fn a_lease_need_not_be_given_back() {
    let lease = SharedLease::default();
    let replica = Replica::start_with(&lease, "a", Builder::keep_lease_at_end);
    replica.leads().await;
    replica.stop.cancel();
    assert_eq!(replica.outcome().await, Outcome::Finished("finished"));
    assert_eq!(lease.holder().as_deref(), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn work_that_ends_by_itself_gives_the_lease_back() {
    let lease = SharedLease::default();
    let elector = builder(lease.view().server.client(), "a").build().unwrap();
    let outcome = elector.lead(pending(), async |_| 7).await;
    assert_eq!(outcome, Outcome::Finished(7));
    assert_eq!(lease.holder(), None);
}

#[tokio::test(start_paused = true)]
async fn work_that_does_not_end_is_dropped_after_the_grace() {
    let lease = SharedLease::default();
    let elector = builder(lease.view().server.client(), "a")
        .grace(seconds(30))
        .build()
        .unwrap();
    let started = Instant::now();
    let outcome = elector
        .lead(sleep(seconds(5)), async |_| pending::<()>().await)
        .await;
    assert_eq!(outcome, Outcome::TimedOut);
    assert_eq!(started.elapsed(), seconds(35));
    assert_eq!(
        lease.holder().as_deref(),
        Some("a"),
        "tasks of the work may still be running, so the lease must expire"
    );
}

/// Down: requests fail. Hangs: requests are not answered. Both end 10 s after the last renewal, before another replica
/// takes over.
#[tokio::test(start_paused = true)]
async fn a_leader_that_cannot_renew_stops_before_the_next_one_starts() {
    for mood in [Mood::Down, Mood::Hangs, Mood::ReadOnly] {
        let lease = SharedLease::default();
        let first = Replica::start(&lease, "a");
        first.leads().await;
        let second = Replica::start(&lease, "b");
        // The last renewal is at 20 s.
        sleep(Duration::from_millis(21_000)).await;
        first.view.set(mood);
        let cut = Instant::now();
        let status = first.status.clone();
        assert_eq!(first.outcome().await, Outcome::Lost, "{mood:?}");
        let lost = cut.elapsed();
        assert!(
            lost >= Duration::from_millis(8_900) && lost <= seconds(9),
            "{mood:?}: {lost:?}"
        );
        assert!(!status.is_leader());
        assert!(!second.status.is_leader(), "{mood:?}");
        second.leads().await;
        let taken = cut.elapsed();
        assert!(
            taken >= seconds(14) && taken <= seconds(14) + LOOK + LOOK,
            "{mood:?}: {taken:?}"
        );
        assert_eq!(lease.holder().as_deref(), Some("b"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_short_outage_is_survived() {
    let lease = SharedLease::default();
    let replica = Replica::start(&lease, "a");
    replica.leads().await;
    for mood in [Mood::Down, Mood::Hangs, Mood::LosesAnswers, Mood::ReadOnly] {
        replica.view.set(mood);
        sleep(seconds(7)).await;
        replica.view.set(Mood::Fine);
        sleep(seconds(9)).await;
        assert!(replica.status.is_leader(), "{mood:?}");
    }
    assert_eq!(lease.spec()["leaseTransitions"], 0);
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_solved_by_reading_and_counted() {
    let lease = SharedLease::default();
    let metrics = Metrics::default();
    let replica = Replica::start_with(&lease, "a", |builder| builder.metrics(&metrics));
    replica.leads().await;
    lease.edit(|lease| lease["metadata"]["labels"] = json!({ "team": "x" }));
    sleep(Duration::from_millis(2_500)).await;
    assert_eq!(replica.view.methods(), ["GET", "POST", "PUT", "GET", "PUT"]);
    assert!(replica.status.is_leader());
    let text = metrics.encode(Format::Prometheus);
    assert!(
        text.contains("leader_election_slowpath_total{name=\"operator\"} 1\n"),
        "{text}"
    );
    assert!(
        text.contains("leader_election_master_status{name=\"operator\"} 1\n"),
        "{text}"
    );

    replica.stop.cancel();
    replica.outcome().await;
    let text = metrics.encode(Format::Prometheus);
    assert!(
        text.contains("leader_election_master_status{name=\"operator\"} 0\n"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_sees_another_name_or_none_stops_at_once() {
    for holder in [Some("thief"), None] {
        let lease = SharedLease::default();
        let replica = Replica::start(&lease, "a");
        replica.leads().await;
        lease.edit(|lease| lease["spec"]["holderIdentity"] = json!(holder));
        let robbed = Instant::now();
        assert_eq!(replica.outcome().await, Outcome::Lost);
        assert!(robbed.elapsed() <= seconds(2), "{:?}", robbed.elapsed());
        assert_eq!(
            lease.holder().as_deref(),
            holder,
            "what is not ours is not given back"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_deleted_lease_is_created_again() {
    let lease = SharedLease::default();
    let replica = Replica::start(&lease, "a");
    replica.leads().await;
    lease.delete();
    sleep(seconds(3)).await;
    assert!(replica.status.is_leader());
    assert_eq!(lease.holder().as_deref(), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn lost_leases_stop_the_work_and_the_tasks_that_it_started() {
    let lease = SharedLease::default();
    let view = lease.view();
    let elector = builder(view.server.client(), "a").build().unwrap();
    let last_step = Arc::new(Mutex::new(Instant::now()));
    let task = Arc::new(Mutex::new(None));
    let outcome = elector.lead(pending(), {
        let (last_step, task) = (Arc::clone(&last_step), Arc::clone(&task));
        async move |ending| {
            *task.lock().unwrap() = Some(tokio::spawn(ending.cancelled_owned()));
            loop {
                *last_step.lock().unwrap() = Instant::now();
                sleep(Duration::from_millis(10)).await;
            }
        }
    });
    let cut = async {
        sleep(seconds(3)).await;
        view.set(Mood::Down);
    };
    let (outcome, ()) = tokio::join!(outcome, cut);
    let lost = Instant::now();
    assert_eq!(outcome, Outcome::<()>::Lost);
    sleep(seconds(60)).await;
    assert!(
        *last_step.lock().unwrap() <= lost,
        "no step after the lease was lost"
    );
    let task = task.lock().unwrap().take().unwrap();
    timeout(seconds(1), task).await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn stopping_before_leading_writes_nothing() {
    let lease = SharedLease::default();
    lease.put(foreign("other", 15, "2026-01-01T00:00:00.000000Z"));
    let replica = Replica::start(&lease, "a");
    sleep(seconds(5)).await;
    replica.stop.cancel();
    let view = replica.view.clone();
    assert_eq!(replica.outcome().await, Outcome::NeverLed);
    assert!(view.methods().iter().all(|method| method == "GET"));
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_was_won_while_stopping_is_given_back() {
    let lease = SharedLease::default();
    let replica = Replica::start(&lease, "a");
    replica.view.set(Mood::Slow);
    // Reading has taken a second; the lease is created, but the response has not arrived.
    sleep(Duration::from_millis(1500)).await;
    assert_eq!(lease.holder().as_deref(), Some("a"));
    replica.stop.cancel();
    assert_eq!(replica.outcome().await, Outcome::NeverLed);
    assert_eq!(lease.holder(), None);
}

#[tokio::test(start_paused = true)]
async fn stopping_does_not_wait_long_for_a_silent_api() {
    let lease = SharedLease::default();
    let replica = Replica::start(&lease, "a");
    replica.view.set(Mood::Hangs);
    sleep(seconds(1)).await;
    replica.stop.cancel();
    let stopped = Instant::now();
    assert_eq!(replica.outcome().await, Outcome::NeverLed);
    assert!(stopped.elapsed() <= seconds(5), "{:?}", stopped.elapsed());
}

#[tokio::test(start_paused = true)]
async fn who_is_stopped_before_the_start_asks_nobody() {
    let lease = SharedLease::default();
    let view = lease.view();
    let elector = builder(view.server.client(), "a").build().unwrap();
    let outcome = elector
        .lead(std::future::ready(()), async |_| panic!("nothing to do"))
        .await;
    assert_eq!(outcome, Outcome::<()>::NeverLed);
    assert!(view.methods().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_api_that_is_down_at_the_start_is_waited_for() {
    for mood in [Mood::Down, Mood::Hangs, Mood::ReadOnly] {
        let lease = SharedLease::default();
        let replica = Replica::start(&lease, "a");
        replica.view.set(mood);
        sleep(seconds(100)).await;
        assert!(!replica.status.is_leader(), "{mood:?}");
        replica.view.set(Mood::Fine);
        timeout(seconds(10) + LOOK, replica.leads()).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_the_future_ends_the_renewing() {
    let lease = SharedLease::default();
    let view = lease.view();
    let elector = builder(view.server.client(), "a").build().unwrap();
    let status = elector.status();
    let led = elector.lead(pending(), async |_| pending::<()>().await);
    assert!(timeout(seconds(10), led).await.is_err());
    assert!(!status.is_leader());
    let asked = view.methods().len();
    sleep(seconds(60)).await;
    assert_eq!(view.methods().len(), asked);
}

#[tokio::test(start_paused = true)]
async fn changes_of_the_leader_are_told_with_events() {
    let lease = SharedLease::default();
    lease.put(foreign("other", 15, "2026-01-01T00:00:00.000000Z"));
    let told = Arc::new(Mutex::new(Vec::new()));
    let (recorder, mut events) = Recorder::fake();
    let replica = Replica::start_with(&lease, "a", |builder| {
        let told = Arc::clone(&told);
        builder
            .recorder(&recorder)
            .on_new_leader(move |leader| told.lock().unwrap().push(leader.map(ToOwned::to_owned)))
    });
    replica.leads().await;
    sleep(seconds(10)).await;
    replica.stop.cancel();
    replica.outcome().await;
    assert_eq!(
        *told.lock().unwrap(),
        [Some("other".to_owned()), Some("a".to_owned()), None]
    );
    let occurrences = events.take_occurrences();
    let texts: Vec<_> = occurrences.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "Normal LeaderElection a became leader",
            "Normal LeaderElection a stopped leading"
        ]
    );
    assert_eq!(occurrences[0].regarding.kind.as_deref(), Some("Lease"));
    assert_eq!(occurrences[0].regarding.namespace.as_deref(), Some("system"));
}

#[tokio::test]
async fn settings_that_contradict_each_other_are_all_named() {
    let client = SharedLease::default().view().server.client();
    let error = Elector::builder(client.clone(), "system", "")
        .identity("")
        .lease_duration(seconds(10))
        .retry_period(seconds(9))
        .build()
        .unwrap_err();
    insta::assert_snapshot!(error, @"invalid leader election: the name is empty; the identity is empty; the lease duration (10s) must be longer than the renew deadline (10s); the renew deadline (10s) must be longer than 1.2 times the retry period (9s)");
    let zero = Elector::builder(client.clone(), "system", "operator")
        .retry_period(Duration::ZERO)
        .build();
    assert_eq!(
        zero.unwrap_err(),
        ElectionError::Invalid(vec!["the retry period is zero".to_owned()])
    );
    let too_long = Elector::builder(client.clone(), "system", "operator").lease_duration(Duration::MAX);
    assert!(too_long.build().is_err());
    assert!(Elector::builder(client, "system", "operator").build().is_ok());
}
