//! The controller with its queue, caches and handlers, with an in-memory API server. Time advances only when every task
//! waits. The numbers are those of the behaviors of the Go sample-controller.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::time::Duration;

use foo_operator::controller::{Controller, ControllerError, Key, NAME};
use foo_operator::generated::Clientset;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kgen_runtime::metrics::Metrics;
use kgen_runtime::recorder::Recorder;
use serde_json::json;
use support::objects::{available, deployment_of, foo, orphaned};
use support::operator::{Operator, settle};
use support::server::Server;
use tokio_util::sync::CancellationToken;

const SYNCED: &str = "Normal Synced Foo synced successfully";
const TAKEN: &str = "Warning ErrResourceExists Resource \"web\" already exists and is not managed by Foo";

fn key(name: &str) -> Key {
    Key {
        namespace: "default".to_owned(),
        name: name.to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn case_01_a_new_foo_leads_to_one_create_a_status_and_an_event() {
    let server = Server::default();
    server.put(&foo("a", "web", Some(1)));
    let (mut operator, _running) = Operator::running(&server);
    assert_eq!(operator.events.next().await.unwrap().to_string(), SYNCED);
    settle().await;
    assert_eq!(server.lines(), ["POST deployments", "PATCH foos/a/status"]);
    assert_eq!(operator.events.take(), <[String; 0]>::default());
    let writes = server.writes();
    assert!(writes.iter().all(|write| write.query["fieldManager"] == NAME));
    assert_eq!(writes[0].body["metadata"]["name"], "web");
}

// ANCHOR: paused
#[tokio::test(start_paused = true)]
async fn case_02_a_foo_in_line_is_not_written_at_any_resync() {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    server.put(&foo);
    server.put(&available(deployment_of(&foo), 1));
    let (mut operator, _running) = Operator::running(&server);
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(server.lines(), ["PATCH foos/a/status"]);
    assert_eq!(operator.events.take(), [SYNCED], "once, when it is first seen");
}
// ANCHOR_END: paused

#[tokio::test(start_paused = true)]
async fn case_03_a_change_is_applied_by_force_and_foreign_labels_survive() {
    let server = Server::default();
    let mut foo = foo("a", "web", Some(1));
    let mut deployment = deployment_of(&foo);
    deployment.metadata.labels = Some([("team".to_owned(), "blue".to_owned())].into());
    server.put(&deployment);
    foo.spec.replicas = Some(2);
    server.put(&foo);
    let (mut operator, _running) = Operator::running(&server);
    operator.events.next().await.unwrap();
    let write = &server.writes()[0];
    assert_eq!(write.line, "PATCH deployments/web");
    assert_eq!(write.content_type, "application/apply-patch+yaml");
    assert_eq!(
        (
            write.query["force"].as_str(),
            write.query["fieldManager"].as_str()
        ),
        ("true", NAME)
    );
    let changed = server.get(&deployment).unwrap();
    assert_eq!(changed.spec.replicas, Some(2));
    assert_eq!(changed.metadata.labels.unwrap()["team"], "blue");
}

#[tokio::test(start_paused = true)]
async fn case_05_a_foreign_deployment_is_reported_and_tried_again_with_backoff() {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    let foreign = orphaned(deployment_of(&foo));
    server.put(&foo);
    server.put(&foreign);
    let operator = Operator::watching(&server).await;
    let error = operator.controller.sync(&key("a")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Resource \"web\" already exists and is not managed by Foo"
    );

    let (mut operator, _running) = Operator::running(&server);
    for _ in 0..4 {
        assert_eq!(operator.events.next().await.unwrap().to_string(), TAKEN);
    }
    settle().await;
    assert!(operator.controller.queue().num_requeues(&key("a")) >= 4);
    assert_eq!(server.lines(), <[String; 0]>::default());
    // As soon as the name is free, the Foo gets it.
    server.remove(&foreign);
    server
        .until("the Deployment is ours", |server| server.get(&foreign).is_some())
        .await;
}

#[tokio::test(start_paused = true)]
async fn case_09_the_status_goes_to_its_subresource_and_the_cache_stays_as_it_is() {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    server.put(&foo);
    server.put(&available(deployment_of(&foo), 1));
    let operator = Operator::watching(&server).await;
    operator.controller.sync(&key("a")).await.unwrap();
    let write = &server.writes()[0];
    assert_eq!(write.line, "PATCH foos/a/status");
    // Only what is ours, and only for this very Foo.
    let fields: Vec<_> = write.body.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["apiVersion", "kind", "metadata", "status"]);
    assert_eq!(write.body["metadata"]["uid"], "uid-of-a");
    let stored = server.get(&foo).unwrap();
    assert_eq!(stored.spec, foo.spec);
    assert_eq!(stored.status.unwrap().available_replicas, 1);
}

#[tokio::test(start_paused = true)]
async fn case_10_a_foo_that_is_gone_is_no_error() {
    let server = Server::default();
    let operator = Operator::watching(&server).await;
    operator.controller.sync(&key("gone")).await.unwrap();
    assert_eq!(server.lines(), <[String; 0]>::default());
}

#[tokio::test(start_paused = true)]
async fn case_10_an_object_that_cannot_be_read_is_not_gone() {
    let server = Server::default();
    let (broken, healthy) = (foo("broken", "x", Some(1)), foo("healthy", "web", Some(1)));
    server.put_with(&broken, |foo| foo["spec"]["deploymentName"] = json!(1));
    server.put(&healthy);
    server.put_with(&deployment_of(&healthy), |deployment| {
        deployment["spec"]["replicas"] = json!("many");
    });
    let operator = Operator::watching(&server).await;
    for name in ["broken", "healthy"] {
        let error = operator.controller.sync(&key(name)).await.unwrap_err();
        assert!(error.to_string().contains("cannot be read"), "{error}");
    }
    assert_eq!(server.lines(), <[String; 0]>::default());
}

#[tokio::test(start_paused = true)]
async fn case_11_a_foo_without_a_name_waits_for_its_change() {
    let server = Server::default();
    let mut foo = foo("a", "", Some(1));
    server.put(&foo);
    let (mut operator, _running) = Operator::running(&server);
    settle().await;
    assert_eq!(operator.controller.queue().num_requeues(&key("a")), 0);
    assert_eq!(server.lines(), <[String; 0]>::default());
    foo.spec.deployment_name = "web".to_owned();
    server.put(&foo);
    operator.events.next().await.unwrap();
    assert_eq!(server.lines(), ["POST deployments", "PATCH foos/a/status"]);
}

#[tokio::test(start_paused = true)]
async fn case_12_every_failed_write_is_tried_again_and_success_is_told() {
    let server = Server::default();
    let mut foo = foo("a", "web", Some(1));
    server.put(&foo);
    server.refuse_next("POST deployments", 500, "InternalError");
    server.refuse_next("PATCH foos/a/status", 500, "InternalError");
    let (mut operator, _running) = Operator::running(&server);
    settle().await;
    assert_eq!(server.lines(), ["POST deployments"]);
    assert_eq!(operator.controller.queue().num_requeues(&key("a")), 1);
    assert_eq!(operator.events.take(), <[String; 0]>::default());

    assert_eq!(operator.events.next().await.unwrap().to_string(), SYNCED);
    let expected = [
        "POST deployments",
        "POST deployments",
        "PATCH foos/a/status",
        "PATCH foos/a/status",
    ];
    server
        .until("the status is tried again", |server| server.lines().len() == 4)
        .await;
    assert_eq!(server.lines(), expected);
    settle().await;
    let again = "whether it was told nobody knew before the status was written";
    assert_eq!(operator.events.take(), [SYNCED], "{again}");

    // The same for a change.
    server.refuse_next("PATCH deployments/web", 500, "InternalError");
    foo.spec.replicas = Some(2);
    server.put(&foo);
    operator.events.next().await.unwrap();
    let changes = server
        .lines()
        .iter()
        .filter(|line| *line == "PATCH deployments/web")
        .count();
    assert_eq!(changes, 2);
}

#[tokio::test(start_paused = true)]
async fn case_13_a_cache_that_is_behind_only_costs_another_try() {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    server.put(&foo);
    let operator = Operator::watching(&server).await;
    // The Deployment is there, and no worker could know yet.
    server.refuse_next("POST deployments", 409, "AlreadyExists");
    let error = operator.controller.sync(&key("a")).await.unwrap_err();
    assert!(error.is_stale_cache(), "{error}");

    server.put(&deployment_of(&foo));
    let (_operator, _running) = Operator::running(&server);
    server
        .until("the status is written", |server| {
            server.get(&foo).is_some_and(|foo| foo.status.is_some())
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn case_14_after_a_success_the_failures_are_forgotten() {
    let server = Server::default();
    server.put(&foo("a", "web", Some(1)));
    for _ in 0..3 {
        server.refuse_next("POST deployments", 500, "InternalError");
    }
    let (mut operator, _running) = Operator::running(&server);
    settle().await;
    assert_eq!(operator.controller.queue().num_requeues(&key("a")), 1);
    operator.events.next().await.unwrap();
    settle().await;
    assert_eq!(operator.controller.queue().num_requeues(&key("a")), 0);
}

#[tokio::test(start_paused = true)]
async fn case_15_new_changed_and_replayed_foos_are_queued_and_deleted_ones_are_not() {
    let server = Server::default();
    let mut foo = foo("a", "web", Some(1));
    server.put(&foo);
    let operator = Operator::watching(&server).await;
    assert_eq!(operator.queued().await, ["default/a"]);
    foo.spec.replicas = Some(2);
    server.put(&foo);
    assert_eq!(operator.queued().await, ["default/a"]);
    tokio::time::sleep(Duration::from_secs(31)).await;
    assert_eq!(operator.queued().await, ["default/a"], "a resync");
    server.remove(&foo);
    assert_eq!(operator.queued().await, <[String; 0]>::default());
}

#[tokio::test(start_paused = true)]
async fn case_16_what_happens_to_a_deployment_queues_its_foo() {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    server.put(&foo);
    let operator = Operator::watching(&server).await;
    operator.queued().await;
    let deployment = deployment_of(&foo);
    server.put(&deployment);
    assert_eq!(operator.queued().await, ["default/a"], "added");
    server.put(&available(deployment.clone(), 1));
    assert_eq!(operator.queued().await, ["default/a"], "updated");
    server.put(&orphaned(deployment.clone()));
    assert_eq!(operator.queued().await, ["default/a"], "lost");
    server.put(&deployment);
    assert_eq!(operator.queued().await, ["default/a"], "taken");
    server.remove(&deployment);
    assert_eq!(operator.queued().await, ["default/a"], "deleted");
}

#[tokio::test(start_paused = true)]
async fn case_16_a_replay_of_deployments_queues_nothing() {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    server.put(&foo);
    server.put(&deployment_of(&foo));
    // The Deployments arrive ten seconds later, so their replays do not coincide with those of the Foos.
    let mut held = server.hold_next("GET deployments");
    let operator = Operator::new(&server);
    operator.controller.start();
    let _handlers = operator.controller.watch();
    held.arrived().await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    held.release();
    assert_eq!(operator.queued().await, ["default/a"]);
    tokio::time::sleep(Duration::from_secs(25)).await;
    assert_eq!(
        operator.queued().await,
        ["default/a"],
        "replay of the Foos after 30 s"
    );
    tokio::time::sleep(Duration::from_secs(15)).await;
    assert_eq!(
        operator.queued().await,
        <[String; 0]>::default(),
        "replay of the Deployments after 40 s"
    );
}

#[tokio::test(start_paused = true)]
async fn case_16_a_deleted_deployment_is_made_again() {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    server.put(&foo);
    let (mut operator, _running) = Operator::running(&server);
    operator.events.next().await.unwrap();
    settle().await;
    server.remove(&deployment_of(&foo));
    operator.events.next().await.unwrap();
    let created = server
        .lines()
        .iter()
        .filter(|line| *line == "POST deployments")
        .count();
    assert_eq!(created, 2);
}

#[tokio::test(start_paused = true)]
async fn case_17_a_deletion_that_nobody_saw_queues_the_foo_as_well() {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    let deployment = deployment_of(&foo);
    server.put(&foo);
    server.put(&deployment);
    let operator = Operator::watching(&server).await;
    operator.queued().await;
    // The watch breaks, the Deployment goes, and the server has forgotten about it when the watch is back.
    server.break_watches();
    server.remove(&deployment);
    server.forget_history();
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(operator.queued().await, ["default/a"]);
}

/// Whether a Deployment with this owner queues the Foo `a`, whose UID is `uid-of-a`.
async fn is_queued_by(change: impl FnOnce(&mut OwnerReference)) -> bool {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    server.put(&foo);
    let operator = Operator::watching(&server).await;
    operator.queued().await;
    let mut deployment = deployment_of(&foo);
    change(&mut deployment.metadata.owner_references.as_mut().unwrap()[0]);
    server.put(&deployment);
    !operator.queued().await.is_empty()
}

#[tokio::test(start_paused = true)]
async fn case_18_the_owner_is_found_by_group_kind_name_and_uid() {
    assert!(is_queued_by(|_| ()).await);
    assert!(is_queued_by(|owner| owner.api_version = "example.com/v1".to_owned()).await);
    assert!(!is_queued_by(|owner| owner.api_version = "example.org/v1alpha1".to_owned()).await);
    assert!(!is_queued_by(|owner| owner.name = "gone".to_owned()).await);
    assert!(!is_queued_by(|owner| owner.uid = "before".to_owned()).await);
}

#[tokio::test(start_paused = true)]
async fn case_19_other_kinds_and_owners_that_do_not_control_queue_nothing() {
    assert!(!is_queued_by(|owner| owner.controller = None).await);
    assert!(!is_queued_by(|owner| owner.controller = Some(false)).await);
    assert!(!is_queued_by(|owner| owner.kind = "Bar".to_owned()).await);
    assert!(!is_queued_by(|owner| owner.api_version = "v1".to_owned()).await);
}

#[tokio::test(start_paused = true)]
async fn case_20_changes_before_a_run_are_one_run_and_changes_during_it_one_more() {
    let server = Server::default();
    let mut changed = foo("a", "web", Some(1));
    server.put(&changed);
    let mut held = server.hold_next("POST deployments");
    let operator = Operator::watching(&server).await;
    for replicas in 2..5 {
        changed.spec.replicas = Some(replicas);
        server.put(&changed);
    }
    settle().await;
    assert_eq!(operator.controller.queue().len(), 1);

    // Two workers, and the second has nothing to do although there are changes.
    let _running = operator.run(2);
    held.arrived().await;
    for replicas in 5..8 {
        changed.spec.replicas = Some(replicas);
        server.put(&changed);
    }
    settle().await;
    assert_eq!(server.lines(), ["POST deployments"]);
    assert_eq!(
        operator.controller.queue().len(),
        0,
        "it is queued again when the run is over"
    );
    held.release();
    server
        .until("the last change is there", |server| {
            let deployment = server.get(&deployment_of(&changed));
            deployment.is_some_and(|deployment| deployment.spec.replicas == Some(7))
        })
        .await;
    settle().await;
    let changes = server
        .lines()
        .iter()
        .filter(|line| *line == "PATCH deployments/web")
        .count();
    assert_eq!(changes, 1, "{:?}", server.lines());
}

#[tokio::test(start_paused = true)]
async fn case_21_nothing_is_done_before_both_caches_are_filled() {
    let server = Server::default();
    server.put(&foo("a", "web", Some(1)));
    let mut held = server.hold_next("GET deployments");
    let (mut operator, _running) = Operator::running(&server);
    held.arrived().await;
    settle().await;
    assert!(operator.controller.check_synced().is_err());
    assert_eq!(server.lines(), <[String; 0]>::default());
    held.release();
    operator.events.next().await.unwrap();
    assert_eq!(operator.controller.check_synced(), Ok(()));
}

#[tokio::test(start_paused = true)]
async fn case_21_an_end_before_that_is_an_error() {
    let server = Server::default();
    let mut held = server.hold_next("GET deployments");
    let (operator, running) = Operator::running(&server);
    held.arrived().await;
    operator.ending.cancel();
    let error = running.await.unwrap().unwrap_err();
    assert!(matches!(error, ControllerError::NotSynced(_)));
    assert_eq!(error.to_string(), "failed to wait for caches to sync");
}

#[tokio::test(start_paused = true)]
async fn case_22_a_rename_makes_the_new_deployment_and_deletes_the_old_one() {
    let server = Server::default();
    let mut renamed = foo("a", "old", Some(1));
    let bystander = orphaned(deployment_of(&foo("b", "bystander", Some(1))));
    server.put(&renamed);
    server.put(&bystander);
    let (mut operator, _running) = Operator::running(&server);
    operator.events.next().await.unwrap();
    renamed.spec.deployment_name = "new".to_owned();
    server.put(&renamed);
    let names = |server: &Server| -> Vec<String> {
        let deployments = server.all("deployments");
        deployments
            .iter()
            .map(|deployment| deployment["metadata"]["name"].as_str().unwrap().to_owned())
            .collect()
    };
    server
        .until("the old one is gone", |server| {
            names(server) == ["bystander", "new"]
        })
        .await;
    // By UID, so that no other Deployment of that name can be hit.
    let writes = server.writes();
    let delete = writes
        .iter()
        .find(|write| write.line == "DELETE deployments/old")
        .unwrap();
    assert!(delete.body["preconditions"]["uid"].is_string());
}

#[tokio::test(start_paused = true)]
async fn case_22_an_old_deployment_that_is_gone_already_is_no_error() {
    let server = Server::default();
    let before = foo("a", "old", Some(1));
    let mut renamed = before.clone();
    renamed.spec.deployment_name = "new".to_owned();
    server.put(&renamed);
    server.put(&deployment_of(&before));
    let operator = Operator::watching(&server).await;
    server.refuse_next("DELETE deployments/old", 404, "NotFound");
    operator.controller.sync(&key("a")).await.unwrap();
    let expected = [
        "POST deployments",
        "DELETE deployments/old",
        "PATCH foos/a/status",
    ];
    assert_eq!(server.lines(), expected);
}

#[tokio::test(start_paused = true)]
async fn case_23_the_controller_deletes_nothing_when_a_foo_is_deleted() {
    let server = Server::default();
    let foo = foo("a", "web", Some(1));
    server.put(&foo);
    let (mut operator, _running) = Operator::running(&server);
    operator.events.next().await.unwrap();
    settle().await;
    let before = server.lines();
    server.remove(&foo);
    tokio::time::sleep(Duration::from_secs(120)).await;
    // The garbage collector takes the Deployment away, and it stays away.
    server.remove(&deployment_of(&foo));
    tokio::time::sleep(Duration::from_secs(120)).await;
    assert_eq!(server.lines(), before);
}

#[tokio::test(start_paused = true)]
async fn case_24_available_pods_show_in_the_status_of_the_foo() {
    let server = Server::default();
    let foo = foo("a", "web", Some(2));
    server.put(&foo);
    let (mut operator, _running) = Operator::running(&server);
    operator.events.next().await.unwrap();
    let deployment: Deployment = server.get(&deployment_of(&foo)).unwrap();
    server.put(&available(deployment, 2));
    server
        .until("the status follows", |server| {
            let status = server.get(&foo).and_then(|foo| foo.status);
            status
                .is_some_and(|status| status.available_replicas == 2 && status.conditions[0].status == "True")
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn case_25_the_second_of_two_foos_waits_longer_and_longer() {
    let server = Server::default();
    let (first, second) = (foo("a", "web", Some(1)), foo("b", "web", Some(1)));
    let deployment = deployment_of(&first);
    server.put(&first);
    server.put(&second);
    server.put(&deployment);
    let (mut operator, _running) = Operator::running(&server);
    let mut refused = Vec::new();
    while refused.len() < 12 {
        let occurrence = operator.events.next().await.unwrap();
        if occurrence.regarding.name.as_deref() == Some("b") {
            assert_eq!(occurrence.to_string(), TAKEN);
            refused.push(tokio::time::Instant::now());
        }
    }
    let waits: Vec<_> = refused.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(waits[10] > Duration::from_secs(2), "{waits:?}");
    assert_eq!(
        server.get(&deployment).unwrap().metadata.owner_references,
        deployment.metadata.owner_references
    );
    assert_eq!(server.lines(), ["PATCH foos/a/status"]);
}

#[tokio::test(start_paused = true)]
async fn case_26_events_are_in_the_namespace_of_the_foo_and_in_the_name_of_the_operator() {
    let server = Server::default();
    server.put(&foo("a", "web", Some(1)));
    let (recorder, writer) = Recorder::builder(server.client(), NAME).start();
    let controller = Controller::new(
        Clientset::new(server.client()),
        &[],
        recorder,
        &Metrics::default(),
    );
    let ending = CancellationToken::new();
    let running = tokio::spawn({
        let ending = ending.clone();
        async move { controller.run(1, ending).await }
    });
    server
        .until("an event is there", |server| !server.all("events").is_empty())
        .await;
    let event = &server.all("events")[0];
    assert_eq!(event["metadata"]["namespace"], "default");
    assert_eq!(event["source"]["component"], NAME);
    assert_eq!(
        (&event["type"], &event["reason"], &event["message"]),
        (
            &json!("Normal"),
            &json!("Synced"),
            &json!("Foo synced successfully")
        )
    );
    let involved = &event["involvedObject"];
    assert_eq!(
        (&involved["kind"], &involved["uid"]),
        (&json!("Foo"), &json!("uid-of-a"))
    );
    ending.cancel();
    running.await.unwrap().unwrap();
    assert!(writer.shutdown(Duration::from_secs(1)).await);
}

#[tokio::test(start_paused = true)]
async fn case_27_the_end_waits_for_what_is_queued_and_for_what_is_being_done() {
    let server = Server::default();
    for name in ["a", "b", "c"] {
        server.put(&foo(name, &format!("web-{name}"), Some(1)));
    }
    let mut held = server.hold_next("POST deployments");
    let (operator, running) = Operator::running(&server);
    held.arrived().await;
    operator.ending.cancel();
    settle().await;
    assert!(!running.is_finished());
    operator.controller.queue().add(key("late"));
    assert_eq!(operator.controller.queue().len(), 2, "new work is refused");
    held.release();
    running.await.unwrap().unwrap();
    assert_eq!(server.all("deployments").len(), 3);
    let written = server
        .all("foos")
        .iter()
        .filter(|foo| foo["status"].is_object())
        .count();
    assert_eq!(written, 3);
}

#[tokio::test(start_paused = true)]
async fn namespaces_that_are_not_asked_for_are_left_alone() {
    let server = Server::default();
    let mut elsewhere = foo("b", "web", Some(1));
    elsewhere.metadata.namespace = Some("elsewhere".to_owned());
    server.put(&foo("a", "web", Some(1)));
    server.put(&elsewhere);
    let (recorder, mut events) = Recorder::fake();
    let namespaces = ["default".to_owned()];
    let controller = Controller::new(
        Clientset::new(server.client()),
        &namespaces,
        recorder,
        &Metrics::default(),
    );
    let _running = tokio::spawn(async move { controller.run(1, CancellationToken::new()).await });
    events.next().await.unwrap();
    settle().await;
    assert_eq!(server.lines(), ["POST deployments", "PATCH foos/a/status"]);
}

#[tokio::test(start_paused = true)]
async fn conflicts_at_half_of_the_writes_lose_nothing() {
    let server = Server::default();
    let names: Vec<String> = (0..20).map(|number| format!("foo-{number}")).collect();
    for name in &names {
        server.put(&foo(name, &format!("web-of-{name}"), Some(1)));
        server.refuse_next("POST deployments", 409, "Conflict");
        server.refuse_next(&format!("PATCH foos/{name}/status"), 409, "Conflict");
    }
    let operator = Operator::new(&server);
    let _running = operator.run(4);
    let in_line = |server: &Server| {
        let foos = server.all("foos");
        foos.iter().all(|foo| foo["status"].is_object()) && server.all("deployments").len() == names.len()
    };
    server.until("every Foo is in line", in_line).await;
}
