//! Defaults of HorizontalPodAutoscalers.

use serde_json::{Value, json};

use super::{or, part};

pub(crate) fn autoscaler(object: &mut Value) {
    let Some(spec) = part(object, "spec") else { return };
    or(spec, "minReplicas", json!(1));
    if spec
        .get("metrics")
        .and_then(Value::as_array)
        .is_none_or(Vec::is_empty)
    {
        spec["metrics"] = json!([{
            "type": "Resource",
            "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
        }]);
    }
    let Some(behavior) = part(spec, "behavior") else {
        return;
    };
    for key in ["scaleUp", "scaleDown"] {
        or(behavior, key, json!({}));
        let Some(rules) = part(behavior, key) else {
            continue;
        };
        or(rules, "selectPolicy", json!("Max"));
        let percent = json!({"type": "Percent", "value": 100, "periodSeconds": 15});
        if key == "scaleUp" {
            or(rules, "stabilizationWindowSeconds", json!(0));
            let pods = json!({"type": "Pods", "value": 4, "periodSeconds": 15});
            or(rules, "policies", json!([pods, percent]));
        } else {
            or(rules, "policies", json!([percent]));
        }
    }
}

pub(crate) fn new_autoscaler(object: &mut Value) {
    object["status"] = json!({"desiredReplicas": 0, "currentMetrics": null});
}
