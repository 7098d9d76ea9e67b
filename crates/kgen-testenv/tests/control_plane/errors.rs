//! The error messages that a user reads.

use std::path::Path;

use kgen_testenv::suite::Outcome;
use kgen_testenv::{Component, ControlPlane, Error};

pub async fn a_dead_component_shows_its_log() -> Outcome {
    let error = ControlPlane::builder()
        .api_server_flag("--no-such-flag")
        .start()
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::Died {
                component: Component::ApiServer,
                ..
            }
        ),
        "{error}"
    );
    assert!(
        error.to_string().contains("unknown flag: --no-such-flag"),
        "{error}"
    );

    let logs = tempfile::tempdir()?;
    let control_plane = ControlPlane::builder().logs(logs.path()).start().await?;
    let log = control_plane.log_path(Component::Etcd);
    assert!(log.starts_with(logs.path()));
    assert!(
        control_plane
            .log(Component::ApiServer)?
            .contains("Serving securely")
    );
    control_plane.stop().await?;
    assert!(log.is_file(), "logs in a folder of one's own are kept");
    Ok(())
}

pub async fn what_is_not_there_is_named() -> Outcome {
    let error = ControlPlane::builder()
        .assets("/nowhere")
        .start()
        .await
        .unwrap_err();
    assert!(error.is_unavailable());
    assert!(
        error
            .to_string()
            .starts_with("`/nowhere` does not contain `kubectl`"),
        "{error}"
    );

    let error = ControlPlane::builder()
        .kubernetes("1.2")
        .start()
        .await
        .unwrap_err();
    assert!(error.to_string().contains("use one of 1.36, 1.37"), "{error}");

    let control_plane = ControlPlane::start().await?;
    let kubectl = control_plane.kubectl();
    let folder = Path::new(kubectl.get_program())
        .parent()
        .expect("the path has a parent");
    let error = ControlPlane::builder()
        .assets(folder)
        .kubernetes("1.2.3")
        .start()
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("Kubernetes 1.2.3 was requested, but "),
        "{error}"
    );

    let error = control_plane.kill(Component::Scheduler).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this control plane does not include kube-scheduler\n  help: add it with `ControlPlane::builder().with(Component::Scheduler)`"
    );
    assert!(control_plane.restart(Component::Kwok).await.is_err());
    assert!(control_plane.log(Component::Kwok).is_err());
    let error = control_plane.install_crds("kind: Pod").await.unwrap_err();
    assert!(
        error.to_string().contains("there is no CustomResourceDefinition"),
        "{error}"
    );
    control_plane.stop().await?;
    Ok(())
}
