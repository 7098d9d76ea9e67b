//! Memcacheds, Deployments and pods as a server would have them.

use std::sync::Arc;

use k8s_openapi::api::apps::v1::{Deployment, DeploymentStatus};
use k8s_openapi::api::core::v1::{Pod, PodStatus};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;
use memcached_operator::api::v1alpha1::{Memcached, MemcachedSpec};
use memcached_operator::reconcile::{Action, FINALIZER, INSTANCE_LABEL, Observed, POD_SELECTOR, reconcile};

pub const IMAGE: &str = "memcached:test";

/// Noon of a day.
pub fn noon() -> Timestamp {
    "2026-06-01T12:00:00Z".parse().unwrap()
}

/// A Memcached in namespace `default` that the operator has not seen, with a UID of its own.
pub fn fresh(name: &str, size: i32) -> Memcached {
    let spec = MemcachedSpec {
        size,
        container_port: None,
    };
    let mut memcached = Memcached::new(name, spec);
    memcached.metadata.namespace = Some("default".to_owned());
    memcached.metadata.uid = Some(format!("uid-of-{name}"));
    memcached.metadata.generation = Some(1);
    memcached
}

/// Returns the same with the finalizer.
pub fn memcached(name: &str, size: i32) -> Memcached {
    let mut memcached = fresh(name, size);
    memcached.metadata.finalizers = Some(vec![FINALIZER.to_owned()]);
    memcached
}

/// Returns the same on its way out.
pub fn going(mut memcached: Memcached) -> Memcached {
    memcached.metadata.deletion_timestamp = Some(Time(noon()));
    memcached
}

/// Returns the actions of the operator.
pub fn actions(memcached: &Memcached, deployment: Option<&Deployment>, pods: &[Arc<Pod>]) -> Vec<Action> {
    reconcile(Observed {
        memcached,
        deployment,
        pods,
        image: IMAGE,
        now: noon(),
    })
    .unwrap()
}

/// Returns the Deployment that the operator creates for `memcached`, as the server has it.
pub fn deployment_of(memcached: &Memcached) -> Deployment {
    let created = actions(memcached, None, &[])
        .into_iter()
        .find_map(|action| match action {
            Action::Create(created) => Some(created),
            _ => None,
        });
    let mut deployment = *created.expect("a Memcached without a Deployment gets one");
    deployment.metadata.uid = Some(format!("uid-of-deployment-{}", memcached.spec.size));
    deployment.metadata.resource_version = Some("7".to_owned());
    deployment.spec.revision_history_limit = Some(10);
    deployment
}

/// Returns the same with so many pods available.
pub fn available(mut deployment: Deployment, replicas: i32) -> Deployment {
    deployment.status = Some(DeploymentStatus {
        available_replicas: Some(replicas),
        ..DeploymentStatus::default()
    });
    deployment
}

/// Returns the same Deployment without a controller.
pub fn orphaned(mut deployment: Deployment) -> Deployment {
    deployment.metadata.owner_references = None;
    deployment
}

/// A running pod of the Memcached called `memcached`.
pub fn pod(name: &str, memcached: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = Some(name.to_owned());
    pod.metadata.namespace = Some("default".to_owned());
    let (key, value) = POD_SELECTOR.split_once('=').unwrap();
    let labels = [(INSTANCE_LABEL, memcached), (key, value)];
    pod.metadata.labels = Some(
        labels
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
    );
    pod.status = Some(PodStatus {
        phase: Some("Running".to_owned()),
        ..PodStatus::default()
    });
    pod
}
