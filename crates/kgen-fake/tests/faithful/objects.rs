//! The kind and the objects of these tests.

use kgen_fake::Cluster;
use kube::Api;
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::{Value, json};

/// Returns the CRD of widgets with two versions, of which `v1` is stored.
pub fn widgets() -> Value {
    let version = |name: &str, is_stored: bool| {
        json!({
            "name": name, "served": true, "storage": is_stored, "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                "spec": {"type": "object", "properties": {
                    "size": {"type": "integer", "maximum": 9},
                    "color": {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "is final"}]},
                    "at": {"type": "string"},
                }},
                "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
            }}},
        })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.org"},
        "spec": {
            "group": "example.org", "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
            "versions": [version("v1", true), version("v1beta1", false)],
        },
    })
}

/// Returns a widget.
pub fn widget(version: &str, name: &str, spec: Value) -> Value {
    json!({
        "apiVersion": format!("example.org/{version}"), "kind": "Widget",
        "metadata": {"name": name, "namespace": "default"}, "spec": spec,
    })
}

/// Returns the widgets of a cluster in a version.
pub fn api(cluster: &Cluster, version: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("example.org", version, "Widget");
    Api::default_namespaced_with(cluster.client(), &ApiResource::from_gvk(&kind))
}

/// Returns the object for a request.
pub fn dynamic(object: Value) -> DynamicObject {
    serde_json::from_value(object).unwrap()
}

/// Returns the code and the message of a failed request.
pub fn refusal(error: &kube::Error) -> (u16, String) {
    match error {
        kube::Error::Api(status) => (status.code, status.message.clone()),
        other => panic!("{other}"),
    }
}

/// Returns the message of the panic of a function.
pub fn panic_of(run: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(run).expect_err("it panics");
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}
