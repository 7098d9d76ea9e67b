//! The Deployment of a Foo: its desired state, the fields that the operator owns, and whether they have changed.

use std::collections::BTreeMap;

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{Container, PodSpec, PodTemplateSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta, OwnerReference};
use kgen_runtime::{ApplyConfiguration, ObjectMetaApply};
use kube::ResourceExt;
use serde::Serialize;

use crate::api::v1alpha1::Foo;

const CONTAINER: &str = "nginx";
const IMAGE: &str = "nginx:latest";

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
pub(super) fn has_drifted(found: &Deployment, foo: &Foo) -> bool {
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
    let has_container = spec
        .template
        .spec
        .iter()
        .flat_map(|pod| &pod.containers)
        .any(|container| container.name == CONTAINER && container.image.as_deref() == Some(IMAGE));
    replicas || !has_container || !labels(foo).iter().all(has_label)
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
                    image: Some(IMAGE.to_owned()),
                    ..Container::default()
                }],
                ..PodSpec::default()
            }),
        },
        ..DeploymentSpec::default()
    }
}

/// Returns the selector and labels of the pods, which contain the name of the Foo.
fn labels(foo: &Foo) -> BTreeMap<String, String> {
    [("app", "nginx".to_owned()), ("controller", foo.name_any())]
        .map(|(key, value)| (key.to_owned(), value))
        .into()
}
