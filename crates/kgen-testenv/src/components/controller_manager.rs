//! The controller manager: all controllers of Kubernetes or the chosen ones, without client-side rate limits.

use crate::components::{Layout, Options};

/// Returns the command line.
pub(super) fn arguments(layout: &Layout, options: &Options) -> Vec<String> {
    let kubeconfig = layout.file("controller-manager.kubeconfig");
    let mut arguments = vec![
        format!("--kubeconfig={kubeconfig}"),
        format!("--authentication-kubeconfig={kubeconfig}"),
        format!("--authorization-kubeconfig={kubeconfig}"),
        "--bind-address=127.0.0.1".to_owned(),
        format!("--secure-port={}", layout.ports.controller_manager),
        format!("--tls-cert-file={}", layout.file("server.crt")),
        format!("--tls-private-key-file={}", layout.file("server.key")),
        format!("--root-ca-file={}", layout.file("authority.crt")),
        format!("--cluster-signing-cert-file={}", layout.file("authority.crt")),
        format!("--cluster-signing-key-file={}", layout.file("authority.key")),
        format!(
            "--service-account-private-key-file={}",
            layout.file("service-accounts.key")
        ),
        // As on real clusters, every controller has its own account and role.
        "--use-service-account-credentials=true".to_owned(),
        // There is only one replica, and waiting for a lease takes seconds, especially after a restart.
        "--leader-elect=false".to_owned(),
        // With the defaults (20 requests per second), a test with many objects would measure the limit instead of the
        // operator.
        "--kube-api-qps=1000".to_owned(),
        "--kube-api-burst=2000".to_owned(),
        "--concurrent-deployment-syncs=20".to_owned(),
        "--concurrent-replicaset-syncs=20".to_owned(),
    ];
    if !options.controllers.is_empty() {
        arguments.push(format!("--controllers={}", options.controllers.join(",")));
    }
    arguments
}
