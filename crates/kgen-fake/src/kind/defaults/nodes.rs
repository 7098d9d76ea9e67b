//! Defaults of nodes and of drivers of storage.

use serde_json::{Value, json};

use super::{or, part};

const NOT_READY: &str = "node.kubernetes.io/not-ready";

pub(crate) fn node(object: &mut Value) {
    if let Some(spec) = part(object, "spec")
        && let Some(range) = spec.get("podCIDR").cloned()
    {
        or(spec, "podCIDRs", json!([range]));
    }
    if let Some(status) = part(object, "status")
        && let Some(capacity) = status
            .get("capacity")
            .filter(|capacity| capacity.is_object())
            .cloned()
    {
        or(status, "allocatable", capacity);
    }
}

/// A plugin that the server has by default adds a taint to new nodes.
pub(crate) fn new_node(object: &mut Value) {
    or(object, "spec", json!({}));
    let Some(spec) = part(object, "spec") else { return };
    or(spec, "taints", json!([]));
    if let Some(taints) = spec["taints"].as_array_mut()
        && !taints
            .iter()
            .any(|taint| taint.get("key").is_some_and(|key| key == NOT_READY))
    {
        taints.push(json!({"key": NOT_READY, "effect": "NoSchedule"}));
    }
}

pub(crate) fn new_attachment(object: &mut Value) {
    object["status"] = json!({"attached": false});
}

pub(crate) fn storage_driver(object: &mut Value) {
    let Some(spec) = part(object, "spec") else { return };
    or(spec, "attachRequired", json!(true));
    or(spec, "fsGroupPolicy", json!("ReadWriteOnceWithFSType"));
    for key in [
        "podInfoOnMount",
        "requiresRepublish",
        "seLinuxMount",
        "storageCapacity",
    ] {
        or(spec, key, json!(false));
    }
    or(spec, "volumeLifecycleModes", json!(["Persistent"]));
}

/// Fills in the requests for devices.
fn requests(spec: Option<&mut Value>) {
    let Some(devices) = spec.and_then(|spec| part(spec, "devices")) else {
        return;
    };
    super::each(devices, "requests", |request| {
        let exact = |request: &mut Value| {
            or(request, "allocationMode", json!("ExactCount"));
            if request
                .get("allocationMode")
                .is_some_and(|mode| mode == "ExactCount")
            {
                or(request, "count", json!(1));
            }
        };
        if let Some(exactly) = part(request, "exactly") {
            exact(exactly);
        }
        super::each(request, "firstAvailable", exact);
    });
}

pub(crate) fn claim_of_devices(object: &mut Value) {
    requests(part(object, "spec"));
}

pub(crate) fn template_of_claims(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        or(spec, "metadata", json!({}));
        requests(part(spec, "spec"));
    }
}
