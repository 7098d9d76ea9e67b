//! Starting: its duration, several control planes at a time, and control planes in statics.

use std::time::Instant;

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Outcome;

use crate::support::{kubectl, measured};

pub async fn two_at_once() -> Outcome {
    let start = Instant::now();
    let (first, second) = tokio::join!(ControlPlane::start(), ControlPlane::start());
    let (first, second) = (first?, second?);
    measured("two control planes (etcd, API server), started at once", start);
    assert_ne!(first.url(), second.url());
    assert_ne!(first.folder(), second.folder());
    assert!(first.version().starts_with("v1."), "{}", first.version());

    kubectl(&first, &["create", "namespace", "only-here"]);
    assert!(kubectl(&first, &["get", "namespaces", "--output=name"]).contains("namespace/only-here"));
    assert!(!kubectl(&second, &["get", "namespaces", "--output=name"]).contains("namespace/only-here"));

    // A certificate signed by one control plane is not accepted by the other.
    let mut stranger = second.kubectl();
    stranger
        .env("KUBECONFIG", first.kubeconfig_path())
        .args(["--server", second.url(), "get", "namespaces"]);
    let error = crate::support::run(&mut stranger).unwrap_err();
    assert!(error.contains("certificate"), "{error}");

    first.stop().await?;
    second.stop().await?;
    Ok(())
}

/// A control plane in a static is used by tests with different runtimes, after the runtime that started it has ended.
pub async fn one_serves_several_runtimes() -> Outcome {
    let control_plane = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(ControlPlane::start())
    });
    let control_plane = control_plane.join().unwrap()?;
    let version = control_plane.client().await?.apiserver_version().await?;
    assert_eq!(version.git_version, control_plane.version());
    control_plane.stop().await?;
    Ok(())
}
