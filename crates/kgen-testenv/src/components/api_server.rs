//! The API server, with RBAC and signed service account tokens.

use crate::components::layout::{AUDIT_LOG, AUDIT_POLICY, FRONT_PROXY};
use crate::components::{Layout, Options, etcd};

/// Returns the command line.
pub(super) fn arguments(layout: &Layout, options: &Options) -> Vec<String> {
    let mut arguments = vec![
        "--bind-address=127.0.0.1".to_owned(),
        "--advertise-address=127.0.0.1".to_owned(),
        format!("--secure-port={}", layout.ports.api_server),
        format!("--tls-cert-file={}", layout.file("server.crt")),
        format!("--tls-private-key-file={}", layout.file("server.key")),
        format!("--client-ca-file={}", layout.file("authority.crt")),
        format!("--cert-dir={}", layout.file("api-server")),
        format!("--etcd-servers=unix://{}", layout.file(etcd::SOCKET)),
        "--authorization-mode=RBAC".to_owned(),
        "--allow-privileged=true".to_owned(),
        "--service-cluster-ip-range=10.0.0.0/24".to_owned(),
        "--service-account-issuer=https://kubernetes.default.svc.cluster.local".to_owned(),
        format!(
            "--service-account-key-file={}",
            layout.file("service-accounts.pub")
        ),
        format!(
            "--service-account-signing-key-file={}",
            layout.file("service-accounts.key")
        ),
        // How the API server identifies itself to an aggregated API server. The controller manager and the scheduler
        // read this too and report an error if it is missing.
        format!("--requestheader-client-ca-file={}", layout.file("authority.crt")),
        format!("--requestheader-allowed-names={FRONT_PROXY}"),
        "--requestheader-username-headers=X-Remote-User".to_owned(),
        "--requestheader-group-headers=X-Remote-Group".to_owned(),
        "--requestheader-extra-headers-prefix=X-Remote-Extra-".to_owned(),
        format!("--proxy-client-cert-file={}", layout.file("front-proxy.crt")),
        format!("--proxy-client-key-file={}", layout.file("front-proxy.key")),
        // The reconciler writes the server's address into the Service `kubernetes`, where a loopback address is not
        // allowed; it would fail every ten seconds.
        "--endpoint-reconciler-type=none".to_owned(),
    ];
    if !options.service_accounts {
        // Without their controller, namespaces do not have a default service account, and every pod would be
        // rejected.
        arguments.push("--disable-admission-plugins=ServiceAccount".to_owned());
    }
    if options.audit {
        arguments.extend([
            format!("--audit-policy-file={}", layout.file(AUDIT_POLICY)),
            format!("--audit-log-path={}", layout.file(AUDIT_LOG)),
            // In megabytes. The log must not be rotated, because it is read as one file.
            "--audit-log-maxsize=10000".to_owned(),
        ]);
    }
    arguments.extend(options.api_server_flags.iter().cloned());
    arguments
}
