//! Objects that a test puts into the store.

use std::panic::AssertUnwindSafe;

use kgen_fake::Cluster;
use serde_json::{Value, json};

use super::objects::{panic_of, widget, widgets};

fn stored(cluster: &Cluster) -> Value {
    cluster.raw("example.org", "widgets", "default", "a").unwrap()
}

#[test]
fn an_object_that_exists_is_validated_too() {
    let cluster = Cluster::new().definition(widgets()).start();
    let put = |spec: Value| cluster.put(&widget("v1", "a", spec));
    put(json!({"size": 1, "color": "red"}));
    let message = panic_of(AssertUnwindSafe(|| put(json!({"size": 10}))));
    assert_eq!(
        message,
        "Widget a is refused: spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9"
    );
    let message = panic_of(AssertUnwindSafe(|| put(json!({"color": "blue"}))));
    assert_eq!(
        message,
        "Widget a is refused: spec.color: Invalid value: \"blue\": is final"
    );
    assert_eq!(stored(&cluster)["spec"], json!({"size": 1, "color": "red"}));
}

#[test]
fn an_unknown_field_is_refused() {
    let cluster = Cluster::new().definition(widgets()).start();
    let message = panic_of(AssertUnwindSafe(|| {
        cluster.put(&widget("v1", "a", json!({"sise": 1})));
    }));
    assert_eq!(message, "Widget a is refused: unknown field \"spec.sise\"");
}

#[test]
fn only_a_change_makes_a_version() {
    let cluster = Cluster::new().definition(widgets()).start();
    let object = widget("v1", "a", json!({"size": 1}));
    cluster.put(&object);
    let before = stored(&cluster);
    cluster.put(&object);
    assert_eq!(stored(&cluster), before);

    let mut ready = object.clone();
    ready["status"] = json!({"ready": true});
    cluster.put(&ready);
    let with_status = stored(&cluster);
    assert_ne!(
        with_status["metadata"]["resourceVersion"],
        before["metadata"]["resourceVersion"]
    );
    assert_eq!(with_status["metadata"]["generation"], 1);
    cluster.put(&object);
    assert_eq!(stored(&cluster), with_status, "the status is kept");
    cluster.put(&widget("v1", "a", json!({"size": 2})));
    assert_eq!(stored(&cluster)["metadata"]["generation"], 2);
}
