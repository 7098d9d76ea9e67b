//! The Deployment of a Foo: its desired state, the fields that the operator owns, and whether they have changed.

use std::collections::BTreeMap;

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{Container, PodSpec, PodTemplateSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta, OwnerReference};
use kgen_runtime::{ApplyConfiguration, ObjectMetaApply};
use kube::ResourceExt;
use serde::Serialize;

use crate::api::v1::{Foo, PullPolicy};

const CONTAINER: &str = "nginx";
const REPOSITORY: &str = "nginx";
const TAG: &str = "latest";

/// Returns the new Deployment of a Foo.
pub(super) fn wanted(foo: &Foo, owner: OwnerReference) -> Deployment {
    Deployment {
        metadata: ObjectMeta {
            name: Some(foo.spec.deployment_name.clone()),
            namespace: foo.namespace(),
            owner_references: Some(vec![owner]),
            ..ObjectMeta::default()
        },
        spec: spec(foo, foo.spec.replicas),
        status: None,
    }
}

/// Returns whether fields that the Foo determines have changed. It ignores other fields.
pub(super) fn has_drifted(found: &Deployment, foo: &Foo, owner: &OwnerReference) -> bool {
    let spec = &found.spec;
    let replicas = foo
        .spec
        .replicas
        .is_some_and(|replicas| spec.replicas != Some(replicas));
    let metadata = spec.template.metadata.as_ref();
    let found_labels = metadata.and_then(|metadata| metadata.labels.as_ref());
    let has_label = |(key, value): (&String, &String)| {
        found_labels.is_some_and(|found_labels| found_labels.get(key) == Some(value))
    };
    let pod = spec.template.spec.as_ref();
    let has_container = pod.iter().flat_map(|pod| &pod.containers).any(|container| {
        let policy = pull_policy(foo);
        container.name == CONTAINER
            && container.image == Some(image(foo))
            && (policy.is_none() || container.image_pull_policy == policy)
    });
    let grace = foo
        .spec
        .termination_grace_period_seconds
        .is_some_and(|seconds| pod.and_then(|pod| pod.termination_grace_period_seconds) != Some(seconds));
    // A reference that names another version of Foo would block the garbage collector once that version is removed.
    let has_owner = found.owner_references().contains(owner);
    replicas || grace || !has_container || !has_owner || !labels(foo).iter().all(has_label)
}

/// An apply configuration for a Deployment, with the fields that the Foo determines.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeploymentApply {
    api_version: &'static str,
    kind: &'static str,
    /// The name, the owner, and the UID as a precondition.
    pub metadata: ObjectMetaApply,
    /// The part of the spec that the operator owns.
    pub spec: DeploymentSpec,
}

impl DeploymentApply {
    /// Restores the fields of `found` that `foo` determines.
    ///
    /// The UID is a precondition: if `found` was deleted, the server must not change another Deployment of that name or create
    /// a new one.
    pub(super) fn new(found: &Deployment, foo: &Foo, owner: OwnerReference) -> Self {
        let mut metadata = ObjectMetaApply::default()
            .name(&foo.spec.deployment_name)
            .owner_references([owner]);
        metadata.namespace = foo.namespace();
        metadata.uid = found.uid();
        let replicas = foo.spec.replicas.or_else(|| {
            // Without replicas, the server would reset them to 1. So the current number is sent, with the resource version.
            metadata.resource_version = found.resource_version();
            found.spec.replicas
        });
        Self {
            api_version: "apps/v1",
            kind: "Deployment",
            metadata,
            spec: spec(foo, replicas),
        }
    }
}

impl ApplyConfiguration for DeploymentApply {
    type Object = Deployment;

    fn name(&self) -> Option<&str> {
        self.metadata.name.as_deref()
    }

    fn namespace(&self) -> Option<&str> {
        self.metadata.namespace.as_deref()
    }
}

fn spec(foo: &Foo, replicas: Option<i32>) -> DeploymentSpec {
    DeploymentSpec {
        replicas,
        selector: LabelSelector {
            match_labels: Some(labels(foo)),
            ..LabelSelector::default()
        },
        template: PodTemplateSpec {
            metadata: Some(ObjectMeta {
                labels: Some(labels(foo)),
                ..ObjectMeta::default()
            }),
            spec: Some(PodSpec {
                containers: vec![Container {
                    name: CONTAINER.to_owned(),
                    image: Some(image(foo)),
                    image_pull_policy: pull_policy(foo),
                    ..Container::default()
                }],
                termination_grace_period_seconds: foo.spec.termination_grace_period_seconds,
                ..PodSpec::default()
            }),
        },
        ..DeploymentSpec::default()
    }
}

fn image(foo: &Foo) -> String {
    let repository = foo.spec.repository.as_deref().unwrap_or(REPOSITORY);
    let tag = foo.spec.tag.as_deref().unwrap_or(TAG);
    format!("{repository}:{tag}")
}

fn pull_policy(foo: &Foo) -> Option<String> {
    let policy = match foo.spec.image_pull_policy? {
        PullPolicy::Always => "Always",
        PullPolicy::IfNotPresent => "IfNotPresent",
        PullPolicy::Never => "Never",
    };
    Some(policy.to_owned())
}

/// Returns the selector and labels of the pods, which contain the name of the Foo.
fn labels(foo: &Foo) -> BTreeMap<String, String> {
    [("app", "nginx".to_owned()), ("controller", foo.name_any())]
        .map(|(key, value)| (key.to_owned(), value))
        .into()
}
