//! Chooses the kind, the length and the definitions of a sequence.

use std::path::Path;

use serde_json::{Value, json};

use crate::random::Random;
use crate::sequence::Sequence;
use crate::subjects::Subject;

/// The definitions that are installed on both servers.
pub const DEFINITIONS: [&str; 5] = ["widgets", "gadgets", "gears", "drafts", "orders"];

const BUILT_IN: [&str; 24] = [
    "ConfigMap",
    "ConfigMap",
    "Secret",
    "Service",
    "Pod",
    "ServiceAccount",
    "PersistentVolumeClaim",
    "Event",
    "Deployment",
    "Deployment",
    "ReplicaSet",
    "StatefulSet",
    "DaemonSet",
    "Job",
    "CronJob",
    "Lease",
    "Role",
    "RoleBinding",
    "ClusterRole",
    "PodDisruptionBudget",
    "Ingress",
    "NetworkPolicy",
    "HorizontalPodAutoscaler",
    "Endpoints",
];

/// Reads a definition.
pub fn definition(name: &str) -> Value {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = if name == "orders" {
        here.join("testdata/side-by-side")
    } else {
        here.join("../../testdata/conformance/fake/definitions")
    };
    serde_json::from_str(&std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap()).unwrap()
}

/// Returns the case of a seed.
pub fn case(seed: u64) -> Value {
    let mut random = Random::new(seed);
    let only = std::env::var("KGEN_FAKE_KIND").unwrap_or_default();
    let (subject, others) = match random.below(if only == "custom" { 15 } else { 20 }) {
        0..8 => (Subject::custom(&definition("widgets"), "v1"), Vec::new()),
        8 => (Subject::custom(&definition("gadgets"), "v1"), Vec::new()),
        9 => {
            let gears = definition("gears");
            let others = vec![
                Subject::custom(&gears, "v1beta1"),
                Subject::custom(&gears, "v1alpha1"),
            ];
            (Subject::custom(&gears, "v1"), others)
        }
        10 => (Subject::custom(&definition("drafts"), "v1"), Vec::new()),
        11..15 => {
            let orders = definition("orders");
            let others = if random.chance(50) {
                vec![Subject::custom(&orders, "v1beta1")]
            } else {
                Vec::new()
            };
            (Subject::custom(&orders, "v1"), others)
        }
        _ => {
            let kind = if only.is_empty() {
                *random.pick(&BUILT_IN)
            } else {
                &only
            };
            (Subject::built_in(kind), Vec::new())
        }
    };
    let has_managed_fields = random.chance(50);
    let count = 15 + random.below(30);
    let tier = if subject.is_custom { 2 } else { 3 };
    let steps = Sequence::steps(&mut random, subject, others, count);
    json!({
        "name": format!("random-{seed}"), "about": "a random sequence of requests", "tier": tier,
        "managedFields": has_managed_fields, "definitions": DEFINITIONS, "namespace": "@NS@", "steps": steps,
    })
}

/// Returns a case whose watches last five times as long.
pub fn patient(case: &Value) -> Value {
    let mut case = case.clone();
    for step in case["steps"].as_array_mut().into_iter().flatten() {
        if let Some(timeout) = step.pointer_mut("/open/query/timeoutSeconds")
            && let Some(seconds) = timeout.as_str().and_then(|text| text.parse::<u64>().ok())
        {
            *timeout = json!((5 * seconds).to_string());
        }
    }
    case
}
