//! etcd: one member, without durable writes.
//!
//! The API server connects to a Unix socket in the control plane's folder, which only the user may enter. With TLS, the
//! API server's hundred connections cost half a second of processor time at every start. This crate itself uses the
//! port.

use crate::components::Layout;

/// The name of the socket.
pub(super) const SOCKET: &str = "etcd.sock";

/// Returns the command line.
pub(super) fn arguments(layout: &Layout) -> Vec<String> {
    let client = format!("https://127.0.0.1:{}", layout.ports.etcd);
    let peer = format!("https://127.0.0.1:{}", layout.ports.etcd_peer);
    vec![
        "--name=kgen".to_owned(),
        format!("--data-dir={}", layout.file("etcd")),
        format!("--listen-client-urls={client},unix://{}", layout.file(SOCKET)),
        format!("--advertise-client-urls={client}"),
        format!("--listen-peer-urls={peer}"),
        format!("--initial-advertise-peer-urls={peer}"),
        format!("--initial-cluster=kgen={peer}"),
        format!("--cert-file={}", layout.file("server.crt")),
        format!("--key-file={}", layout.file("server.key")),
        format!("--trusted-ca-file={}", layout.file("authority.crt")),
        "--client-cert-auth".to_owned(),
        format!("--peer-cert-file={}", layout.file("server.crt")),
        format!("--peer-key-file={}", layout.file("server.key")),
        format!("--peer-trusted-ca-file={}", layout.file("authority.crt")),
        "--peer-client-cert-auth".to_owned(),
        // The data does not have to survive a power failure, and waiting for the disk dominates the cost of a write. A
        // killed process does not lose data, because the operating system has it.
        "--unsafe-no-fsync".to_owned(),
        // The default of 2 GiB is enough, but a test that fills it would hang; 8 GiB is the maximum that etcd
        // recommends.
        format!("--quota-backend-bytes={}", 8_u64 << 30),
    ]
}
