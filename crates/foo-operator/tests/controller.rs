//! The controller with its queue, caches and handlers. Each test runs on the fake, where time advances only when every task
//! waits, and on a real control plane. The numbers are those of the behaviors of the Go sample-controller.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::time::Duration;

use foo_operator::api::v1::{Foo, FooSpec};
use foo_operator::controller::{Controller, ControllerError, NAME};
use foo_operator::generated::Clientset;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Event, Namespace};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kgen_fake::both::{AnyCluster, on_fake};
use kgen_fake::{Request, Verb, on_both};
use kgen_runtime::metrics::Metrics;
use kgen_runtime::owner::is_controlled_by;
use kgen_runtime::recorder::Recorder;
use kube::api::PostParams;
use kube::{Api, ResourceExt};
use serde_json::{Value, json};
use support::cluster::{
    count, has_parameter, lines, make_available, unstored_deployment_of, with_deployment_of, with_foo, writes,
};
use support::objects::orphaned;
use support::operator::Operator;
use tokio_util::sync::CancellationToken;

const SYNCED: &str = "Normal Synced Foo synced successfully";
const TAKEN: &str = "Warning ErrResourceExists Resource \"web\" already exists and is not managed by Foo";
const TAKEN_ERROR: &str = "Resource \"web\" already exists and is not managed by Foo";
const NOTHING: [&str; 0] = [];

async fn status_of(cluster: &AnyCluster, name: &str) -> Option<foo_operator::api::v1::FooStatus> {
    let foo = cluster.get::<Foo>(name).await;
    foo.and_then(|foo| foo.status)
}

on_both!(
    case_01_a_new_foo_leads_to_one_create_a_status_and_an_event,
    |cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        let (mut operator, _running) = Operator::running(&cluster);
        assert_eq!(operator.told().await.to_string(), SYNCED);
        cluster
            .until("the status is written", async || lines(&cluster).len() == 2)
            .await;
        cluster.settled().await;
        assert_eq!(lines(&cluster), ["create deployments", "patch foos/status a"]);
        assert_eq!(operator.events.take(), NOTHING);
        let writes = writes(&cluster);
        let is_ours = format!("fieldManager={NAME}");
        assert!(writes.iter().all(|write| has_parameter(write, &is_ours)));
        assert_eq!(writes[0].body["metadata"]["name"], "web");
    }
);

// ANCHOR: paused
/// Ten minutes of resyncs take no time, because the clock is paused.
#[test]
fn case_02_a_foo_in_line_is_not_written_at_any_resync() {
    on_fake(|cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        with_deployment_of(&cluster, &foo).await;
        make_available(&cluster, "web", 1).await;
        let (mut operator, _running) = Operator::running(&cluster);
        tokio::time::sleep(Duration::from_secs(600)).await;
        assert_eq!(lines(&cluster), ["patch foos/status a"]);
        assert_eq!(operator.events.take(), [SYNCED], "once, when it is first seen");
    });
}
// ANCHOR_END: paused

// ANCHOR: both
on_both!(
    case_03_a_change_is_applied_by_force_and_foreign_labels_survive,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        let mut deployment = unstored_deployment_of(&foo);
        deployment.metadata.labels = Some([("team".to_owned(), "blue".to_owned())].into());
        cluster.create("web", &deployment).await;
        cluster
            .change("a", |foo: &mut Foo| foo.spec.replicas = Some(2))
            .await;

        let (mut operator, _running) = Operator::running(&cluster);
        operator.told().await;
        let write = &writes(&cluster)[0];
        assert_eq!(
            (write.verb, write.resource.as_str()),
            (Verb::Patch, "deployments")
        );
        assert_eq!(write.content_type, "application/apply-patch+yaml");
        assert!(has_parameter(write, "force=true"), "{}", write.query);
        assert!(
            has_parameter(write, &format!("fieldManager={NAME}")),
            "{}",
            write.query
        );
        let changed = cluster.get::<Deployment>("web").await.unwrap();
        assert_eq!(changed.spec.replicas, Some(2));
        assert_eq!(changed.metadata.labels.unwrap()["team"], "blue");
    }
);
// ANCHOR_END: both

on_both!(
    case_04_without_replicas_those_of_the_deployment_are_not_touched,
    |cluster| async move {
        with_foo(&cluster, "a", "web", None).await;
        let (mut operator, _running) = Operator::running(&cluster);
        operator.told().await;
        cluster
            .change("web", |deployment: &mut Deployment| {
                deployment.spec.replicas = Some(7);
                deployment.spec.template.spec.as_mut().unwrap().containers[0].image =
                    Some("caddy".to_owned());
            })
            .await;
        let image = async || {
            let deployment = cluster.get::<Deployment>("web").await?;
            deployment.spec.template.spec?.containers[0].image.clone()
        };
        cluster
            .until("the image is repaired", async || {
                image().await.as_deref() == Some("nginx:latest")
            })
            .await;
        let repaired = cluster.get::<Deployment>("web").await.unwrap();
        assert_eq!(repaired.spec.replicas, Some(7));
    }
);

on_both!(
    case_05_a_foreign_deployment_is_reported_and_tried_again_with_backoff,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        let foreign = orphaned(unstored_deployment_of(&foo));
        cluster.create("web", &foreign).await;
        let operator = Operator::watching(&cluster).await;
        let error = operator.sync("a").await.unwrap_err();
        assert_eq!(error.to_string(), TAKEN_ERROR);

        let (mut operator, _running) = Operator::running(&cluster);
        for _ in 0..4 {
            assert_eq!(operator.told().await.to_string(), TAKEN);
        }
        let key = operator.key("a");
        cluster
            .until("it is tried again", async || {
                operator.controller.queue().num_requeues(&key) >= 4
            })
            .await;
        assert_eq!(lines(&cluster), NOTHING);
        // As soon as the name is free, the Foo gets it.
        cluster.delete::<Deployment>("web").await;
        cluster
            .until("the Deployment is ours", async || {
                let deployment = cluster.get::<Deployment>("web").await;
                deployment.is_some_and(|deployment| is_controlled_by(&deployment, &foo))
            })
            .await;
    }
);

on_both!(
    case_06_a_deployment_of_another_foo_is_refused,
    |cluster| async move {
        let other = with_foo(&cluster, "other", "web", Some(1)).await;
        with_foo(&cluster, "a", "web", Some(1)).await;
        with_deployment_of(&cluster, &other).await;
        let operator = Operator::watching(&cluster).await;
        let error = operator.sync("a").await.unwrap_err();
        assert_eq!(error.to_string(), TAKEN_ERROR);
        assert_eq!(lines(&cluster), NOTHING);
    }
);

on_both!(
    case_07_a_deployment_of_a_foo_that_was_made_anew_is_refused,
    |cluster| async move {
        let before = with_foo(&cluster, "a", "web", Some(1)).await;
        with_deployment_of(&cluster, &before).await;
        cluster.delete::<Foo>("a").await;
        let again = with_foo(&cluster, "a", "web", Some(1)).await;
        assert_ne!(again.uid(), before.uid());
        let operator = Operator::watching(&cluster).await;
        let error = operator.sync("a").await.unwrap_err();
        assert_eq!(error.to_string(), TAKEN_ERROR);
        assert_eq!(lines(&cluster), NOTHING);
    }
);

on_both!(
    case_08_the_event_tells_of_changes_and_not_of_every_look,
    |cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        let (mut operator, _running) = Operator::running(&cluster);
        assert_eq!(operator.told().await.to_string(), SYNCED);
        make_available(&cluster, "web", 1).await;
        cluster
            .until("the status follows", async || {
                status_of(&cluster, "a")
                    .await
                    .is_some_and(|status| status.available_replicas == 1)
            })
            .await;
        cluster.settled().await;
        assert_eq!(operator.events.take(), NOTHING, "pods come and go without a word");
    }
);

on_both!(
    case_09_the_status_goes_to_its_subresource_and_the_spec_stays_as_it_is,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        with_deployment_of(&cluster, &foo).await;
        make_available(&cluster, "web", 1).await;
        let operator = Operator::watching(&cluster).await;
        operator.sync("a").await.unwrap();
        assert_eq!(lines(&cluster), ["patch foos/status a"]);
        let body = &writes(&cluster)[0].body;
        // Only what is ours, and only for this very Foo.
        let fields: Vec<_> = body.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["apiVersion", "kind", "metadata", "status"]);
        assert_eq!(body["metadata"]["uid"].as_str(), foo.uid().as_deref());
        let stored = cluster.get::<Foo>("a").await.unwrap();
        assert_eq!(stored.spec, foo.spec);
        assert_eq!(stored.metadata.generation, foo.metadata.generation);
        assert_eq!(stored.status.unwrap().available_replicas, 1);
    }
);

on_both!(case_10_a_foo_that_is_gone_is_no_error, |cluster| async move {
    cluster.define::<Foo>().await;
    let operator = Operator::watching(&cluster).await;
    operator.sync("gone").await.unwrap();
    assert_eq!(lines(&cluster), NOTHING);
});

/// Changes the object of this name in a list.
fn in_list(list: &mut Value, name: &str, pointer: &str, value: Value) {
    for item in list["items"].as_array_mut().unwrap() {
        if item["metadata"]["name"] == name {
            *item.pointer_mut(pointer).unwrap() = value.clone();
        }
    }
}

on_both!(
    case_10_an_object_that_cannot_be_read_is_not_gone,
    |cluster| async move {
        with_foo(&cluster, "broken", "x", Some(1)).await;
        let healthy = with_foo(&cluster, "healthy", "web", Some(1)).await;
        with_deployment_of(&cluster, &healthy).await;
        let faults = cluster.faults();
        faults
            .on(Verb::List, "foos")
            .alter(|list| in_list(list, "broken", "/spec/deploymentName", json!(1)));
        faults
            .on(Verb::List, "deployments")
            .alter(|list| in_list(list, "web", "/spec/replicas", json!("many")));
        let operator = Operator::watching(&cluster).await;
        for name in ["broken", "healthy"] {
            let error = operator.sync(name).await.unwrap_err();
            assert!(error.to_string().contains("cannot be read"), "{error}");
        }
        assert_eq!(lines(&cluster), NOTHING);
    }
);

on_both!(
    case_11_a_foo_without_a_name_waits_for_its_change,
    |cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        // The CRD refuses it, so it must be older than the CRD.
        cluster
            .faults()
            .on(Verb::List, "foos")
            .alter(|list| in_list(list, "a", "/spec/deploymentName", json!("")));
        let (mut operator, _running) = Operator::running(&cluster);
        cluster.settled().await;
        assert_eq!(operator.controller.queue().num_requeues(&operator.key("a")), 0);
        assert_eq!(lines(&cluster), NOTHING);
        cluster
            .change("a", |foo: &mut Foo| foo.spec.replicas = Some(2))
            .await;
        operator.told().await;
        cluster
            .until("the status is written", async || lines(&cluster).len() == 2)
            .await;
        assert_eq!(lines(&cluster), ["create deployments", "patch foos/status a"]);
    }
);

on_both!(
    case_12_every_failed_write_is_tried_again_and_success_is_told,
    |cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        let faults = cluster.faults();
        faults.on(Verb::Create, "deployments").once().fail(500);
        faults.on(Verb::Patch, "foos/status").once().fail(500);
        let (mut operator, _running) = Operator::running(&cluster);
        assert_eq!(operator.told().await.to_string(), SYNCED);
        cluster
            .until("the status is tried again", async || lines(&cluster).len() == 4)
            .await;
        let expected = [
            ("create deployments", 500),
            ("create deployments", 201),
            ("patch foos/status a", 500),
            ("patch foos/status a", 200),
        ];
        let codes: Vec<u16> = writes(&cluster).iter().map(|write| write.code).collect();
        let found: Vec<_> = lines(&cluster).into_iter().zip(codes).collect();
        assert_eq!(found, expected.map(|(line, code)| (line.to_owned(), code)));
        cluster.settled().await;
        let again = "whether it was told nobody knew before the status was written";
        assert_eq!(operator.events.take(), [SYNCED], "{again}");

        // The same for a change.
        faults.on(Verb::Patch, "deployments").once().fail(500);
        cluster
            .change("a", |foo: &mut Foo| foo.spec.replicas = Some(2))
            .await;
        operator.told().await;
        assert_eq!(count(&cluster, Verb::Patch, "deployments"), 2);
    }
);

on_both!(
    case_13_a_cache_that_is_behind_only_costs_another_try,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        let mut held = cluster.faults().on(Verb::Watch, "deployments").hold();
        let operator = Operator::watching(&cluster).await;
        held.arrived().await;
        // The Deployment is there, and no worker could know yet.
        with_deployment_of(&cluster, &foo).await;
        let error = operator.sync("a").await.unwrap_err();
        assert!(error.is_stale_cache(), "{error}");
        held.release();

        let (_operator, _running) = Operator::running(&cluster);
        cluster
            .until("the status is written", async || {
                status_of(&cluster, "a").await.is_some()
            })
            .await;
    }
);

on_both!(
    case_14_after_a_success_the_failures_are_forgotten,
    |cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        cluster
            .faults()
            .on(Verb::Create, "deployments")
            .times(3)
            .fail(500);
        let (mut operator, _running) = Operator::running(&cluster);
        operator.told().await;
        assert_eq!(count(&cluster, Verb::Create, "deployments"), 4);
        let key = operator.key("a");
        cluster
            .until("the failures are forgotten", async || {
                operator.controller.queue().num_requeues(&key) == 0
            })
            .await;
    }
);

on_both!(
    case_15_new_and_changed_foos_are_queued_and_deleted_ones_are_not,
    |cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        let operator = Operator::watching(&cluster).await;
        assert_eq!(operator.queued().await, ["a"]);
        cluster
            .change("a", |foo: &mut Foo| foo.spec.replicas = Some(2))
            .await;
        assert_eq!(operator.queued().await, ["a"]);
        with_foo(&cluster, "b", "other", Some(1)).await;
        assert_eq!(operator.queued().await, ["b"]);
        cluster.delete::<Foo>("a").await;
        operator.nothing_queued("a deleted Foo").await;
    }
);

#[test]
fn case_15_replayed_foos_are_queued() {
    on_fake(|cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        let operator = Operator::watching(&cluster).await;
        assert_eq!(operator.queued().await, ["a"]);
        tokio::time::sleep(Duration::from_secs(31)).await;
        assert_eq!(operator.queued().await, ["a"], "a resync");
    });
}

on_both!(
    case_16_what_happens_to_a_deployment_queues_its_foo,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        let operator = Operator::watching(&cluster).await;
        operator.queued().await;
        let deployment = with_deployment_of(&cluster, &foo).await;
        assert_eq!(operator.queued().await, ["a"], "added");
        make_available(&cluster, "web", 1).await;
        assert_eq!(operator.queued().await, ["a"], "updated");
        let set_owners = async |owners: Option<Vec<OwnerReference>>| {
            let change = |deployment: &mut Deployment| deployment.metadata.owner_references = owners.clone();
            cluster.change("web", change).await;
        };
        set_owners(None).await;
        assert_eq!(operator.queued().await, ["a"], "lost");
        set_owners(deployment.metadata.owner_references).await;
        assert_eq!(operator.queued().await, ["a"], "taken");
        cluster.delete::<Deployment>("web").await;
        assert_eq!(operator.queued().await, ["a"], "deleted");
    }
);

#[test]
fn case_16_a_replay_of_deployments_queues_nothing() {
    on_fake(|cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        with_deployment_of(&cluster, &foo).await;
        // The Deployments arrive ten seconds later, so their replays do not coincide with those of the Foos.
        let mut held = cluster.faults().on(Verb::List, "deployments").hold();
        let operator = Operator::new(&cluster);
        operator.controller.start();
        let _handlers = operator.controller.watch();
        held.arrived().await;
        tokio::time::sleep(Duration::from_secs(10)).await;
        held.release();
        assert_eq!(operator.queued().await, ["a"]);
        tokio::time::sleep(Duration::from_secs(25)).await;
        assert_eq!(operator.queued().await, ["a"], "replay of the Foos after 30 s");
        tokio::time::sleep(Duration::from_secs(15)).await;
        operator
            .nothing_queued("replay of the Deployments after 40 s")
            .await;
    });
}

on_both!(case_16_a_deleted_deployment_is_made_again, |cluster| async move {
    with_foo(&cluster, "a", "web", Some(1)).await;
    let (mut operator, _running) = Operator::running(&cluster);
    operator.told().await;
    cluster.settled().await;
    cluster.delete::<Deployment>("web").await;
    operator.told().await;
    assert_eq!(count(&cluster, Verb::Create, "deployments"), 2);
});

on_both!(
    case_17_a_deletion_that_nobody_saw_queues_the_foo_as_well,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        with_deployment_of(&cluster, &foo).await;
        let operator = Operator::watching(&cluster).await;
        operator.queued().await;
        // The watch breaks, the Deployment goes, and the server has forgotten about it when the watch is back.
        let mut held = cluster.faults().on(Verb::Watch, "deployments").hold();
        cluster.faults().drop_watches();
        held.arrived().await;
        cluster.delete::<Deployment>("web").await;
        cluster.faults().compact();
        held.release();
        assert_eq!(operator.queued().await, ["a"]);
    }
);

/// Creates a Deployment whose owner differs from the Foo in this way.
async fn with_owner(cluster: &AnyCluster, foo: &Foo, name: &str, change: impl FnOnce(&mut OwnerReference)) {
    let mut deployment = unstored_deployment_of(foo);
    change(&mut deployment.metadata.owner_references.as_mut().unwrap()[0]);
    cluster.create(name, &deployment).await;
}

on_both!(
    case_18_the_owner_is_found_by_group_kind_name_and_uid,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        let operator = Operator::watching(&cluster).await;
        operator.queued().await;
        let elsewhere = "example.org/v1alpha1";
        with_owner(&cluster, &foo, "other-group", |owner| {
            owner.api_version = elsewhere.to_owned()
        })
        .await;
        with_owner(&cluster, &foo, "other-name", |owner| {
            owner.name = "gone".to_owned()
        })
        .await;
        with_owner(&cluster, &foo, "other-uid", |owner| {
            owner.uid = "before".to_owned()
        })
        .await;
        operator.nothing_queued("another owner").await;
        with_owner(&cluster, &foo, "same", |_| ()).await;
        assert_eq!(operator.queued().await, ["a"]);
        with_owner(&cluster, &foo, "other-version", |owner| {
            owner.api_version = "example.com/v1".to_owned()
        })
        .await;
        assert_eq!(operator.queued().await, ["a"]);
    }
);

on_both!(
    case_19_other_kinds_and_owners_that_do_not_control_queue_nothing,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        let operator = Operator::watching(&cluster).await;
        operator.queued().await;
        with_owner(&cluster, &foo, "unset", |owner| owner.controller = None).await;
        with_owner(&cluster, &foo, "no-controller", |owner| {
            owner.controller = Some(false)
        })
        .await;
        with_owner(&cluster, &foo, "other-kind", |owner| {
            owner.kind = "Bar".to_owned()
        })
        .await;
        with_owner(&cluster, &foo, "no-group", |owner| {
            owner.api_version = "v1".to_owned()
        })
        .await;
        operator.nothing_queued("not controlled by the Foo").await;
    }
);

/// On a real cluster, nobody knows whether the cache has seen all changes when the run goes on.
#[test]
fn case_20_changes_before_a_run_are_one_run_and_changes_during_it_one_more() {
    on_fake(|cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        let mut held = cluster.faults().on(Verb::Create, "deployments").hold();
        let operator = Operator::watching(&cluster).await;
        let scale = async |replicas| {
            cluster
                .change("a", |foo: &mut Foo| foo.spec.replicas = Some(replicas))
                .await;
        };
        for replicas in 2..5 {
            scale(replicas).await;
        }
        cluster.settled().await;
        assert_eq!(operator.controller.queue().len(), 1);

        // Two workers, and the second has nothing to do although there are changes.
        let _running = operator.run(2);
        held.arrived().await;
        for replicas in 5..8 {
            scale(replicas).await;
        }
        cluster.settled().await;
        assert_eq!(lines(&cluster), NOTHING, "the first write is held back");
        assert_eq!(
            operator.controller.queue().len(),
            0,
            "it is queued again when the run is over"
        );
        held.release();
        cluster
            .until("the last change is there", async || {
                let deployment = cluster.get::<Deployment>("web").await;
                deployment.is_some_and(|deployment| deployment.spec.replicas == Some(7))
            })
            .await;
        cluster.settled().await;
        assert_eq!(
            count(&cluster, Verb::Patch, "deployments"),
            1,
            "{:?}",
            lines(&cluster)
        );
    });
}

on_both!(
    case_21_nothing_is_done_before_both_caches_are_filled,
    |cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        let mut held = cluster.faults().on(Verb::List, "deployments").hold();
        let (mut operator, _running) = Operator::running(&cluster);
        held.arrived().await;
        cluster.settled().await;
        assert!(operator.controller.check_synced().is_err());
        assert_eq!(lines(&cluster), NOTHING);
        held.release();
        operator.told().await;
        assert!(operator.controller.check_synced().is_ok());
    }
);

on_both!(case_21_an_end_before_that_is_an_error, |cluster| async move {
    cluster.define::<Foo>().await;
    let mut held = cluster.faults().on(Verb::List, "deployments").hold();
    let (operator, running) = Operator::running(&cluster);
    held.arrived().await;
    operator.ending.cancel();
    let error = running.await.unwrap().unwrap_err();
    assert!(matches!(error, ControllerError::NotSynced(_)));
    assert_eq!(error.to_string(), "failed to wait for caches to sync");
});

on_both!(
    case_22_a_rename_makes_the_new_deployment_and_deletes_the_old_one,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "old", Some(1)).await;
        let bystander = orphaned(unstored_deployment_of(&foo));
        cluster.create("bystander", &bystander).await;
        let (mut operator, _running) = Operator::running(&cluster);
        operator.told().await;
        let old = cluster.get::<Deployment>("old").await.unwrap();
        cluster
            .change("a", |foo: &mut Foo| foo.spec.deployment_name = "new".to_owned())
            .await;
        let names = async || -> Vec<String> {
            let deployments = cluster.list::<Deployment>().await;
            deployments.iter().map(ResourceExt::name_any).collect()
        };
        cluster
            .until("the old one is gone", async || {
                names().await == ["bystander", "new"]
            })
            .await;
        // By UID, so that no other Deployment of that name can be hit.
        cluster
            .until("the deletion is recorded", async || {
                count(&cluster, Verb::Delete, "deployments") == 1
            })
            .await;
        let writes = writes(&cluster);
        let delete = writes.iter().find(|write| write.verb == Verb::Delete).unwrap();
        assert_eq!(delete.body["preconditions"]["uid"].as_str(), old.uid().as_deref());
    }
);

on_both!(
    case_22_an_old_deployment_that_is_gone_already_is_no_error,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "old", Some(1)).await;
        with_deployment_of(&cluster, &foo).await;
        cluster
            .change("a", |foo: &mut Foo| foo.spec.deployment_name = "new".to_owned())
            .await;
        let mut held = cluster.faults().on(Verb::Watch, "deployments").hold();
        let operator = Operator::watching(&cluster).await;
        held.arrived().await;
        cluster.delete::<Deployment>("old").await;
        operator.sync("a").await.unwrap();
        let expected = [
            "create deployments",
            "delete deployments old",
            "patch foos/status a",
        ];
        assert_eq!(lines(&cluster), expected);
        assert_eq!(writes(&cluster)[1].code, 404);
        held.release();
    }
);

on_both!(
    case_23_the_controller_deletes_nothing_when_a_foo_is_deleted,
    |cluster| async move {
        with_foo(&cluster, "a", "web", Some(1)).await;
        let (mut operator, _running) = Operator::running(&cluster);
        operator.told().await;
        cluster
            .until("the status is written", async || lines(&cluster).len() == 2)
            .await;
        cluster.delete::<Foo>("a").await;
        // A watch tells everything in its order, so an operator that knows this Foo knows about the deletion.
        with_foo(&cluster, "b", "other", Some(1)).await;
        operator.told().await;
        cluster
            .until("the second status is written", async || {
                lines(&cluster).len() == 4
            })
            .await;
        // The garbage collector takes the Deployment away, and it stays away. That of the other Foo comes back, and
        // the only worker takes the keys in the order of the deletions.
        cluster.delete::<Deployment>("web").await;
        cluster.delete::<Deployment>("other").await;
        cluster
            .until("the other Deployment is back", async || {
                cluster.get::<Deployment>("other").await.is_some()
            })
            .await;
        cluster.advance(Duration::from_secs(120)).await;
        assert!(cluster.get::<Deployment>("web").await.is_none());
        let writes = writes(&cluster);
        assert!(writes.iter().all(|write| write.verb != Verb::Delete));
        let of_web = |write: &&Request| {
            ["a", "web"].contains(&write.name.as_str()) || write.body["metadata"]["name"] == "web"
        };
        assert_eq!(writes.iter().filter(of_web).count(), 2, "{writes:#?}");
    }
);

on_both!(
    case_24_available_pods_show_in_the_status_of_the_foo,
    |cluster| async move {
        with_foo(&cluster, "a", "web", Some(2)).await;
        let (mut operator, _running) = Operator::running(&cluster);
        operator.told().await;
        make_available(&cluster, "web", 2).await;
        cluster
            .until("the status follows", async || {
                let status = status_of(&cluster, "a").await;
                status.is_some_and(|status| {
                    status.available_replicas == 2 && status.conditions[0].status == "True"
                })
            })
            .await;
    }
);

on_both!(
    case_25_the_second_of_two_foos_waits_longer_and_longer,
    |cluster| async move {
        let first = with_foo(&cluster, "a", "web", Some(1)).await;
        with_foo(&cluster, "b", "web", Some(1)).await;
        let deployment = with_deployment_of(&cluster, &first).await;
        let (mut operator, _running) = Operator::running(&cluster);
        let mut refused = Vec::new();
        while refused.len() < 12 {
            let occurrence = operator.told().await;
            if occurrence.regarding.name.as_deref() == Some("b") {
                assert_eq!(occurrence.to_string(), TAKEN);
                refused.push(tokio::time::Instant::now());
            }
        }
        let waits: Vec<_> = refused.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(waits[10] > Duration::from_secs(2), "{waits:?}");
        assert_eq!(
            cluster
                .get::<Deployment>("web")
                .await
                .unwrap()
                .metadata
                .owner_references,
            deployment.metadata.owner_references
        );
        assert_eq!(lines(&cluster), ["patch foos/status a"]);
    }
);

on_both!(
    case_26_events_are_in_the_namespace_of_the_foo_and_in_the_name_of_the_operator,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        let (recorder, writer) = Recorder::builder(cluster.client(), NAME).start();
        let controller = Controller::new(
            Clientset::new(cluster.client()),
            &[cluster.namespace().to_owned()],
            recorder,
            &Metrics::default(),
        );
        let ending = CancellationToken::new();
        let running = tokio::spawn({
            let ending = ending.clone();
            async move { controller.run(1, ending).await }
        });
        cluster
            .until("an event is there", async || {
                !cluster.list::<Event>().await.is_empty()
            })
            .await;
        let event = serde_json::to_value(&cluster.list::<Event>().await[0]).unwrap();
        assert_eq!(event["metadata"]["namespace"], cluster.namespace());
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
            (&json!("Foo"), &json!(foo.uid()))
        );
        ending.cancel();
        running.await.unwrap().unwrap();
        assert!(writer.shutdown(Duration::from_secs(10)).await);
    }
);

on_both!(
    case_27_the_end_waits_for_what_is_queued_and_for_what_is_being_done,
    |cluster| async move {
        for name in ["a", "b", "c"] {
            with_foo(&cluster, name, &format!("web-{name}"), Some(1)).await;
        }
        let mut held = cluster.faults().on(Verb::Create, "deployments").hold();
        let (operator, running) = Operator::running(&cluster);
        held.arrived().await;
        operator.ending.cancel();
        cluster.settled().await;
        assert!(!running.is_finished());
        operator.controller.queue().add(operator.key("late"));
        assert_eq!(operator.controller.queue().len(), 2, "new work is refused");
        held.release();
        running.await.unwrap().unwrap();
        assert_eq!(cluster.list::<Deployment>().await.len(), 3);
        let foos = cluster.list::<Foo>().await;
        assert_eq!(foos.iter().filter(|foo| foo.status.is_some()).count(), 3);
    }
);

on_both!(
    case_28_the_definition_refuses_what_it_should,
    |cluster| async move {
        cluster.define::<Foo>().await;
        for (deployment_name, replicas) in [("web", 0), ("web", 11), ("", 1), ("Not a label", 1)] {
            let spec = FooSpec {
                deployment_name: deployment_name.to_owned(),
                replicas: Some(replicas),
                ..FooSpec::default()
            };
            let foos = cluster.api::<Foo>();
            let refused = foos.create(&PostParams::default(), &Foo::new("bad", spec)).await;
            let Err(kube::Error::Api(refused)) = refused else {
                panic!("{deployment_name:?} with {replicas} is not refused")
            };
            assert_eq!(
                (refused.code, refused.reason.as_str()),
                (422, "Invalid"),
                "{refused}"
            );
        }
    }
);

on_both!(
    namespaces_that_are_not_asked_for_are_left_alone,
    |cluster| async move {
        let foo = with_foo(&cluster, "a", "web", Some(1)).await;
        let name = format!("{}-elsewhere", cluster.namespace());
        let mut namespace = Namespace::default();
        namespace.metadata.name = Some(name.clone());
        let namespaces: Api<Namespace> = Api::all(cluster.admin());
        namespaces
            .create(&PostParams::default(), &namespace)
            .await
            .unwrap();
        let elsewhere: Api<Foo> = Api::namespaced(cluster.admin(), &name);
        let other = Foo::new("b", foo.spec.clone());
        elsewhere.create(&PostParams::default(), &other).await.unwrap();
        let (mut operator, _running) = Operator::running(&cluster);
        operator.told().await;
        cluster
            .until("the status is written", async || lines(&cluster).len() == 2)
            .await;
        cluster.settled().await;
        assert_eq!(lines(&cluster), ["create deployments", "patch foos/status a"]);
    }
);

on_both!(
    conflicts_at_half_of_the_writes_lose_nothing,
    |cluster| async move {
        cluster
            .faults()
            .on(Verb::Create, "deployments")
            .every(2)
            .conflict();
        cluster
            .faults()
            .on(Verb::Patch, "foos/status")
            .every(2)
            .conflict();
        for number in 0..20 {
            with_foo(
                &cluster,
                &format!("foo-{number}"),
                &format!("web-{number}"),
                Some(1),
            )
            .await;
        }
        let operator = Operator::new(&cluster);
        let _running = operator.run(4);
        cluster
            .until("every Foo is in line", async || {
                let foos = cluster.list::<Foo>().await;
                foos.iter().all(|foo| foo.status.is_some()) && cluster.list::<Deployment>().await.len() == 20
            })
            .await;
    }
);
