//! Foos and Deployments as a server would have them.

use foo_operator::api::v1::{Foo, FooSpec};
use foo_operator::reconcile::{Action, Observed, reconcile};
use k8s_openapi::api::apps::v1::{Deployment, DeploymentStatus};
use k8s_openapi::jiff::Timestamp;

/// Returns noon of a day.
pub fn noon() -> Timestamp {
    "2026-06-01T12:00:00Z".parse().unwrap()
}

/// Returns a stored Foo in namespace `default`, with its own UID, without a status.
pub fn foo(name: &str, deployment_name: &str, replicas: Option<i32>) -> Foo {
    let mut foo = Foo::new(
        name,
        FooSpec {
            deployment_name: deployment_name.to_owned(),
            replicas,
            ..FooSpec::default()
        },
    );
    foo.metadata.namespace = Some("default".to_owned());
    foo.metadata.uid = Some(format!("uid-of-{name}"));
    foo.metadata.generation = Some(1);
    foo
}

/// Returns the Deployment that the operator creates for `foo`, as the server has it.
pub fn deployment_of(foo: &Foo) -> Deployment {
    let actions = reconcile(Observed {
        foo,
        deployment: None,
        owned: &[],
        now: noon(),
    });
    let Some(Action::Create(created)) = actions.into_iter().next() else {
        panic!("a Foo without a Deployment gets one");
    };
    let mut deployment = *created;
    deployment.metadata.uid = Some(format!("uid-of-{}", foo.spec.deployment_name));
    deployment.metadata.resource_version = Some("7".to_owned());
    // As the server fills it in.
    deployment.spec.replicas.get_or_insert(1);
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
