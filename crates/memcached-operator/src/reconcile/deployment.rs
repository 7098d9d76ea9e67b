//! The Deployment of a Memcached: its desired state, and whether the operator's fields have changed.

use std::collections::BTreeMap;

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Capabilities, Container, ContainerPort, PodSecurityContext, PodSpec, PodTemplateSpec, SeccompProfile,
    SecurityContext,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta, OwnerReference};
use kube::ResourceExt;
use serde_json::Value;

use crate::api::v1alpha1::Memcached;

/// The label of pods with the name of their Memcached.
pub const INSTANCE_LABEL: &str = "app.kubernetes.io/instance";

/// Selects the pods of all Memcacheds.
pub const POD_SELECTOR: &str = "app.kubernetes.io/managed-by=memcached-operator";

const NAME: &str = "memcached";

/// The user of the image. The kubelet needs a number to check `runAsNonRoot`.
const USER: i64 = 1001;

/// Returns the desired Deployment of `memcached`, with only the fields that the operator owns.
pub(super) fn wanted(memcached: &Memcached, image: &str, owner: OwnerReference) -> Deployment {
    let labels = labels(memcached);
    Deployment {
        metadata: ObjectMeta {
            name: Some(memcached.name_any()),
            namespace: memcached.namespace(),
            labels: Some(labels.clone()),
            owner_references: Some(vec![owner]),
            ..ObjectMeta::default()
        },
        spec: DeploymentSpec {
            replicas: Some(memcached.spec.size),
            selector: LabelSelector {
                match_labels: Some(labels.clone()),
                ..LabelSelector::default()
            },
            template: PodTemplateSpec {
                metadata: Some(ObjectMeta {
                    labels: Some(labels),
                    ..ObjectMeta::default()
                }),
                spec: Some(PodSpec {
                    security_context: Some(PodSecurityContext {
                        run_as_non_root: Some(true),
                        seccomp_profile: Some(SeccompProfile {
                            type_: "RuntimeDefault".to_owned(),
                            ..SeccompProfile::default()
                        }),
                        ..PodSecurityContext::default()
                    }),
                    containers: vec![server(image, memcached.spec.port())],
                    ..PodSpec::default()
                }),
            },
            ..DeploymentSpec::default()
        },
        status: None,
    }
}

/// Returns the container of a server, which meets the Pod Security Standard `restricted`.
fn server(image: &str, port: i32) -> Container {
    let command = [
        "memcached",
        "--memory-limit=64",
        &format!("--port={port}"),
        "-o",
        "modern",
        "-v",
    ]
    .map(str::to_owned);
    Container {
        name: NAME.to_owned(),
        image: Some(image.to_owned()),
        image_pull_policy: Some("IfNotPresent".to_owned()),
        command: Some(command.into()),
        ports: Some(vec![ContainerPort {
            name: Some(NAME.to_owned()),
            container_port: port,
            // The protocol is part of the merge key of ports in server-side apply.
            protocol: Some("TCP".to_owned()),
            ..ContainerPort::default()
        }]),
        security_context: Some(SecurityContext {
            run_as_non_root: Some(true),
            run_as_user: Some(USER),
            allow_privilege_escalation: Some(false),
            capabilities: Some(Capabilities {
                drop: Some(vec!["ALL".to_owned()]),
                ..Capabilities::default()
            }),
            ..SecurityContext::default()
        }),
        ..Container::default()
    }
}

/// Returns the selector and labels of the pods, which contain the name of the Memcached.
fn labels(memcached: &Memcached) -> BTreeMap<String, String> {
    [
        ("app.kubernetes.io/name", NAME.to_owned()),
        (INSTANCE_LABEL, memcached.name_any()),
        ("app.kubernetes.io/managed-by", "memcached-operator".to_owned()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}

/// Returns `wanted` with the UID of `found`, so that it does not change another Deployment of that name or create one.
pub(super) fn only_of(found: &Deployment, mut wanted: Deployment) -> Deployment {
    wanted.metadata.uid = found.uid();
    wanted
}

/// Returns whether the operator's fields have changed. It ignores fields of others.
pub(super) fn has_drifted(found: &Deployment, wanted: &Deployment) -> bool {
    match (serde_json::to_value(found), serde_json::to_value(wanted)) {
        (Ok(found), Ok(wanted)) => !has_all_of(&found, &wanted),
        _ => true,
    }
}

/// Returns whether everything in `wanted` is in `found`. A list of objects can have more items, in another order; a list of
/// plain values must be equal.
fn has_all_of(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => wanted
            .iter()
            .all(|(key, wanted)| found.get(key).is_some_and(|found| has_all_of(found, wanted))),
        (Value::Array(found), Value::Array(wanted)) if wanted.iter().all(Value::is_object) => wanted
            .iter()
            .all(|wanted| found.iter().any(|found| has_all_of(found, wanted))),
        (found, wanted) => found == wanted,
    }
}
