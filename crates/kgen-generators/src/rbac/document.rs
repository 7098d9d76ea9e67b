//! Converts a role to its Kubernetes object. Keys without values are left out, except `verbs`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::merge::{Role, Rule};

const API_VERSION: &str = "rbac.authorization.k8s.io/v1";

/// Returns the `Role` of a namespace, or the `ClusterRole`.
pub(super) fn role(role: &Role) -> Value {
    let rules: Vec<Value> = role.rules.iter().map(rule).collect();
    if role.namespace.is_empty() {
        return json!({
            "apiVersion": API_VERSION,
            "kind": "ClusterRole",
            "metadata": { "name": role.name },
            "rules": rules,
        });
    }
    json!({
        "apiVersion": API_VERSION,
        "kind": "Role",
        "metadata": { "name": role.name, "namespace": role.namespace },
        "rules": rules,
    })
}

fn rule(rule: &Rule) -> Value {
    let mut object = Map::new();
    let lists = [
        ("apiGroups", &rule.groups),
        ("resources", &rule.resources),
        ("resourceNames", &rule.resource_names),
        ("nonResourceURLs", &rule.urls),
    ];
    for (key, values) in lists {
        if !values.is_empty() {
            object.insert(key.to_owned(), list(values));
        }
    }
    object.insert("verbs".to_owned(), list(&rule.verbs));
    Value::Object(object)
}

fn list(values: &BTreeSet<String>) -> Value {
    values.iter().map(String::as_str).collect()
}
