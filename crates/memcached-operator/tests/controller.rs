//! kube's controller on informers, with an in-memory API server. Time advances only when every task waits. The numbers
//! continue those of `reconcile.rs`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::time::Duration;

use kgen_runtime::metrics::Format;
use memcached_operator::api::v1alpha1::Memcached;
use memcached_operator::controller::{ControllerError, NAME};
use memcached_operator::reconcile::FINALIZER;
use support::objects::{available, deployment_of, fresh, memcached, orphaned, pod};
use support::operator::{Operator, settle};
use support::server::Server;

const CREATED: &str = "Normal Created Created Deployment \"a\"";
const NOTHING: [&str; 0] = [];

fn nodes(server: &Server, memcached: &Memcached) -> Vec<String> {
    let status = server.get(memcached).unwrap().status;
    status.unwrap_or_default().nodes
}

#[tokio::test(start_paused = true)]
async fn case_19_a_new_memcached_leads_to_three_writes_and_an_event() {
    let server = Server::default();
    server.put(&fresh("a", 1));
    let mut operator = Operator::running(&server, 1);
    assert_eq!(operator.told(1).await, [CREATED]);
    settle().await;
    assert_eq!(
        server.lines(),
        [
            "PATCH memcacheds/a",
            "PATCH deployments/a",
            "PATCH memcacheds/a/status"
        ]
    );
    assert_eq!(operator.events.take(), NOTHING);
    let writes = server.writes();
    assert_eq!(writes[0].body["metadata"]["finalizers"][0], FINALIZER);
    for write in &writes[1..] {
        assert_eq!(write.content_type, "application/apply-patch+yaml");
        assert_eq!(write.query["fieldManager"], NAME);
    }
    // An existing object of another owner must not be taken over.
    assert!(writes[1].query.get("force").is_none_or(|force| force == "false"));
    assert_eq!(writes[2].query["force"], "true");
    assert_eq!(writes[2].body["metadata"]["uid"], "uid-of-a");
}

#[tokio::test(start_paused = true)]
async fn case_20_a_memcached_in_line_is_not_written_at_any_resync() {
    let server = Server::default();
    let memcached = memcached("a", 1);
    server.put(&memcached);
    server.put(&available(deployment_of(&memcached), 1));
    server.put(&pod("a-1", "a"));
    let mut operator = Operator::running(&server, 1);
    server
        .until("the status is written", |server| {
            nodes(server, &memcached) == ["a-1"]
        })
        .await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(server.lines(), ["PATCH memcacheds/a/status"]);
    assert_eq!(operator.events.take(), NOTHING);
}

#[tokio::test(start_paused = true)]
async fn case_21_pods_come_and_go_in_the_status() {
    let server = Server::default();
    let memcached = memcached("a", 3);
    server.put(&memcached);
    let _operator = Operator::running(&server, 1);
    server.put(&pod("b-1", "b"));
    for (name, expected) in [("a-2", &["a-2"][..]), ("a-1", &["a-1", "a-2"])] {
        server.put(&pod(name, "a"));
        server
            .until(name, |server| nodes(server, &memcached) == expected)
            .await;
    }
    server.remove(&pod("a-2", "a"));
    server
        .until("a-2 is gone", |server| nodes(server, &memcached) == ["a-1"])
        .await;
}

#[tokio::test(start_paused = true)]
async fn case_22_a_deployment_that_was_changed_or_deleted_is_put_right() {
    let server = Server::default();
    let memcached = memcached("a", 3);
    let deployment = deployment_of(&memcached);
    server.put(&memcached);
    server.put(&deployment);
    let mut operator = Operator::running(&server, 1);
    settle().await;
    let mut changed = server.get(&deployment).unwrap();
    changed.spec.replicas = Some(7);
    server.put(&changed);
    assert_eq!(
        operator.told(1).await,
        ["Normal Updated Changed Deployment \"a\" to 3 servers as described"]
    );
    let repaired = server.get(&deployment).unwrap();
    assert_eq!(repaired.spec.replicas, Some(3));
    let repair = server
        .writes()
        .into_iter()
        .find(|write| write.line == "PATCH deployments/a");
    assert_eq!(repair.unwrap().query["force"], "true");

    server.remove(&deployment);
    assert_eq!(operator.told(1).await, [CREATED]);
    assert!(server.get(&deployment).is_some());
}

#[tokio::test(start_paused = true)]
async fn case_23_the_end_of_a_foreign_deployment_frees_its_name() {
    let server = Server::default();
    let memcached = memcached("a", 1);
    let foreign = orphaned(deployment_of(&memcached));
    server.put(&memcached);
    server.put(&foreign);
    let mut operator = Operator::running(&server, 1);
    let taken = "Warning NameTaken Deployment \"a\" already exists and is not managed by this Memcached";
    assert_eq!(operator.told(1).await, [taken]);
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(server.lines(), ["PATCH memcacheds/a/status"], "it is said once");
    server.remove(&foreign);
    assert_eq!(operator.told(1).await, [CREATED]);
}

#[tokio::test(start_paused = true)]
async fn case_24_a_deleted_memcached_goes_after_its_servers() {
    let server = Server::default();
    let memcached = memcached("a", 1);
    let server_pod = pod("a-1", "a");
    server.put(&memcached);
    server.put(&deployment_of(&memcached));
    server.put(&server_pod);
    let mut operator = Operator::running(&server, 1);
    settle().await;
    server.remove(&memcached);
    assert_eq!(
        operator.told(1).await,
        ["Normal Deleting Deleting Deployment \"a\" and waiting for its servers to end"]
    );
    settle().await;
    assert!(server.get(&deployment_of(&memcached)).is_none());
    let left = server.get(&memcached).expect("a pod is still there");
    assert_eq!(left.status.unwrap().conditions[1].reason, "Finalizing");
    let deletion = server
        .writes()
        .into_iter()
        .find(|write| write.line == "DELETE deployments/a");
    let deletion = deletion.unwrap().body;
    assert_eq!(deletion["propagationPolicy"], "Foreground");
    assert!(deletion["preconditions"]["uid"].is_string());

    server.remove(&server_pod);
    assert_eq!(operator.told(1).await, ["Normal Deleted All servers have ended"]);
    assert!(server.get(&memcached).is_none());
    settle().await;
    assert_eq!(
        server.lines().last().map(String::as_str),
        Some("PATCH memcacheds/a"),
        "nothing is written about what is gone"
    );
}

#[tokio::test(start_paused = true)]
async fn case_25_a_deletion_before_the_finalizer_makes_nothing() {
    let server = Server::default();
    let memcached = fresh("a", 1);
    server.put(&memcached);
    let mut held = server.hold_next("PATCH memcacheds/a");
    let mut operator = Operator::running(&server, 1);
    held.arrived().await;
    server.remove(&memcached);
    held.release();
    settle().await;
    assert_eq!(server.lines(), ["PATCH memcacheds/a"]);
    assert_eq!(operator.events.take(), NOTHING);
}

#[tokio::test(start_paused = true)]
async fn case_26_a_refused_write_is_told_and_tried_again_with_growing_delays() {
    let server = Server::default();
    let memcached = memcached("a", 1);
    server.put(&memcached);
    for _ in 0..3 {
        server.refuse_next("PATCH deployments/a", 422, "Invalid");
    }
    let began = tokio::time::Instant::now();
    let mut operator = Operator::running(&server, 1);
    let told = operator.told(4).await;
    assert!(
        told[0].starts_with("Warning Failed cannot create the Deployment: "),
        "{told:?}"
    );
    assert_eq!(told[3], CREATED);
    // 5, 10 and 20 ms.
    assert!(
        began.elapsed() >= Duration::from_millis(35),
        "{:?}",
        began.elapsed()
    );
    let text = operator.metrics.encode(Format::Prometheus);
    assert!(
        text.contains("controller_runtime_reconcile_total{controller=\"memcached\",result=\"error\"} 3"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn case_27_a_conflict_is_no_news() {
    let server = Server::default();
    server.put(&memcached("a", 1));
    server.refuse_next("PATCH deployments/a", 409, "Conflict");
    let mut operator = Operator::running(&server, 1);
    assert_eq!(operator.told(1).await, [CREATED]);
}

#[tokio::test(start_paused = true)]
async fn case_28_broken_watches_and_forgotten_history_lose_nothing() {
    let server = Server::default();
    let memcached = memcached("a", 1);
    server.put(&memcached);
    let mut operator = Operator::running(&server, 1);
    assert_eq!(operator.told(1).await, [CREATED]);
    settle().await;
    server.break_watches();
    server.remove(&deployment_of(&memcached));
    server.put(&fresh("b", 1));
    server.forget_history();
    let there = |server: &Server, memcached: &Memcached| server.get(&deployment_of(memcached)).is_some();
    server
        .until("both have Deployments", |server| {
            there(server, &memcached) && there(server, &fresh("b", 1))
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn case_29_the_end_waits_for_what_is_in_progress() {
    let server = Server::default();
    let memcached = memcached("a", 1);
    server.put(&memcached);
    let mut held = server.hold_next("PATCH deployments/a");
    let operator = Operator::running(&server, 1);
    held.arrived().await;
    operator.ending.cancel();
    settle().await;
    assert!(!operator.running.is_finished());
    held.release();
    operator.running.await.unwrap().unwrap();
    assert!(server.get(&memcached).unwrap().status.is_some(), "all of it");
}

#[tokio::test(start_paused = true)]
async fn case_30_an_end_before_the_caches_are_filled_is_an_error() {
    let server = Server::default();
    let _held = server.hold_next("GET memcacheds");
    let operator = Operator::running(&server, 1);
    settle().await;
    assert!(operator.controller.check_synced().is_err());
    operator.ending.cancel();
    let error = operator.running.await.unwrap().unwrap_err();
    assert!(matches!(error, ControllerError::NotSynced(_)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn case_31_one_watch_for_each_kind_serves_controller_and_listers() {
    let server = Server::default();
    server.put(&memcached("a", 1));
    let mut operator = Operator::running(&server, 4);
    operator.told(1).await;
    settle().await;
    assert_eq!(operator.controller.check_synced(), Ok(()));
    assert_eq!(server.watch_count(), 3);
}
