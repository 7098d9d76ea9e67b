//! The decisions of the reconciler, without a server: one test per behavior.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::sync::Arc;

use k8s_openapi::api::apps::v1::{Deployment, DeploymentCondition};
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kgen_runtime::recorder::EventType;
use memcached_operator::api::v1alpha1::{Memcached, MemcachedStatus};
use memcached_operator::reconcile::{Action, Observed, reconcile};
use serde_json::{Value, json};
use support::objects::{
    IMAGE, actions, available, deployment_of, fresh, going, memcached, noon, orphaned, pod,
};

/// One word per action, with the reason of an event.
fn words(actions: &[Action]) -> Vec<&'static str> {
    let word = |action: &Action| match action {
        Action::AddFinalizer => "add finalizer",
        Action::Create(_) => "create",
        Action::Repair(_) => "repair",
        Action::Delete { .. } => "delete",
        Action::WriteStatus(_) => "status",
        Action::Tell { reason, .. } => *reason,
        Action::RemoveFinalizer => "remove finalizer",
    };
    actions.iter().map(word).collect()
}

fn status_in(actions: &[Action]) -> MemcachedStatus {
    let status = actions.iter().find_map(|action| match action {
        Action::WriteStatus(status) => Some(status.clone()),
        _ => None,
    });
    status.expect("a status")
}

/// `Available=True ServersAvailable: 1 of 1 servers are available`, for each condition.
fn conditions(status: &MemcachedStatus) -> Vec<String> {
    let line = |condition: &k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition| {
        let text = format!("{}={} {}", condition.type_, condition.status, condition.reason);
        match condition.message.as_str() {
            "" => text,
            message => format!("{text}: {message}"),
        }
    };
    status.conditions.iter().map(line).collect()
}

/// The Memcached with the status that the operator would write.
fn settled(mut memcached: Memcached, deployment: &Deployment, pods: &[Arc<Pod>]) -> Memcached {
    memcached.status = Some(status_in(&actions(&memcached, Some(deployment), pods)));
    memcached
}

#[test]
fn case_01_a_new_memcached_gets_finalizer_deployment_and_status_in_this_order() {
    let actions = actions(&fresh("a", 3), None, &[]);
    assert_eq!(words(&actions), ["add finalizer", "create", "Created", "status"]);
    let status = status_in(&actions);
    assert_eq!(status.nodes, <[String; 0]>::default());
    assert_eq!(status.observed_generation, Some(1));
    assert_eq!(
        conditions(&status),
        [
            "Available=False ServersMissing: 0 of 3 servers are available",
            "Degraded=False AsExpected"
        ]
    );
}

#[test]
fn case_02_the_deployment_runs_memcached_under_the_restricted_standard() {
    let mut memcached = memcached("a", 3);
    memcached.spec.container_port = Some(12000);
    let deployment = serde_json::to_value(deployment_of(&memcached)).unwrap();
    assert_eq!(deployment["metadata"]["ownerReferences"][0]["uid"], "uid-of-a");
    assert_eq!(deployment["spec"]["replicas"], 3);
    let pod = &deployment["spec"]["template"]["spec"];
    assert_eq!(
        pod["securityContext"],
        json!({ "runAsNonRoot": true, "seccompProfile": { "type": "RuntimeDefault" } })
    );
    let server = &pod["containers"][0];
    assert_eq!(server["image"], IMAGE);
    assert_eq!(
        server["ports"],
        json!([{ "containerPort": 12000, "name": "memcached", "protocol": "TCP" }])
    );
    assert!(
        server["command"]
            .as_array()
            .unwrap()
            .contains(&json!("--port=12000"))
    );
    assert_eq!(
        server["securityContext"],
        json!({ "runAsNonRoot": true, "runAsUser": 1001, "allowPrivilegeEscalation": false,
                "capabilities": { "drop": ["ALL"] } })
    );
    let labels = &deployment["spec"]["template"]["metadata"]["labels"];
    assert_eq!(&deployment["spec"]["selector"]["matchLabels"], labels);
    assert_eq!(labels["app.kubernetes.io/instance"], "a");
}

#[test]
fn case_03_the_port_is_that_of_memcached_unless_it_is_named() {
    let deployment = deployment_of(&memcached("a", 1));
    let server = &deployment.spec.template.spec.unwrap().containers[0];
    assert_eq!(server.ports.as_ref().unwrap()[0].container_port, 11211);
}

#[test]
fn case_04_nodes_are_the_names_of_living_pods_in_order() {
    let memcached = memcached("a", 3);
    let mut ending = pod("a-3", "a");
    ending.metadata.deletion_timestamp = Some(Time(noon()));
    let mut failed = pod("a-4", "a");
    failed.status.as_mut().unwrap().phase = Some("Failed".to_owned());
    let pods = [pod("a-2", "a"), ending, failed, pod("a-1", "a")].map(Arc::new);
    let deployment = available(deployment_of(&memcached), 2);
    let status = status_in(&actions(&memcached, Some(&deployment), &pods));
    assert_eq!(status.nodes, ["a-1", "a-2"]);
    assert_eq!(
        conditions(&status)[0],
        "Available=False ServersMissing: 2 of 3 servers are available"
    );
}

#[test]
fn case_05_nothing_is_done_when_all_is_as_it_should_be() {
    let pods = [Arc::new(pod("a-1", "a"))];
    let memcached = memcached("a", 1);
    let deployment = available(deployment_of(&memcached), 1);
    let memcached = settled(memcached, &deployment, &pods);
    assert_eq!(
        conditions(memcached.status.as_ref().unwrap()),
        [
            "Available=True ServersAvailable: 1 of 1 servers are available",
            "Degraded=False AsExpected"
        ]
    );
    assert_eq!(actions(&memcached, Some(&deployment), &pods), []);
}

#[test]
fn case_06_a_transition_keeps_its_time_until_the_next() {
    let memcached = memcached("a", 1);
    let deployment = available(deployment_of(&memcached), 0);
    let memcached = settled(memcached, &deployment, &[]);
    let later = |deployment: &Deployment| {
        let observed = Observed {
            memcached: &memcached,
            deployment: Some(deployment),
            pods: &[Arc::new(pod("a-1", "a"))],
            image: IMAGE,
            now: "2026-06-01T13:00:00.7Z".parse().unwrap(),
        };
        let status = status_in(&reconcile(observed).unwrap());
        status
            .conditions
            .iter()
            .map(|condition| condition.last_transition_time.0.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(later(&deployment), ["2026-06-01T12:00:00Z"; 2]);
    assert_eq!(
        later(&available(deployment, 1)),
        ["2026-06-01T13:00:00Z", "2026-06-01T12:00:00Z"]
    );
}

#[test]
fn case_07_another_size_changes_that_very_deployment() {
    let deployment = deployment_of(&memcached("a", 1));
    let actions = actions(&memcached("a", 5), Some(&deployment), &[]);
    assert_eq!(words(&actions), ["repair", "Updated", "status"]);
    let Action::Repair(repair) = &actions[0] else {
        panic!("{actions:?}");
    };
    assert_eq!(repair.spec.replicas, Some(5));
    assert_eq!(repair.metadata.uid, deployment.metadata.uid);
    assert_eq!(repair.metadata.resource_version, None);
}

#[test]
fn case_08_whatever_is_ours_is_repaired() {
    let memcached = memcached("a", 1);
    let deployment = serde_json::to_value(deployment_of(&memcached)).unwrap();
    for (pointer, value) in [
        ("/spec/replicas", json!(4)),
        ("/metadata/labels/app.kubernetes.io~1name", json!("other")),
        (
            "/spec/template/metadata/labels/app.kubernetes.io~1name",
            json!("other"),
        ),
        ("/spec/template/spec/securityContext/runAsNonRoot", json!(false)),
        ("/spec/template/spec/containers/0/image", json!("redis")),
        (
            "/spec/template/spec/containers/0/command",
            json!(["memcached", "-vv"]),
        ),
        (
            "/spec/template/spec/containers/0/ports/0/containerPort",
            json!(80),
        ),
        (
            "/spec/template/spec/containers/0/securityContext/capabilities/drop",
            json!([]),
        ),
    ] {
        let mut changed = deployment.clone();
        *changed.pointer_mut(pointer).expect(pointer) = value;
        let changed: Deployment = serde_json::from_value(changed).unwrap();
        let actions = actions(&memcached, Some(&changed), &[]);
        assert_eq!(words(&actions)[..2], ["repair", "Updated"], "{pointer}");
    }
}

#[test]
fn case_09_what_others_add_is_theirs() {
    let memcached = memcached("a", 1);
    let mut deployment = serde_json::to_value(deployment_of(&memcached)).unwrap();
    let add = |deployment: &mut Value, pointer: &str, value: Value| {
        let list = deployment.pointer_mut(pointer).unwrap().as_array_mut().unwrap();
        list.insert(0, value);
    };
    deployment["metadata"]["labels"]["team"] = json!("blue");
    deployment["spec"]["template"]["metadata"]["annotations"] = json!({ "restarted": "today" });
    add(
        &mut deployment,
        "/spec/template/spec/containers",
        json!({ "name": "exporter", "image": "exporter" }),
    );
    let deployment: Deployment = serde_json::from_value(deployment).unwrap();
    let memcached = settled(memcached, &deployment, &[]);
    assert_eq!(actions(&memcached, Some(&deployment), &[]), []);
}

#[test]
fn case_10_a_foreign_deployment_is_left_alone_and_said_once() {
    let memcached = memcached("a", 1);
    let foreign = available(orphaned(deployment_of(&memcached)), 1);
    let actions = actions(&memcached, Some(&foreign), &[]);
    assert_eq!(words(&actions), ["NameTaken", "status"]);
    let Action::Tell {
        event_type, message, ..
    } = &actions[0]
    else {
        panic!("{actions:?}");
    };
    assert_eq!(*event_type, EventType::Warning);
    assert_eq!(
        message,
        "Deployment \"a\" already exists and is not managed by this Memcached"
    );
    assert_eq!(
        conditions(&status_in(&actions)),
        [
            "Available=False ServersMissing: 0 of 1 servers are available".to_owned(),
            format!("Degraded=True NameTaken: {message}")
        ]
    );
    let memcached = settled(memcached, &foreign, &[]);
    assert_eq!(support::objects::actions(&memcached, Some(&foreign), &[]), []);
}

#[test]
fn case_11_a_deployment_on_its_way_out_is_waited_for() {
    let memcached = memcached("a", 1);
    let mut deployment = deployment_of(&memcached);
    deployment.metadata.deletion_timestamp = Some(Time(noon()));
    deployment.spec.replicas = Some(9);
    assert_eq!(words(&actions(&memcached, Some(&deployment), &[])), ["status"]);
}

#[test]
fn case_12_what_the_deployment_complains_about_is_passed_on() {
    let memcached = memcached("a", 1);
    let mut deployment = available(deployment_of(&memcached), 0);
    for (kind, status) in [("ReplicaFailure", "True"), ("Progressing", "False")] {
        deployment.status.as_mut().unwrap().conditions = Some(vec![DeploymentCondition {
            type_: Some(kind.to_owned()),
            status: Some(status.to_owned()),
            message: Some("exceeded quota".to_owned()),
            ..DeploymentCondition::default()
        }]);
        let actions = actions(&memcached, Some(&deployment), &[]);
        assert_eq!(words(&actions), ["DeploymentFailing", "status"], "{kind}");
        assert_eq!(
            conditions(&status_in(&actions))[1],
            "Degraded=True DeploymentFailing: exceeded quota"
        );
    }
}

#[test]
fn case_13_deletion_takes_the_deployment_first() {
    let memcached = memcached("a", 1);
    let deployment = available(deployment_of(&memcached), 1);
    let actions = actions(&going(memcached), Some(&deployment), &[Arc::new(pod("a-1", "a"))]);
    assert_eq!(words(&actions), ["delete", "Deleting", "status"]);
    assert_eq!(
        actions[0],
        Action::Delete {
            uid: deployment.metadata.uid
        }
    );
    let status = status_in(&actions);
    assert_eq!(
        conditions(&status)[1],
        "Degraded=True Finalizing: Waiting for all servers to end"
    );
}

#[test]
fn case_14_deletion_waits_for_deployment_and_pods() {
    let memcached = going(memcached("a", 1));
    let mut deployment = deployment_of(&support::objects::memcached("a", 1));
    deployment.metadata.deletion_timestamp = Some(Time(noon()));
    let pods = [Arc::new(pod("a-1", "a"))];
    for (deployment, pods) in [
        (Some(&deployment), &pods[..]),
        (Some(&deployment), &[]),
        (None, &pods),
    ] {
        let actions = actions(&memcached, deployment, pods);
        assert_eq!(words(&actions), ["status"]);
    }
    let all_gone = actions(&memcached, None, &[]);
    assert_eq!(words(&all_gone), ["remove finalizer", "Deleted"]);
}

#[test]
fn case_15_deletion_spares_what_is_not_ours() {
    let foreign = orphaned(deployment_of(&memcached("a", 1)));
    let actions = actions(&going(memcached("a", 1)), Some(&foreign), &[]);
    assert_eq!(words(&actions), ["remove finalizer", "Deleted"]);
}

#[test]
fn case_16_whoever_has_no_finalizer_of_ours_and_goes_is_left_alone() {
    let mut memcached = going(fresh("a", 1));
    memcached.metadata.finalizers = Some(vec!["example.com/other".to_owned()]);
    let deployment = deployment_of(&support::objects::memcached("a", 1));
    for deployment in [None, Some(&deployment)] {
        assert_eq!(actions(&memcached, deployment, &[]), []);
    }
}

#[test]
fn case_17_conditions_of_others_change_nothing() {
    let pods = [Arc::new(pod("a-1", "a"))];
    let memcached = memcached("a", 1);
    let deployment = available(deployment_of(&memcached), 1);
    let mut memcached = settled(memcached, &deployment, &pods);
    let status = memcached.status.as_mut().unwrap();
    let mut foreign = status.conditions[0].clone();
    foreign.type_ = "Audited".to_owned();
    status.conditions.insert(0, foreign);
    assert_eq!(actions(&memcached, Some(&deployment), &pods), []);
}

#[test]
fn case_18_a_memcached_that_no_server_has_is_an_error() {
    let mut memcached = fresh("a", 1);
    memcached.metadata.uid = None;
    let observed = Observed {
        memcached: &memcached,
        deployment: None,
        pods: &[],
        image: IMAGE,
        now: noon(),
    };
    let error = reconcile(observed).unwrap_err();
    assert!(error.to_string().contains("uid"), "{error}");
}
