//! The scheduler, without client-side rate limits.

use crate::components::Layout;

/// The name of the configuration file.
pub(super) const CONFIGURATION: &str = "scheduler.yaml";

/// Returns the command line.
pub(super) fn arguments(layout: &Layout) -> Vec<String> {
    let kubeconfig = layout.file("scheduler.kubeconfig");
    vec![
        format!("--config={}", layout.file(CONFIGURATION)),
        format!("--authentication-kubeconfig={kubeconfig}"),
        format!("--authorization-kubeconfig={kubeconfig}"),
        "--bind-address=127.0.0.1".to_owned(),
        format!("--secure-port={}", layout.ports.scheduler),
        format!("--tls-cert-file={}", layout.file("server.crt")),
        format!("--tls-private-key-file={}", layout.file("server.key")),
    ]
}

/// Returns the configuration file. The flags for these settings are deprecated.
pub(super) fn configuration(layout: &Layout) -> String {
    let kubeconfig = serde_json::Value::from(layout.file("scheduler.kubeconfig"));
    format!(
        "apiVersion: kubescheduler.config.k8s.io/v1\n\
         kind: KubeSchedulerConfiguration\n\
         clientConnection:\n\
         \x20 kubeconfig: {kubeconfig}\n\
         \x20 qps: 1000\n\
         \x20 burst: 2000\n\
         leaderElection:\n\
         \x20 leaderElect: false\n"
    )
}
