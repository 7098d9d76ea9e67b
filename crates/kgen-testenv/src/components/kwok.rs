//! kwok, which simulates nodes and the status of pods.

use serde_json::{Value, json};

use crate::components::Layout;

/// The name of the file with the stages.
pub(super) const STAGES: &str = "kwok-stages.yaml";

/// The stages.
pub(super) const STAGES_TEXT: &str = include_str!("kwok-stages.yaml");

/// Returns the command line.
pub(super) fn arguments(layout: &Layout) -> Vec<String> {
    vec![
        format!("--kubeconfig={}", layout.file("kwok.kubeconfig")),
        format!("--config={}", layout.file(STAGES)),
        "--manage-all-nodes=true".to_owned(),
        format!("--server-address=127.0.0.1:{}", layout.ports.kwok),
        format!("--tls-cert-file={}", layout.file("server.crt")),
        format!("--tls-private-key-file={}", layout.file("server.key")),
        // Without a lease, kwok does not send heartbeats, and the controller manager declares the nodes dead after a
        // minute.
        "--node-lease-duration-seconds=40".to_owned(),
    ]
}

/// Returns the name of the `number`th node.
pub(crate) fn node_name(number: u16) -> String {
    format!("node-{number}")
}

/// Returns the `number`th node, with enough capacity for a load test.
pub(crate) fn node(number: u16) -> Value {
    let name = node_name(number);
    let room = json!({ "cpu": "1000", "memory": "4Ti", "pods": "20000" });
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "kubernetes.io/arch": "amd64",
                "type": "kwok",
            },
            "annotations": { "kwok.x-k8s.io/node": "fake" },
        },
        "status": { "capacity": room, "allocatable": room },
    })
}
