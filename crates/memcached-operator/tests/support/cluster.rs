//! Objects on a cluster that is the fake or a real one, and the writes of the operator.

use std::path::Path;

use k8s_openapi::api::apps::v1::{Deployment, DeploymentStatus};
use k8s_openapi::api::core::v1::{Container, Pod, PodSpec};
use kgen_fake::Request;
use kgen_fake::both::AnyCluster;
use memcached_operator::api::v1alpha1::Memcached;

use super::objects::{self, deployment_of};

/// Serves Memcacheds, and creates this one.
pub async fn with(cluster: &AnyCluster, memcached: &Memcached) -> Memcached {
    let crds = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/crd/cache.example.com_memcacheds.yaml");
    cluster.definitions(crds).await;
    let mut unstored = memcached.clone();
    unstored.metadata.uid = None;
    unstored.metadata.generation = None;
    let name = memcached.metadata.name.clone().unwrap_or_default();
    cluster.create(&name, &unstored).await
}

/// Returns the Deployment of a Memcached as the operator sends it.
pub fn unstored_deployment_of(memcached: &Memcached) -> Deployment {
    let mut deployment = deployment_of(memcached);
    deployment.metadata.uid = None;
    deployment.metadata.resource_version = None;
    deployment
}

/// Makes so many pods of a Deployment available, as its controller would.
pub async fn make_available(cluster: &AnyCluster, deployment: &str, replicas: i32) {
    let status = DeploymentStatus {
        available_replicas: Some(replicas),
        ready_replicas: Some(replicas),
        replicas: Some(replicas),
        ..DeploymentStatus::default()
    };
    cluster
        .change_status(deployment, |deployment: &mut Deployment| {
            deployment.status = Some(status.clone());
        })
        .await;
}

/// Creates a running pod of the Memcached called `memcached`.
pub async fn with_pod(cluster: &AnyCluster, name: &str, memcached: &str) {
    let mut pod = objects::pod(name, memcached);
    let status = pod.status.take();
    pod.spec = Some(PodSpec {
        containers: vec![Container {
            name: "memcached".to_owned(),
            image: Some(objects::IMAGE.to_owned()),
            ..Container::default()
        }],
        ..PodSpec::default()
    });
    cluster.create(name, &pod).await;
    cluster
        .change_status(name, |pod: &mut Pod| pod.status.clone_from(&status))
        .await;
}

/// The writes of the operator, but events, as lines: `patch memcacheds/status a`.
pub fn lines(cluster: &AnyCluster) -> Vec<String> {
    let writes = cluster.writes();
    writes
        .iter()
        .filter(|write| write.resource != "events")
        .map(|write| format!("{} {} {}", write.verb, write.resource, write.name))
        .collect()
}

/// The first write of the operator with this line.
pub fn write(cluster: &AnyCluster, line: &str) -> Request {
    let writes = cluster.writes();
    let found = writes
        .into_iter()
        .find(|write| format!("{} {} {}", write.verb, write.resource, write.name) == line);
    found.unwrap_or_else(|| panic!("{line} was not sent"))
}

/// Returns whether the query of a request has a parameter, such as `force=true`.
pub fn has_parameter(request: &Request, parameter: &str) -> bool {
    request.query.split('&').any(|found| found == parameter)
}
