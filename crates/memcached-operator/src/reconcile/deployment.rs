//! The Deployment of a Memcached: what it looks like, and whether somebody has changed what of it is ours.

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

/// The label of pods that names their Memcached.
pub const INSTANCE_LABEL: &str = "app.kubernetes.io/instance";

/// Selects the pods of all Memcacheds.
pub const POD_SELECTOR: &str = "app.kubernetes.io/managed-by=memcached-operator";

const NAME: &str = "memcached";

/// The user of the image. The kubelet knows only numbers when it is to keep root out.
const USER: i64 = 1001;

/// Returns the Deployment that `memcached` asks for: every field that we own, and nothing else.
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

/// Returns one server, with all that the Pod Security Standard `restricted` asks for.
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
            // Part of the key by which apply finds a port again.
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

/// Selector and labels of the pods. The name of the Memcached sets them apart from those of others.
fn labels(memcached: &Memcached) -> BTreeMap<String, String> {
    [
        ("app.kubernetes.io/name", NAME.to_owned()),
        (INSTANCE_LABEL, memcached.name_any()),
        ("app.kubernetes.io/managed-by", "memcached-operator".to_owned()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}

/// `wanted`, if `found` is still there: the UID keeps it off another Deployment of that name, and from making a new one.
pub(super) fn only_of(found: &Deployment, mut wanted: Deployment) -> Deployment {
    wanted.metadata.uid = found.uid();
    wanted
}

/// Returns whether somebody has changed what is ours. What others add is theirs.
pub(super) fn has_drifted(found: &Deployment, wanted: &Deployment) -> bool {
    match (serde_json::to_value(found), serde_json::to_value(wanted)) {
        (Ok(found), Ok(wanted)) => !has_all_of(&found, &wanted),
        _ => true,
    }
}

/// Returns whether everything in `wanted` is in `found`. A list of objects may have more of them, in another order; a
/// list of plain values must be the same.
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
