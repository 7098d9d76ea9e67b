//! kube's controller on informers. Each test runs on the fake, where time advances only when every task waits, and on a real
//! control plane. The numbers continue those of `reconcile.rs`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kgen_fake::both::{AnyCluster, on_fake};
use kgen_fake::{Verb, on_both};
use kgen_runtime::metrics::Format;
use kube::ResourceExt;
use memcached_operator::api::v1alpha1::Memcached;
use memcached_operator::controller::{ControllerError, NAME};
use memcached_operator::reconcile::FINALIZER;
use support::cluster::{has_parameter, lines, make_available, unstored_deployment_of, with, with_pod, write};
use support::objects::{fresh, memcached, orphaned};
use support::operator::Operator;

const CREATED: &str = "Normal Created Created Deployment \"a\"";
const NOTHING: [&str; 0] = [];

async fn nodes(cluster: &AnyCluster) -> Vec<String> {
    let memcached = cluster.get::<Memcached>("a").await.unwrap();
    memcached.status.unwrap_or_default().nodes
}

on_both!(
    case_19_a_new_memcached_leads_to_three_writes_and_an_event,
    |cluster| async move {
        let stored = with(&cluster, &fresh("a", 1)).await;
        let mut operator = Operator::running(&cluster, 1);
        assert_eq!(operator.told(1).await, [CREATED]);
        cluster
            .until("the status is written", async || lines(&cluster).len() == 3)
            .await;
        cluster.settled().await;
        assert_eq!(
            lines(&cluster),
            [
                "patch memcacheds a",
                "patch deployments a",
                "patch memcacheds/status a"
            ]
        );
        assert_eq!(operator.events.take(), NOTHING);
        let writes = cluster.writes();
        let kept = cluster.get::<Memcached>("a").await.unwrap();
        assert_eq!(kept.finalizers(), [FINALIZER]);
        for write in &writes[1..] {
            assert_eq!(write.content_type, "application/apply-patch+yaml");
            assert!(
                has_parameter(write, &format!("fieldManager={NAME}")),
                "{}",
                write.query
            );
        }
        // An existing object of another owner must not be taken over.
        assert!(!has_parameter(&writes[1], "force=true"), "{}", writes[1].query);
        assert!(has_parameter(&writes[2], "force=true"), "{}", writes[2].query);
        assert_eq!(
            writes[2].body["metadata"]["uid"].as_str(),
            stored.uid().as_deref()
        );
    }
);

#[test]
fn case_20_a_memcached_in_line_is_not_written_at_any_resync() {
    on_fake(|cluster| async move {
        let memcached = with(&cluster, &memcached("a", 1)).await;
        cluster.create("a", &unstored_deployment_of(&memcached)).await;
        make_available(&cluster, "a", 1).await;
        with_pod(&cluster, "a-1", "a").await;
        let mut operator = Operator::running(&cluster, 1);
        cluster
            .until("the status is written", async || nodes(&cluster).await == ["a-1"])
            .await;
        tokio::time::sleep(Duration::from_secs(3600)).await;
        assert_eq!(lines(&cluster), ["patch memcacheds/status a"]);
        assert_eq!(operator.events.take(), NOTHING);
    });
}

on_both!(case_21_pods_come_and_go_in_the_status, |cluster| async move {
    with(&cluster, &memcached("a", 3)).await;
    let _operator = Operator::running(&cluster, 1);
    with_pod(&cluster, "b-1", "b").await;
    for (name, expected) in [("a-2", &["a-2"][..]), ("a-1", &["a-1", "a-2"])] {
        with_pod(&cluster, name, "a").await;
        cluster
            .until(name, async || nodes(&cluster).await == expected)
            .await;
    }
    cluster.delete::<Pod>("a-2").await;
    cluster
        .until("a-2 is gone", async || nodes(&cluster).await == ["a-1"])
        .await;
});

on_both!(
    case_22_a_deployment_that_was_changed_or_deleted_is_put_right,
    |cluster| async move {
        let memcached = with(&cluster, &memcached("a", 3)).await;
        cluster.create("a", &unstored_deployment_of(&memcached)).await;
        let mut operator = Operator::running(&cluster, 1);
        cluster
            .until("the status is written", async || !lines(&cluster).is_empty())
            .await;
        cluster
            .change("a", |deployment: &mut Deployment| {
                deployment.spec.replicas = Some(7)
            })
            .await;
        assert_eq!(
            operator.told(1).await,
            ["Normal Updated Changed Deployment \"a\" to 3 servers as described"]
        );
        let repaired = cluster.get::<Deployment>("a").await.unwrap();
        assert_eq!(repaired.spec.replicas, Some(3));
        assert!(has_parameter(
            &write(&cluster, "patch deployments a"),
            "force=true"
        ));

        cluster.delete::<Deployment>("a").await;
        assert_eq!(operator.told(1).await, [CREATED]);
        assert!(cluster.get::<Deployment>("a").await.is_some());
    }
);

on_both!(
    case_23_the_end_of_a_foreign_deployment_frees_its_name,
    |cluster| async move {
        let memcached = with(&cluster, &memcached("a", 1)).await;
        let foreign = orphaned(unstored_deployment_of(&memcached));
        cluster.create("a", &foreign).await;
        let mut operator = Operator::running(&cluster, 1);
        let taken = "Warning NameTaken Deployment \"a\" already exists and is not managed by this Memcached";
        assert_eq!(operator.told(1).await, [taken]);
        cluster
            .until("the status is written", async || !lines(&cluster).is_empty())
            .await;
        cluster.advance(Duration::from_secs(3600)).await;
        assert_eq!(lines(&cluster), ["patch memcacheds/status a"], "it is said once");
        cluster.delete::<Deployment>("a").await;
        assert_eq!(operator.told(1).await, [CREATED]);
    }
);

on_both!(
    case_24_a_deleted_memcached_goes_after_its_servers,
    |cluster| async move {
        let memcached = with(&cluster, &memcached("a", 1)).await;
        cluster.create("a", &unstored_deployment_of(&memcached)).await;
        with_pod(&cluster, "a-1", "a").await;
        let mut operator = Operator::running(&cluster, 1);
        cluster
            .until("the status is written", async || nodes(&cluster).await == ["a-1"])
            .await;
        cluster.delete::<Memcached>("a").await;
        assert_eq!(
            operator.told(1).await,
            ["Normal Deleting Deleting Deployment \"a\" and waiting for its servers to end"]
        );
        let deletion = write(&cluster, "delete deployments a").body;
        assert_eq!(deletion["propagationPolicy"], "Foreground");
        assert!(deletion["preconditions"]["uid"].is_string());
        // The garbage collector deletes the ReplicaSets, and then lets the Deployment go.
        cluster
            .change("a", |deployment: &mut Deployment| {
                deployment.metadata.finalizers = Some(Vec::new());
            })
            .await;
        cluster
            .until("the Deployment is gone", async || {
                cluster.get::<Deployment>("a").await.is_none()
            })
            .await;
        cluster.settled().await;
        let left = cluster.get::<Memcached>("a").await.expect("a pod is still there");
        assert_eq!(left.status.unwrap().conditions[1].reason, "Finalizing");

        cluster.delete::<Pod>("a-1").await;
        assert_eq!(operator.told(1).await, ["Normal Deleted All servers have ended"]);
        cluster
            .until("the Memcached is gone", async || {
                cluster.get::<Memcached>("a").await.is_none()
            })
            .await;
        cluster.settled().await;
        assert_eq!(
            lines(&cluster).last().map(String::as_str),
            Some("patch memcacheds a"),
            "nothing is written about what is gone"
        );
    }
);

on_both!(
    case_25_a_deletion_before_the_finalizer_makes_nothing,
    |cluster| async move {
        with(&cluster, &fresh("a", 1)).await;
        let mut held = cluster.faults().on(Verb::Patch, "memcacheds").hold();
        let mut operator = Operator::running(&cluster, 1);
        held.arrived().await;
        cluster.delete::<Memcached>("a").await;
        held.release();
        cluster
            .until("the write is answered", async || !lines(&cluster).is_empty())
            .await;
        cluster.settled().await;
        assert_eq!(lines(&cluster), ["patch memcacheds a"]);
        assert_eq!(operator.events.take(), NOTHING);
    }
);

on_both!(
    case_26_a_refused_write_is_told_and_tried_again_with_growing_delays,
    |cluster| async move {
        with(&cluster, &memcached("a", 1)).await;
        cluster.faults().on(Verb::Patch, "deployments").times(3).fail(422);
        let began = tokio::time::Instant::now();
        let mut operator = Operator::running(&cluster, 1);
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
);

on_both!(case_27_a_conflict_is_no_news, |cluster| async move {
    with(&cluster, &memcached("a", 1)).await;
    cluster.faults().on(Verb::Patch, "deployments").once().conflict();
    let mut operator = Operator::running(&cluster, 1);
    assert_eq!(operator.told(1).await, [CREATED]);
});

on_both!(
    case_28_broken_watches_and_forgotten_history_lose_nothing,
    |cluster| async move {
        with(&cluster, &memcached("a", 1)).await;
        let mut operator = Operator::running(&cluster, 1);
        assert_eq!(operator.told(1).await, [CREATED]);
        cluster.settled().await;
        let mut held = cluster.faults().on(Verb::Watch, "deployments").hold();
        cluster.faults().drop_watches();
        held.arrived().await;
        cluster.delete::<Deployment>("a").await;
        with(&cluster, &fresh("b", 1)).await;
        cluster.faults().compact();
        held.release();
        cluster
            .until("both have Deployments", async || {
                cluster.get::<Deployment>("a").await.is_some()
                    && cluster.get::<Deployment>("b").await.is_some()
            })
            .await;
    }
);

on_both!(
    case_29_the_end_waits_for_what_is_in_progress,
    |cluster| async move {
        with(&cluster, &memcached("a", 1)).await;
        let mut held = cluster.faults().on(Verb::Patch, "deployments").hold();
        let operator = Operator::running(&cluster, 1);
        held.arrived().await;
        operator.ending.cancel();
        cluster.settled().await;
        assert!(!operator.running.is_finished());
        held.release();
        operator.running.await.unwrap().unwrap();
        let memcached = cluster.get::<Memcached>("a").await.unwrap();
        assert!(memcached.status.is_some(), "all of it");
    }
);

on_both!(
    case_30_an_end_before_the_caches_are_filled_is_an_error,
    |cluster| async move {
        let mut held = cluster.faults().on(Verb::List, "memcacheds").hold();
        let operator = Operator::running(&cluster, 1);
        held.arrived().await;
        assert!(operator.controller.check_synced().is_err());
        operator.ending.cancel();
        let error = operator.running.await.unwrap().unwrap_err();
        assert!(matches!(error, ControllerError::NotSynced(_)), "{error}");
    }
);

on_both!(
    case_31_one_watch_for_each_kind_serves_controller_and_listers,
    |cluster| async move {
        with(&cluster, &memcached("a", 1)).await;
        let mut operator = Operator::running(&cluster, 4);
        operator.told(1).await;
        cluster.settled().await;
        assert_eq!(operator.controller.check_synced(), Ok(()));
        let requests = cluster.requests();
        let resources = |verb: Verb| -> Vec<&str> {
            let requests = requests.iter().filter(|request| request.verb == verb);
            let mut resources: Vec<&str> = requests.map(|request| request.resource.as_str()).collect();
            resources.sort_unstable();
            resources
        };
        // Each watch has one list before it, however often it is opened again.
        let lists = resources(Verb::List);
        let mut watches = resources(Verb::Watch);
        if cluster.is_real() {
            watches.dedup();
        }
        assert_eq!(lists.len(), 3, "{lists:?}");
        assert_eq!(watches, lists);
    }
);
