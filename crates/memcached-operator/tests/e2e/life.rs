//! One Memcached from creation to deletion, with typical changes in between.

use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::owner::is_controlled_by;
use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Outcome;
use kube::ResourceExt;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::runtime::conditions::is_deleted;
use memcached_operator::api::v1alpha1::{Memcached, MemcachedSpec};
use memcached_operator::reconcile::FINALIZER;
use serde_json::json;

use crate::cluster::{Cluster, Operator, Result, config, poll, run};

pub async fn a_memcached_from_creation_to_deletion() -> Outcome {
    let cluster = Cluster::start(ControlPlane::builder().with_nodes(1)).await?;
    let mut operator = cluster
        .operator("operator", &["--leader-elect", "--metrics-addr=127.0.0.1:0"])
        .await?;
    if let Err(error) = story(&cluster, &operator).await {
        return Err(format!("{error}\nlog of the operator:\n{}", operator.log()).into());
    }
    assert_nothing_was_forbidden(&operator);
    assert!(operator.terminate()?.success(), "{}", operator.log());
    assert!(operator.log().contains("stopped leading"), "{}", operator.log());
    cluster.control_plane.stop().await?;
    Ok(())
}

async fn story(cluster: &Cluster, operator: &Operator) -> Result {
    the_manifests_with_webhooks_fit_together(cluster)?;
    the_definition_refuses_what_it_should(cluster).await?;
    a_memcached_gets_running_servers(cluster).await?;
    nothing_is_written_when_nothing_changes(cluster, operator).await?;
    a_memcached_is_scaled(cluster).await?;
    drift_is_repaired(cluster).await?;
    another_port_replaces_the_servers(cluster).await?;
    a_deleted_deployment_is_made_again(cluster).await?;
    a_foreign_deployment_is_refused(cluster).await?;
    a_deleted_memcached_goes_after_its_servers(cluster).await
}

/// cert-manager is not installed, so these manifests are only rendered.
fn the_manifests_with_webhooks_fit_together(cluster: &Cluster) -> Result {
    let mut kubectl = cluster.control_plane.kubectl();
    let text = run(kubectl.arg("kustomize").arg(config("with-webhooks")))?;
    for part in [
        "--webhook-certs=",
        "path: /mutate-cache-example-com-v1alpha1-memcached",
        "cert-manager.io/inject-ca-from: memcached-system/memcached-operator-webhook",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    Ok(())
}

async fn the_definition_refuses_what_it_should(cluster: &Cluster) -> Result {
    for (size, container_port) in [(0, None), (6, None), (1, Some(0)), (1, Some(65536))] {
        let spec = MemcachedSpec { size, container_port };
        let memcacheds = cluster.api::<Memcached>();
        let refused = memcacheds
            .create(&PostParams::default(), &Memcached::new("bad", spec))
            .await;
        match refused {
            Err(kube::Error::Api(status)) => assert_eq!(status.code, 422, "{status:?}"),
            other => return Err(format!("{size}, {container_port:?}: {other:?}").into()),
        }
    }
    // The default is the API server's.
    let without = json!({ "apiVersion": "cache.example.com/v1alpha1", "kind": "Memcached",
                          "metadata": { "name": "small" }, "spec": {} });
    let file = cluster.control_plane.folder().join("small.json");
    std::fs::write(&file, without.to_string())?;
    run(cluster.control_plane.kubectl().args(["create", "-f"]).arg(&file))?;
    cluster.until_available("small", 1).await?;
    let small = cluster.api::<Memcached>().get("small").await?;
    assert_eq!(small.spec.size, 1);
    cluster.kubectl(&["delete", "memcached", "small"]).map(drop)
}

async fn a_memcached_gets_running_servers(cluster: &Cluster) -> Result {
    run(cluster
        .control_plane
        .kubectl()
        .args(["apply", "-f"])
        .arg(config("samples")))?;
    let memcached = cluster.until_available("example", 3).await?;
    assert_eq!(memcached.finalizers(), [FINALIZER]);
    let deployment = cluster.api::<Deployment>().get("example").await?;
    assert!(is_controlled_by(&deployment, &memcached));
    poll("the event is there", || cluster.has_event("example", "Created")).await
}

/// Changes by others trigger the reconciler, which has nothing to do.
async fn nothing_is_written_when_nothing_changes(cluster: &Cluster, operator: &Operator) -> Result {
    let version =
        |what: &str| cluster.kubectl(&["get", what, "--output=jsonpath={.metadata.resourceVersion}"]);
    let deployment = version("deployment/example")?;
    let mut called = operator.reconciles()?;
    for number in 0..5 {
        let label = format!("round={number}");
        cluster.kubectl(&["label", "--overwrite", "memcached", "example", &label])?;
        let memcached = version("memcached/example")?;
        poll(
            "the reconciler was called",
            || Ok(operator.reconciles()? > called),
        )
        .await?;
        called = operator.reconciles()?;
        assert_eq!(version("memcached/example")?, memcached);
    }
    assert_eq!(version("deployment/example")?, deployment);
    Ok(())
}

async fn a_memcached_is_scaled(cluster: &Cluster) -> Result {
    cluster.kubectl(&["label", "deployment", "example", "team=blue"])?;
    for size in [5, 1, 3] {
        let patch = Patch::Merge(json!({ "spec": { "size": size } }));
        let memcacheds = cluster.api::<Memcached>();
        memcacheds
            .patch("example", &PatchParams::default(), &patch)
            .await?;
        cluster.until_available("example", size).await?;
    }
    let deployment = cluster.api::<Deployment>().get("example").await?;
    assert_eq!(deployment.labels().get("team").map(String::as_str), Some("blue"));
    Ok(())
}

async fn drift_is_repaired(cluster: &Cluster) -> Result {
    let before = cluster
        .api::<Deployment>()
        .get("example")
        .await?
        .metadata
        .generation;
    cluster.kubectl(&["scale", "deployment", "example", "--replicas=5"])?;
    let is_repaired = |deployment: Option<&Deployment>| {
        deployment.is_some_and(|deployment| {
            deployment.spec.replicas == Some(3) && deployment.metadata.generation > before
        })
    };
    cluster
        .until("replicas are repaired", "example", is_repaired)
        .await?;

    cluster.kubectl(&["set", "image", "deployment/example", "memcached=redis"])?;
    let has_image = |deployment: Option<&Deployment>| {
        let pod = deployment.and_then(|deployment| deployment.spec.template.spec.as_ref());
        pod.is_some_and(|pod| pod.containers[0].image.as_deref() == Some("memcached:1.6-alpine"))
    };
    cluster
        .until("the image is repaired", "example", has_image)
        .await?;
    cluster.until_available("example", 3).await.map(drop)
}

/// The old port must be removed when the new one is set.
async fn another_port_replaces_the_servers(cluster: &Cluster) -> Result {
    let patch = Patch::Merge(json!({ "spec": { "containerPort": 12000 } }));
    let memcacheds = cluster.api::<Memcached>();
    memcacheds
        .patch("example", &PatchParams::default(), &patch)
        .await?;
    let has_port = |deployment: Option<&Deployment>| {
        let pod = deployment.and_then(|deployment| deployment.spec.template.spec.as_ref());
        let ports = pod.and_then(|pod| pod.containers[0].ports.as_deref());
        ports.is_some_and(|ports| matches!(ports, [port] if port.container_port == 12000))
    };
    cluster.until("the port is changed", "example", has_port).await?;
    cluster.until_available("example", 3).await.map(drop)
}

async fn a_deleted_deployment_is_made_again(cluster: &Cluster) -> Result {
    let deployments = cluster.api::<Deployment>();
    let before = deployments.get("example").await?.uid();
    deployments.delete("example", &DeleteParams::background()).await?;
    let is_new =
        |deployment: Option<&Deployment>| deployment.is_some_and(|deployment| deployment.uid() != before);
    cluster
        .until("there is a new Deployment", "example", is_new)
        .await?;
    cluster.until_available("example", 3).await.map(drop)
}

async fn a_foreign_deployment_is_refused(cluster: &Cluster) -> Result {
    cluster.kubectl(&["create", "deployment", "taken", "--image=nginx"])?;
    cluster.create("taken", 1).await?;
    poll("the refusal is told", || cluster.has_event("taken", "NameTaken")).await?;
    let deployment = cluster.api::<Deployment>().get("taken").await?;
    assert_eq!(deployment.owner_references(), []);

    // Once it is deleted, the Memcached gets the name.
    cluster.kubectl(&["delete", "deployment", "taken"])?;
    cluster.until_available("taken", 1).await?;
    cluster.kubectl(&["delete", "memcached", "taken"]).map(drop)
}

/// In the background, and in the foreground, in which the garbage collector adds a finalizer.
async fn a_deleted_memcached_goes_after_its_servers(cluster: &Cluster) -> Result {
    cluster.create("other", 1).await?;
    cluster.until_available("other", 1).await?;
    for (name, params) in [
        ("example", DeleteParams::background()),
        ("other", DeleteParams::foreground()),
    ] {
        let memcacheds = cluster.api::<Memcached>();
        let uid = memcacheds.get(name).await?.uid().unwrap_or_default();
        memcacheds.delete(name, &params).await?;
        let gone = is_deleted::<Memcached>(&uid);
        cluster.until("the Memcached is gone", name, gone).await?;
        let selector = format!("--selector=app.kubernetes.io/instance={name}");
        let left = cluster.kubectl(&["get", "deployments,replicasets,pods", &selector, "--output=name"])?;
        assert_eq!(left, "", "nothing of {name} is left when it is gone");
        poll("the end is told", || cluster.has_event(name, "Deleted")).await?;
    }
    Ok(())
}

/// The service account has only the generated roles, and these were sufficient.
fn assert_nothing_was_forbidden(operator: &Operator) {
    let log = operator.log();
    assert!(!log.to_lowercase().contains("forbidden"), "{log}");
}
