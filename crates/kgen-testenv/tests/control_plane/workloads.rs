//! Pods that kwok runs, and the controllers that manage them.

use std::time::Instant;

use k8s_openapi::api::apps::v1::Deployment;
use kgen_testenv::suite::Outcome;
use kgen_testenv::{Component, ControlPlane};
use kube::Api;

use crate::support::{kubectl, measured, run, wait_until};

pub async fn three_replicas_run_and_are_collected() -> Outcome {
    let start = Instant::now();
    let control_plane = ControlPlane::builder().with_nodes(2).start().await?;
    measured("a whole control plane with two nodes", start);
    assert_eq!(control_plane.components(), Component::ALL);

    let start = Instant::now();
    kubectl(
        &control_plane,
        &["create", "deployment", "web", "--image=nginx", "--replicas=3"],
    );
    kubectl(
        &control_plane,
        &[
            "wait",
            "--for=condition=Available",
            "deployment/web",
            "--timeout=180s",
        ],
    );
    kubectl(
        &control_plane,
        &["rollout", "status", "deployment/web", "--timeout=180s"],
    );
    measured("a Deployment of three replicas, created until Available", start);
    let phases = kubectl(
        &control_plane,
        &["get", "pods", "--output=jsonpath={.items[*].status.phase}"],
    );
    assert_eq!(phases, "Running Running Running");

    let deployments: Api<Deployment> = Api::default_namespaced(control_plane.client().await?);
    let status = deployments.get("web").await?.status.unwrap_or_default();
    assert_eq!(status.available_replicas, Some(3));

    let start = Instant::now();
    kubectl(&control_plane, &["delete", "deployment", "web"]);
    wait_until(
        "the garbage collector removes what the Deployment owned",
        180,
        || kubectl(&control_plane, &["get", "replicasets,pods", "--output=name"]).is_empty(),
    )
    .await;
    measured("its deletion, until no ReplicaSet and no pod is left", start);
    let start = Instant::now();
    control_plane.stop().await?;
    measured("stop of a whole control plane", start);
    Ok(())
}

/// As in envtest, there are no service accounts, but pods can be created.
pub async fn pods_are_accepted_without_controllers() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    assert_eq!(
        control_plane.components(),
        [Component::Etcd, Component::ApiServer]
    );
    run(control_plane.kubectl().args(["run", "web", "--image=nginx"]))?;
    control_plane.stop().await?;
    Ok(())
}
