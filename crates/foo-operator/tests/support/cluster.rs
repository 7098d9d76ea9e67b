//! Objects on a cluster that is the fake or a real one, and the writes of the operator.

use foo_operator::api::v1::{Foo, FooSpec};
use k8s_openapi::api::apps::v1::{Deployment, DeploymentStatus};
use kgen_fake::both::AnyCluster;
use kgen_fake::{Request, Verb};

use super::objects::deployment_of;

/// Serves Foos, and creates one for a Deployment of this name.
pub async fn with_foo(cluster: &AnyCluster, name: &str, deployment: &str, replicas: Option<i32>) -> Foo {
    cluster.define::<Foo>().await;
    let spec = FooSpec {
        deployment_name: deployment.to_owned(),
        replicas,
        ..FooSpec::default()
    };
    cluster.create(name, &Foo::new(name, spec)).await
}

/// Creates the Deployment of a Foo, as the operator would.
pub async fn with_deployment_of(cluster: &AnyCluster, foo: &Foo) -> Deployment {
    cluster
        .create(&foo.spec.deployment_name, &unstored_deployment_of(foo))
        .await
}

/// Returns the Deployment of a Foo as the operator sends it.
pub fn unstored_deployment_of(foo: &Foo) -> Deployment {
    let mut deployment = deployment_of(foo);
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

/// Returns the writes of the operator, but events.
pub fn writes(cluster: &AnyCluster) -> Vec<Request> {
    let mut writes = cluster.writes();
    writes.retain(|write| write.resource != "events");
    writes
}

/// Returns the same as lines: `create deployments`, `patch foos/status a`.
pub fn lines(cluster: &AnyCluster) -> Vec<String> {
    writes(cluster).iter().map(line).collect()
}

fn line(write: &Request) -> String {
    let line = format!("{} {} {}", write.verb, write.resource, write.name);
    line.trim_end().to_owned()
}

/// Returns how often the operator has sent such a write.
pub fn count(cluster: &AnyCluster, verb: Verb, resource: &str) -> usize {
    let writes = writes(cluster);
    writes
        .iter()
        .filter(|write| write.verb == verb && write.resource == resource)
        .count()
}

/// Returns whether the query of a request has a parameter, such as `force=true`.
pub fn has_parameter(request: &Request, parameter: &str) -> bool {
    request.query.split('&').any(|found| found == parameter)
}
