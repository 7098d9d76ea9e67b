//! Owners that the garbage collector cannot look for.

use kgen_fake::Cluster;
use serde_json::{Value, json};

use super::objects::{widget, widgets};

/// Returns a map with an owner.
fn owned(name: &str, owner: Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "default", "ownerReferences": [owner]},
    })
}

fn owner(api_version: &str, kind: &str, name: &str, uid: &str) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "name": name, "uid": uid})
}

#[tokio::test(start_paused = true)]
async fn nothing_is_deleted_if_the_kind_of_an_owner_is_not_known() {
    let cluster = Cluster::new().definition(widgets()).start();
    cluster.put(&widget("v1", "a", json!({})));
    let uid = cluster.raw("example.org", "widgets", "default", "a").unwrap()["metadata"]["uid"].clone();
    let uid = uid.as_str().unwrap();
    for (name, owner, is_kept) in [
        ("present", owner("example.org/v1", "Widget", "a", uid), true),
        (
            "other-version",
            owner("example.org/v1beta1", "Widget", "a", uid),
            true,
        ),
        ("absent", owner("example.org/v1", "Widget", "b", "u-1"), false),
        (
            "unknown-kind",
            owner("example.org/v1", "Gadget", "a", "u-2"),
            true,
        ),
        ("unknown-group", owner("other.org/v1", "Widget", "a", uid), true),
        (
            "unknown-version",
            owner("example.org/v9", "Widget", "a", uid),
            true,
        ),
        // It looks for a ConfigMap, and there is none of this name.
        ("other-kind", owner("v1", "ConfigMap", "a", uid), false),
    ] {
        cluster.put(&owned(name, owner));
        let found = cluster.raw("", "configmaps", "default", name);
        assert_eq!(found.is_some(), is_kept, "{name}");
    }
    let mut role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "r"},
    });
    role["metadata"]["ownerReferences"] = json!([owner("example.org/v1", "Widget", "a", uid)]);
    cluster.put(&role);
    let role = cluster.raw("rbac.authorization.k8s.io", "clusterroles", "", "r");
    assert!(
        role.is_some(),
        "an owner in a namespace cannot own it, so it is left alone"
    );
}

#[tokio::test(start_paused = true)]
async fn the_dependents_of_a_kind_that_is_removed_are_deleted() {
    use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
    use kube::Api;
    for garbage in [kgen_fake::Garbage::AtOnce, kgen_fake::Garbage::OnDemand] {
        let cluster = Cluster::new().garbage(garbage).definition(widgets()).start();
        cluster.put(&widget("v1", "a", json!({})));
        let uid = cluster.raw("example.org", "widgets", "default", "a").unwrap()["metadata"]["uid"].clone();
        cluster.put(&owned(
            "m",
            owner("example.org/v1", "Widget", "a", uid.as_str().unwrap()),
        ));
        let definitions: Api<CustomResourceDefinition> = Api::all(cluster.admin());
        definitions
            .delete("widgets.example.org", &Default::default())
            .await
            .unwrap();
        cluster.collect();
        assert!(cluster.raw("", "configmaps", "default", "m").is_none());
    }
}
