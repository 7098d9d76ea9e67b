//! The actions for a Foo, without a server. The numbers are those of the behaviors of the Go sample-controller that the
//! operator keeps; a test says if the operator does better.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::sync::Arc;

use foo_operator::api::v1::{Foo, FooStatus};
use foo_operator::reconcile::{Action, Failure, Observed, reconcile};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, OwnerReference, Time};
use k8s_openapi::jiff::Timestamp;
use kgen_runtime::recorder::EventType;
use kube::CustomResourceExt;
use serde_json::{Value, json};
use support::objects::{available, deployment_of, foo, noon, orphaned};

/// Returns the actions, for an operator without history, at noon.
fn actions(foo: &Foo, deployment: Option<&Deployment>) -> Vec<Action> {
    actions_with(foo, deployment, &[])
}

fn actions_with(foo: &Foo, deployment: Option<&Deployment>, owned: &[Arc<Deployment>]) -> Vec<Action> {
    reconcile(Observed {
        foo,
        deployment,
        owned,
        now: noon(),
    })
}

/// Returns each action in a word or two.
fn words(actions: &[Action]) -> Vec<String> {
    let word = |action: &Action| match action {
        Action::Create(_) => "create".to_owned(),
        Action::Apply(_) => "apply".to_owned(),
        Action::Delete { name, .. } => format!("delete {name}"),
        Action::WriteStatus(_) => "status".to_owned(),
        Action::Tell { reason, .. } => format!("tell {reason}"),
        Action::Fail(_) => "fail".to_owned(),
    };
    actions.iter().map(word).collect()
}

/// Returns the Foo as it is when everything has been done.
fn settled(mut foo: Foo, deployment: &Deployment) -> Foo {
    for action in actions(&foo.clone(), Some(deployment)) {
        if let Action::WriteStatus(status) = action {
            foo.status = Some(status);
        }
    }
    foo
}

fn status_of(actions: &[Action]) -> &FooStatus {
    let mut statuses = actions.iter().filter_map(|action| match action {
        Action::WriteStatus(status) => Some(status),
        _ => None,
    });
    statuses.next().expect("the status is written")
}

#[test]
fn case_01_a_new_foo_gets_a_deployment_a_status_and_an_event() {
    let actions = actions(&foo("example", "web", Some(3)), None);
    assert_eq!(words(&actions), ["create", "tell Synced", "status"]);
    let Action::Create(created) = &actions[0] else {
        panic!("it is created first")
    };
    let labels = json!({ "app": "nginx", "controller": "example" });
    let expected = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": "web",
            "namespace": "default",
            "ownerReferences": [{
                "apiVersion": "example.com/v1",
                "kind": "Foo",
                "name": "example",
                "uid": "uid-of-example",
                "controller": true,
                "blockOwnerDeletion": true,
            }],
        },
        "spec": {
            "replicas": 3,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "nginx", "image": "nginx:latest" }] },
            },
        },
    });
    assert_eq!(serde_json::to_value(created).unwrap(), expected);
}

// ANCHOR: pure
#[test]
fn case_02_a_deployment_as_it_should_be_is_left_alone() {
    let foo = foo("example", "web", Some(1));
    let deployment = deployment_of(&foo);
    assert_eq!(
        words(&actions(&foo, Some(&deployment))),
        ["tell Synced", "status"]
    );
    // Unlike in Go, an equal status is not written again, and there is no event.
    let foo = settled(foo, &deployment);
    assert_eq!(actions(&foo, Some(&deployment)), []);
}
// ANCHOR_END: pure

#[test]
fn case_03_other_replicas_are_applied_and_nothing_else_is_claimed() {
    let mut foo = foo("example", "web", Some(1));
    let mut deployment = deployment_of(&foo);
    foo.spec.replicas = Some(2);
    deployment.metadata.labels = Some([("team".to_owned(), "blue".to_owned())].into());
    let actions = actions(&foo, Some(&deployment));
    assert_eq!(words(&actions), ["apply", "tell Synced", "status"]);
    let Action::Apply(applied) = &actions[0] else {
        panic!("it is applied first")
    };
    let applied = serde_json::to_value(applied).unwrap();
    assert_eq!(applied["spec"]["replicas"], 2);
    // Labels of others are not mentioned, so they survive. The UID keeps it off any other Deployment.
    let mut keys: Vec<_> = applied["metadata"].as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["name", "namespace", "ownerReferences", "uid"]);
    assert_eq!(applied["metadata"]["uid"], "uid-of-web");
}

#[test]
fn case_03_other_images_and_lost_labels_are_repaired_too() {
    let foo = foo("example", "web", Some(1));
    let repaired = |change: fn(&mut Value)| {
        let mut changed = serde_json::to_value(deployment_of(&foo)).unwrap();
        change(&mut changed);
        let changed: Deployment = serde_json::from_value(changed).unwrap();
        words(&actions(&foo, Some(&changed))).contains(&"apply".to_owned())
    };
    assert!(!repaired(|_| ()));
    assert!(repaired(|deployment| {
        deployment["spec"]["template"]["spec"]["containers"][0]["image"] = json!("caddy");
    }));
    assert!(repaired(|deployment| {
        deployment["spec"]["template"]["metadata"]["labels"] = json!({ "app": "nginx" });
    }));
    // Fields of other managers are kept.
    assert!(!repaired(|deployment| {
        deployment["spec"]["template"]["metadata"]["labels"]["team"] = json!("blue");
        deployment["spec"]["template"]["spec"]["containers"][0]["stdin"] = json!(true);
        deployment["spec"]["paused"] = json!(true);
    }));
}

#[test]
fn case_04_without_replicas_those_of_the_deployment_are_not_touched() {
    let foo = foo("example", "web", None);
    let created = actions(&foo, None);
    let Action::Create(created) = &created[0] else {
        panic!("it is created first")
    };
    assert_eq!(created.spec.replicas, None);

    let mut deployment = deployment_of(&foo);
    deployment.spec.replicas = Some(7);
    let foo = settled(foo, &deployment);
    assert_eq!(actions(&foo, Some(&deployment)), []);

    // When something else is repaired, the number stays, provided that it is still the one that was seen.
    deployment.spec.template.spec.as_mut().unwrap().containers[0].image = Some("caddy".to_owned());
    let repair = actions(&foo, Some(&deployment));
    let Action::Apply(applied) = &repair[0] else {
        panic!("it is repaired")
    };
    assert_eq!(applied.spec.replicas, Some(7));
    assert_eq!(applied.metadata.resource_version.as_deref(), Some("7"));
}

/// Checks that the object is not changed, an event reports the problem, and the key is retried.
fn assert_refused(foo: &Foo, deployment: &Deployment) {
    let message = "Resource \"web\" already exists and is not managed by Foo".to_owned();
    let failure = Failure::NotOurs {
        name: "web".to_owned(),
    };
    assert_eq!(failure.to_string(), message);
    let expected = [
        Action::Tell {
            event_type: EventType::Warning,
            reason: "ErrResourceExists",
            message,
        },
        Action::Fail(failure),
    ];
    assert_eq!(actions(foo, Some(deployment)), expected);
}

#[test]
fn case_05_a_deployment_without_a_controller_is_refused() {
    let foo = foo("example", "web", Some(1));
    assert_refused(&foo, &orphaned(deployment_of(&foo)));
}

#[test]
fn case_05_an_owner_that_is_no_controller_does_not_count() {
    let foo = foo("example", "web", Some(1));
    let mut deployment = deployment_of(&foo);
    deployment.metadata.owner_references.as_mut().unwrap()[0].controller = None;
    assert_refused(&foo, &deployment);
}

#[test]
fn case_06_a_deployment_of_another_foo_is_refused() {
    let other = foo("other", "web", Some(1));
    assert_refused(&foo("example", "web", Some(1)), &deployment_of(&other));
}

#[test]
fn case_07_a_deployment_of_a_foo_that_was_made_anew_is_refused() {
    let before = foo("example", "web", Some(1));
    let mut again = before.clone();
    again.metadata.uid = Some("another".to_owned());
    assert_refused(&again, &deployment_of(&before));
}

#[test]
fn case_07_missing_uids_are_not_equal() {
    let mut foo = foo("example", "web", Some(1));
    let mut deployment = deployment_of(&foo);
    deployment.metadata.owner_references = Some(vec![OwnerReference {
        controller: Some(true),
        ..OwnerReference::default()
    }]);
    foo.metadata.uid = None;
    assert_eq!(words(&actions(&foo, Some(&deployment))), ["fail"]);
}

#[test]
fn case_08_the_event_tells_of_changes_and_not_of_every_look() {
    let foo = foo("example", "web", Some(1));
    let deployment = deployment_of(&foo);
    let created = actions(&foo, None);
    let expected = Action::Tell {
        event_type: EventType::Normal,
        reason: "Synced",
        message: "Foo synced successfully".to_owned(),
    };
    assert_eq!(created[1], expected);
    // A create whose answer was lost is told of when its Deployment is seen.
    assert!(actions(&foo, Some(&deployment)).contains(&expected));
    let foo = settled(foo, &deployment);
    assert_eq!(actions(&foo, Some(&deployment)), []);
    let with_pods = available(deployment, 1);
    assert_eq!(
        words(&actions(&foo, Some(&with_pods))),
        ["status"],
        "pods come and go without a word"
    );
}

#[test]
fn case_09_the_status_follows_the_deployment_and_is_written_once() {
    let mut foo = foo("example", "web", Some(2));
    foo.metadata.generation = Some(4);
    let deployment = available(deployment_of(&foo), 1);
    let written = actions(&foo, Some(&deployment));
    let expected = FooStatus {
        available_replicas: 1,
        observed_generation: Some(4),
        conditions: vec![Condition {
            type_: "Ready".to_owned(),
            status: "False".to_owned(),
            reason: "ReplicasMissing".to_owned(),
            message: "1 of 2 replicas are available".to_owned(),
            observed_generation: Some(4),
            last_transition_time: Time(noon()),
        }],
    };
    assert_eq!(status_of(&written), &expected);
    foo.status = Some(expected);
    assert_eq!(actions(&foo, Some(&deployment)), []);

    // A new generation that changes nothing has still been observed.
    foo.metadata.generation = Some(5);
    assert_eq!(
        status_of(&actions(&foo, Some(&deployment))).observed_generation,
        Some(5)
    );
}

#[test]
fn case_09_the_time_of_a_condition_is_that_of_its_last_transition() {
    let foo = foo("example", "web", Some(2));
    let deployment = deployment_of(&foo);
    let mut foo = settled(foo, &available(deployment.clone(), 0));
    let at = |foo: &Foo, replicas: i32, now: &str| {
        let actions = reconcile(Observed {
            foo,
            deployment: Some(&available(deployment.clone(), replicas)),
            owned: &[],
            now: now.parse::<Timestamp>().unwrap(),
        });
        status_of(&actions).clone()
    };
    let still_missing = at(&foo, 1, "2026-06-01T13:00:00Z");
    assert_eq!(still_missing.conditions[0].last_transition_time, Time(noon()));
    foo.status = Some(still_missing);
    let ready = at(&foo, 2, "2026-06-01T14:00:00.9Z");
    assert_eq!(ready.conditions[0].status, "True");
    // Whole seconds, as everywhere in the API.
    let two = "2026-06-01T14:00:00Z".parse().unwrap();
    assert_eq!(ready.conditions[0].last_transition_time, Time(two));
}

#[test]
fn case_09_conditions_of_others_are_neither_written_nor_a_difference() {
    let foo = foo("example", "web", Some(1));
    let deployment = deployment_of(&foo);
    let mut foo = settled(foo, &deployment);
    let mut foreign = foo.status.as_ref().unwrap().conditions[0].clone();
    foreign.type_ = "Audited".to_owned();
    foo.status.as_mut().unwrap().conditions.push(foreign);
    assert_eq!(actions(&foo, Some(&deployment)), []);

    let written = actions(&foo, Some(&available(deployment, 1)));
    let types: Vec<_> = status_of(&written)
        .conditions
        .iter()
        .map(|condition| &condition.type_)
        .collect();
    assert_eq!(types, ["Ready"]);
}

#[test]
fn case_11_without_a_name_there_is_nothing_to_do() {
    assert_eq!(actions(&foo("example", "", Some(1)), None), []);
}

#[test]
fn case_22_a_deployment_left_behind_by_a_rename_is_deleted() {
    let before = foo("example", "old", Some(1));
    let mut foo = before.clone();
    foo.spec.deployment_name = "new".to_owned();
    let left_behind = [Arc::new(deployment_of(&before))];
    let actions = actions_with(&foo, None, &left_behind);
    assert_eq!(words(&actions), ["create", "delete old", "tell Synced", "status"]);
    // That very one: a Deployment that somebody has made since stays.
    let deleted = Action::Delete {
        name: "old".to_owned(),
        uid: Some("uid-of-old".to_owned()),
    };
    assert_eq!(actions[1], deleted);
}

#[test]
fn case_22_what_is_not_ours_or_goes_already_is_not_deleted() {
    let before = foo("example", "old", Some(1));
    let mut foo = before.clone();
    foo.spec.deployment_name = "new".to_owned();
    let new = deployment_of(&foo);
    let foo = settled(foo, &new);

    let mut merely_owned = deployment_of(&before);
    merely_owned.metadata.owner_references.as_mut().unwrap()[0].controller = Some(false);
    let mut going = deployment_of(&before);
    going.metadata.deletion_timestamp = Some(Time(noon()));
    // An owner reference does not reach into another namespace.
    let mut elsewhere = deployment_of(&before);
    elsewhere.metadata.namespace = Some("elsewhere".to_owned());
    for deployment in [merely_owned, going, elsewhere, new.clone()] {
        assert_eq!(actions_with(&foo, Some(&new), &[Arc::new(deployment)]), []);
    }
}

#[test]
fn case_22_nothing_is_deleted_while_the_new_name_is_taken() {
    let before = foo("example", "old", Some(1));
    let mut foo = before.clone();
    foo.spec.deployment_name = "web".to_owned();
    let foreign = orphaned(deployment_of(&foo));
    let left_behind = [Arc::new(deployment_of(&before))];
    assert_eq!(
        words(&actions_with(&foo, Some(&foreign), &left_behind)),
        ["tell ErrResourceExists", "fail"]
    );
}

#[test]
fn case_23_a_foo_that_is_being_deleted_is_left_to_the_garbage_collector() {
    let mut foo = foo("example", "web", Some(1));
    let deployment = deployment_of(&foo);
    foo.metadata.deletion_timestamp = Some(Time(noon()));
    // In a foreground deletion the Deployment goes first. A new one would never let the Foo go.
    assert_eq!(actions(&foo, None), []);
    assert_eq!(actions_with(&foo, None, &[Arc::new(deployment)]), []);
}

#[test]
fn case_23_a_deployment_that_is_being_deleted_is_not_repaired() {
    let mut foo = foo("example", "web", Some(1));
    let mut deployment = deployment_of(&foo);
    foo.spec.replicas = Some(2);
    deployment.metadata.deletion_timestamp = Some(Time(noon()));
    assert!(!words(&actions(&foo, Some(&deployment))).contains(&"apply".to_owned()));
}

#[test]
fn case_24_the_status_of_the_foo_follows_that_of_the_deployment() {
    let foo = foo("example", "web", Some(3));
    let deployment = deployment_of(&foo);
    let foo = settled(foo, &available(deployment.clone(), 1));
    let actions = actions(&foo, Some(&available(deployment, 3)));
    assert_eq!(words(&actions), ["status"]);
    assert_eq!(status_of(&actions).available_replicas, 3);
    assert_eq!(status_of(&actions).conditions[0].status, "True");
}

#[test]
fn case_25_of_two_foos_with_one_deployment_the_first_wins() {
    let (first, second) = (foo("first", "web", Some(1)), foo("second", "web", Some(1)));
    let deployment = deployment_of(&first);
    let first = settled(first, &deployment);
    assert_eq!(actions(&first, Some(&deployment)), []);
    assert_refused(&second, &deployment);
}

#[test]
fn case_28_the_definition_bounds_replicas_and_names() {
    let crd = serde_json::to_value(Foo::crd()).unwrap();
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let replicas = &spec["properties"]["replicas"];
    let accepted = |number: f64| {
        (replicas["minimum"].as_f64().unwrap()..=replicas["maximum"].as_f64().unwrap()).contains(&number)
    };
    assert!(!accepted(0.0) && accepted(1.0) && accepted(10.0) && !accepted(11.0));
    assert_eq!(spec["required"], json!(["deploymentName"]));
    assert_eq!(spec["properties"]["deploymentName"]["maxLength"], 63);
}

#[test]
fn the_definition_in_the_program_is_that_in_the_folder() {
    let file: Value = serde_saphyr::from_str(include_str!("../config/crd/example.com_foos.yaml")).unwrap();
    let file: k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition =
        serde_json::from_value(file).unwrap();
    assert_eq!(Foo::crd(), file);
}
