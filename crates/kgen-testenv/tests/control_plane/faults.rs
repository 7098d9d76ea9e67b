//! Breaking the control plane on purpose.

use std::time::Instant;

use kgen_testenv::suite::Outcome;
use kgen_testenv::{Component, ControlPlane};

use crate::support::{kubectl, measured, run};

pub async fn the_api_server_is_killed_and_restarted() -> Outcome {
    let control_plane = ControlPlane::builder().with_nodes(1).start().await?;
    kubectl(
        &control_plane,
        &["create", "deployment", "web", "--image=nginx", "--replicas=1"],
    );
    let before = control_plane.process_id(Component::ApiServer);

    control_plane.kill(Component::ApiServer)?;
    assert_eq!(control_plane.process_id(Component::ApiServer), None);
    assert!(run(control_plane.kubectl().args(["get", "deployments"])).is_err());
    control_plane.kill(Component::ApiServer)?; // a second kill is not an error

    let start = Instant::now();
    control_plane.restart(Component::ApiServer).await?;
    measured("restart of the API server", start);
    assert_ne!(control_plane.process_id(Component::ApiServer), before);
    // The address, certificates and objects are the same, and the other components continue to run.
    kubectl(&control_plane, &["scale", "deployment/web", "--replicas=3"]);
    kubectl(
        &control_plane,
        &["rollout", "status", "deployment/web", "--timeout=180s"],
    );
    control_plane.check()?;
    control_plane.stop().await?;
    Ok(())
}

pub async fn every_component_comes_back() -> Outcome {
    let control_plane = ControlPlane::builder().with_nodes(1).start().await?;
    kubectl(
        &control_plane,
        &["create", "deployment", "web", "--image=nginx", "--replicas=1"],
    );
    for component in Component::ALL {
        control_plane.restart(component).await?;
    }
    kubectl(&control_plane, &["scale", "deployment/web", "--replicas=3"]);
    kubectl(
        &control_plane,
        &["rollout", "status", "deployment/web", "--timeout=180s"],
    );
    control_plane.check()?;
    control_plane.stop().await?;
    Ok(())
}

pub async fn watches_of_compacted_revisions_are_gone() -> Outcome {
    let control_plane = ControlPlane::builder()
        .api_server_flag("--watch-cache=false")
        .start()
        .await?;
    let old = write_some(&control_plane);
    control_plane.compact_etcd().await?;
    let compacted = control_plane.compact_etcd().await?;
    assert!(compacted > 0);
    assert!(
        watch_from(&control_plane, &old).contains("\"code\":410"),
        "{}",
        watch_from(&control_plane, &old)
    );
    control_plane.stop().await?;
    Ok(())
}

/// The documentation of `compact_etcd` promises both.
pub async fn the_watch_cache_hides_a_compaction() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let old = write_some(&control_plane);
    control_plane.compact_etcd().await?;
    let answer = watch_from(&control_plane, &old);
    assert!(
        answer.contains("\"ADDED\"") || answer.contains("\"MODIFIED\""),
        "{answer}"
    );

    control_plane.restart(Component::ApiServer).await?;
    let answer = watch_from(&control_plane, &old);
    assert!(answer.contains("\"code\":410"), "{answer}");
    control_plane.stop().await?;
    Ok(())
}

/// Changes objects and returns an older resource version.
fn write_some(control_plane: &ControlPlane) -> String {
    let version = kubectl(
        control_plane,
        &[
            "create",
            "configmap",
            "old",
            "--output=jsonpath={.metadata.resourceVersion}",
        ],
    );
    for number in 0..3 {
        kubectl(control_plane, &["create", "configmap", &format!("new-{number}")]);
    }
    version
}

/// Returns the response to a watch of one second.
fn watch_from(control_plane: &ControlPlane, version: &str) -> String {
    let path =
        format!("/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1&resourceVersion={version}");
    let answer = run(control_plane.kubectl().args(["get", "--raw", &path]));
    answer.unwrap_or_else(|error| error)
}
