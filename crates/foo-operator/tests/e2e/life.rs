//! One Foo after the other, from creation to deletion, with all that may happen to it meanwhile.

use std::path::Path;

use foo_operator::api::v1::{Foo, FooSpec};
use foo_operator::controller::NAME;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Event, Pod};
use kgen_runtime::owner::is_controlled_by;
use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Outcome;
use kube::ResourceExt;
use kube::api::{DeleteParams, ListParams, Patch};
use kube::runtime::conditions::is_deleted;
use serde_json::json;

use crate::cluster::{Cluster, Result, poll};

pub async fn a_foo_from_creation_to_deletion() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder().with_nodes(1).record_access()).await?;
    let mut operator = cluster
        .operator("operator", &["--leader-elect", "--metrics-addr=127.0.0.1:0"])
        .await?;
    if let Err(error) = story(&cluster).await {
        return Err(format!("{error}\nlog of the operator:\n{}", operator.log()).into());
    }
    assert!(operator.terminate()?.success(), "{}", operator.log());
    the_role_was_enough_and_no_more(&cluster)?;
    cluster.control_plane.stop().await?;
    Ok(())
}

async fn story(cluster: &Cluster) -> Result {
    the_account_may_do_no_more(cluster)?;
    behaviors(cluster).await
}

/// The behaviors that need pods, a garbage collector or the rules of the CRD. They leave nothing behind.
pub async fn behaviors(cluster: &Cluster) -> Result {
    the_definition_refuses_what_it_should(cluster).await?;
    a_foo_gets_running_pods(cluster).await?;
    a_foo_is_scaled(cluster).await?;
    drift_is_repaired(cluster).await?;
    a_deleted_deployment_is_made_again(cluster).await?;
    a_foreign_deployment_is_refused(cluster).await?;
    a_renamed_deployment_replaces_the_old_one(cluster).await?;
    what_a_deleted_foo_owned_is_collected(cluster).await
}

/// Otherwise it would prove nothing that the roles are enough.
fn the_account_may_do_no_more(cluster: &Cluster) -> Result {
    for (verb, resource, expected) in [
        ("patch", "deployments.apps", "yes"),
        ("update", "deployments.apps", "no"),
        ("delete", "foos.example.com", "no"),
        ("get", "secrets", "no"),
    ] {
        let mut question = cluster.control_plane.kubectl();
        question.args(["auth", "can-i", verb, resource]);
        let answer = question
            .arg("--as=system:serviceaccount:foo-system:foo-operator")
            .output()?;
        let answer = String::from_utf8_lossy(&answer.stdout);
        assert_eq!(answer.trim(), expected, "{verb} {resource}");
    }
    Ok(())
}

/// Case 28.
async fn the_definition_refuses_what_it_should(cluster: &Cluster) -> Result {
    for (deployment_name, replicas) in [("web", 0), ("web", 11), ("", 1), ("Not a label", 1)] {
        let spec = FooSpec {
            deployment_name: deployment_name.to_owned(),
            replicas: Some(replicas),
            ..FooSpec::default()
        };
        let refused = cluster.foos.create(&Foo::new("bad", spec)).await.unwrap_err();
        assert_eq!(refused.status().map(|status| status.code), Some(422), "{refused}");
    }
    Ok(())
}

/// Cases 1, 8, 9, 24 and 26.
async fn a_foo_gets_running_pods(cluster: &Cluster) -> Result {
    cluster.create_foo("example", "web", 2).await?;
    let foo = cluster.until_ready("example", 2).await?;
    let deployment = cluster.api::<Deployment>().get("web").await?;
    assert!(is_controlled_by(&deployment, &foo));
    let pods = cluster
        .api::<Pod>()
        .list(&ListParams::default().labels("app=nginx,controller=example"))
        .await?;
    let running =
        |pod: &Pod| pod.status.as_ref().and_then(|status| status.phase.as_deref()) == Some("Running");
    assert_eq!(pods.items.iter().filter(|pod| running(pod)).count(), 2);

    poll("the event is there", || cluster.has_event("example", "Synced")).await?;
    let events = cluster
        .api::<Event>()
        .list(&ListParams::default().fields("reason=Synced"))
        .await?;
    let event = events.items.first().ok_or("an event")?;
    assert_eq!(event.message.as_deref(), Some("Foo synced successfully"));
    assert_eq!(
        event
            .source
            .as_ref()
            .and_then(|source| source.component.as_deref()),
        Some(NAME)
    );
    Ok(())
}

/// Case 3.
async fn a_foo_is_scaled(cluster: &Cluster) -> Result {
    cluster.kubectl(&["label", "deployment", "web", "team=blue"])?;
    let patch = Patch::Merge(json!({ "spec": { "replicas": 3 } }));
    cluster.foos.patch("example", &patch).await?;
    cluster.until_ready("example", 3).await?;
    let deployment = cluster.api::<Deployment>().get("web").await?;
    assert_eq!(deployment.labels().get("team").map(String::as_str), Some("blue"));
    Ok(())
}

async fn drift_is_repaired(cluster: &Cluster) -> Result {
    let replicas = |wanted: i32| {
        move |deployment: Option<&Deployment>| {
            deployment.is_some_and(|deployment| deployment.spec.replicas == Some(wanted))
        }
    };
    let before = cluster.api::<Deployment>().get("web").await?.metadata.generation;
    cluster.kubectl(&["scale", "deployment", "web", "--replicas=5"])?;
    let is_repaired = |deployment: Option<&Deployment>| {
        replicas(3)(deployment)
            && deployment.is_some_and(|deployment| deployment.metadata.generation > before)
    };
    cluster.until("replicas are repaired", "web", is_repaired).await?;

    cluster.kubectl(&["set", "image", "deployment/web", "nginx=caddy"])?;
    let has_image = |deployment: Option<&Deployment>| {
        let pod = deployment.and_then(|deployment| deployment.spec.template.spec.as_ref());
        pod.is_some_and(|pod| pod.containers[0].image.as_deref() == Some("nginx:latest"))
    };
    cluster.until("the image is repaired", "web", has_image).await?;
    cluster.until_ready("example", 3).await?;
    Ok(())
}

/// Case 16.
async fn a_deleted_deployment_is_made_again(cluster: &Cluster) -> Result {
    let deployments = cluster.api::<Deployment>();
    let before = deployments.get("web").await?.uid();
    deployments.delete("web", &DeleteParams::background()).await?;
    let is_new =
        |deployment: Option<&Deployment>| deployment.is_some_and(|deployment| deployment.uid() != before);
    cluster.until("there is a new Deployment", "web", is_new).await?;
    cluster.until_ready("example", 3).await?;
    Ok(())
}

/// Case 5.
async fn a_foreign_deployment_is_refused(cluster: &Cluster) -> Result {
    cluster.kubectl(&["create", "deployment", "taken", "--image=nginx"])?;
    cluster.create_foo("greedy", "taken", 1).await?;
    poll("the refusal is told", || {
        cluster.has_event("greedy", "ErrResourceExists")
    })
    .await?;
    let events = cluster
        .api::<Event>()
        .list(&ListParams::default().fields("reason=ErrResourceExists"))
        .await?;
    assert_eq!(
        events.items.first().and_then(|event| event.message.as_deref()),
        Some("Resource \"taken\" already exists and is not managed by Foo")
    );
    assert_eq!(cluster.foos.get("greedy").await?.status, None);
    assert_eq!(
        cluster.api::<Deployment>().get("taken").await?.owner_references(),
        []
    );

    // Once it is gone, the Foo gets the name.
    cluster.kubectl(&["delete", "deployment", "taken"])?;
    cluster.until_ready("greedy", 1).await?;
    Ok(())
}

/// Case 22.
async fn a_renamed_deployment_replaces_the_old_one(cluster: &Cluster) -> Result {
    let old = cluster
        .api::<Deployment>()
        .get("taken")
        .await?
        .uid()
        .unwrap_or_default();
    let patch = Patch::Merge(json!({ "spec": { "deploymentName": "renamed" } }));
    cluster.foos.patch("greedy", &patch).await?;
    cluster
        .until(
            "the old Deployment is deleted",
            "taken",
            is_deleted::<Deployment>(&old),
        )
        .await?;
    cluster.until_ready("greedy", 1).await?;
    assert!(cluster.api::<Deployment>().get_opt("renamed").await?.is_some());
    Ok(())
}

/// Case 23.
async fn what_a_deleted_foo_owned_is_collected(cluster: &Cluster) -> Result {
    // In the background, and in the foreground, where the Foo goes last.
    cluster.foos.delete("greedy", &DeleteParams::background()).await?;
    cluster
        .foos
        .delete("example", &DeleteParams::foreground())
        .await?;
    poll("nothing is left", || {
        // kubectl remembers the versions of a group, and another one may be gone.
        let left = cluster.kubectl(&[
            "get",
            "foos.v1.example.com,deployments,replicasets,pods",
            "--output=name",
        ])?;
        let ours = ["/example", "/greedy", "/web", "/taken", "/renamed"];
        Ok(!ours.iter().any(|name| left.contains(name)))
    })
    .await
}

/// The audit log of the server shows that the operator needed every rule of the generated roles, and no other.
fn the_role_was_enough_and_no_more(cluster: &Cluster) -> Result {
    let role = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/rbac/role.yaml");
    let account = "system:serviceaccount:foo-system:foo-operator";
    cluster.control_plane.access(account, role)?.require_exact();
    Ok(())
}
