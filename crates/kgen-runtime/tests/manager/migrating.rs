//! A storage migration as a task of the manager.

use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::manager::Manager;
use kgen_runtime::shutdown::Shutdown;
use serde_json::{Value, json};

use crate::scripted::lease::SharedLease;
use crate::support::log::Log;
use crate::support::{Api, Call, api, deployment, settle};
use crate::{DEPLOYMENTS, with_lease};

const CRD: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/deployments.apps";

fn definition() -> Value {
    json!({
        "metadata": {"generation": 3},
        "spec": {"versions": [
            {"name": "v1beta1", "served": true, "storage": false},
            {"name": "v1", "served": true, "storage": true},
        ]},
        "status": {"storedVersions": ["v1beta1", "v1"]},
    })
}

/// Returns the next request that is not an event about the lease.
async fn next(api: &mut Api) -> Call {
    loop {
        let call = api.next().await;
        if !call.path.ends_with("/events") {
            return call;
        }
        call.json(&json!({}));
    }
}

/// Answers the CRD, the list and the patch of one object.
async fn rewrite(api: &mut Api, answer: impl FnOnce(Call)) {
    let call = next(api).await;
    assert_eq!(call.line(), format!("GET {CRD}"));
    call.json(&definition());
    let call = next(api).await;
    assert_eq!(call.line(), format!("GET {DEPLOYMENTS}?limit=500"));
    call.items("2", &[deployment("web", "1")]);
    let call = next(api).await;
    assert_eq!(
        call.line(),
        "PATCH /apis/apps/v1/namespaces/default/deployments/web?fieldManager=kgen-migration"
    );
    assert_eq!(call.body, json!({}));
    answer(call);
}

#[tokio::test(start_paused = true)]
async fn the_leader_migrates_and_the_manager_goes_on() {
    let (log, _guard) = Log::collect();
    let (connection, mut api) = api();
    let lease = SharedLease::default();
    lease.put(json!({ "holderIdentity": "another", "leaseDurationSeconds": 3600 }));
    let mut manager = Manager::builder("operator")
        .leader_election(true)
        .with_client(with_lease(&lease, connection.client()), "system");
    manager.migrate_storage::<Deployment>();
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&signals).await });
    assert!(api.is_idle().await, "another replica leads");
    lease.delete();

    rewrite(&mut api, |call| call.json(&json!({}))).await;
    let call = next(&mut api).await;
    assert_eq!(
        call.line(),
        format!("PATCH {CRD}/status?fieldManager=kgen-migration")
    );
    assert_eq!(call.body[2]["value"], json!(["v1"]));
    call.json(&json!({}));
    settle().await;
    assert!(!running.is_finished(), "a task may end before the manager");
    let lines = log.lines_with("all objects are stored in the stored version");
    assert_eq!(lines.len(), 1, "{lines:?}");
    shutdown.signal();
    running.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_migration_that_fails_does_not_end_the_manager() {
    let (log, _guard) = Log::collect();
    let (connection, mut api) = api();
    let mut manager = Manager::builder("operator").with_client(connection.client().clone(), "system");
    manager.migrate_storage::<Deployment>();
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&signals).await });
    rewrite(&mut api, |call| call.refuse(422, "Invalid")).await;
    assert!(api.is_idle().await, "nothing is removed");
    assert!(!running.is_finished());
    let lines = log.lines_with("the storage migration failed");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("default/web"), "{lines:?}");
    shutdown.signal();
    running.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_migration_is_dropped_at_the_end() {
    let (connection, mut api) = api();
    let mut manager = Manager::builder("operator").with_client(connection.client().clone(), "system");
    manager.migrate_storage::<Deployment>();
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&signals).await });
    let call = api.next().await;
    assert_eq!(call.line(), format!("GET {CRD}"));
    shutdown.signal();
    running.await.unwrap().unwrap();
    assert!(call.is_abandoned());
}
