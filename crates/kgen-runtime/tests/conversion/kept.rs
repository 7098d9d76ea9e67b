//! The values that another version cannot represent.

use kgen_runtime::conversion::{Change, Conversion, ConversionError, Variants};
use serde_json::{Value, json};

use crate::support::{conversion, kept, widget};

/// Returns a conversion: `memory` is translated, `note` is dropped, ports have keys, and `v2` has a field and a variant
/// of its own.
fn sample() -> Conversion {
    let ports = |name: &str| {
        json!({
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "properties": {"name": {"type": "string"}, name: {"type": "string"}}},
        })
    };
    conversion(
        json!({
            "memory": {"type": "string", "maxLength": 10},
            "note": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "ports": ports("comment"),
            "strategy": {"type": "string"},
        }),
        json!({
            "bytes": {"type": "integer"},
            "ports": ports("protocol"),
            "strategy": {"type": "string"},
            "priority": {"type": "integer", "default": 5},
        }),
        Change::new()
            .translated(
                ["memory"],
                ["bytes"],
                |(memory,): (String,)| {
                    assert_ne!(memory, "panic", "as the test wants");
                    (memory.len(),)
                },
                |(bytes,): (usize,)| ("x".repeat(bytes),),
            )
            .dropped("note")
            .dropped("tags")
            .each("ports", Change::new().dropped("comment").added("protocol"))
            .variants("strategy", Variants::new().added("Canary", "Rolling"))
            .added("priority"),
    )
}

fn to(version: &str, object: &Value) -> Value {
    sample().convert_json(object.clone(), version).unwrap()
}

#[test]
fn the_annotation_has_the_place_and_both_values() {
    let object = widget("v1", json!({"memory": "1Gi", "note": "hello"}));
    let converted = to("v2", &object);
    assert_eq!(
        converted["metadata"]["annotations"]["example.com/conversion-v1"],
        r#"[{"at":["spec","memory"],"was":"xxx","is":"1Gi"},{"at":["spec","note"],"is":"hello"}]"#
    );
    assert_eq!(to("v1", &converted), object);
}

#[test]
fn an_edit_wins() {
    let mut converted = to("v2", &widget("v1", json!({"memory": "1Gi", "note": "hello"})));
    converted["spec"]["bytes"] = json!(4);
    let back = to("v1", &converted);
    assert_eq!(back["spec"], json!({"memory": "xxxx", "note": "hello"}));

    // A value that only newer can represent, and an edit of the same value in older.
    let mut stored = to("v1", &widget("v2", json!({"strategy": "Canary", "priority": 5})));
    assert_eq!(stored["spec"], json!({"strategy": "Rolling"}));
    assert_eq!(
        to("v2", &stored)["spec"],
        json!({"strategy": "Canary", "priority": 5})
    );
    stored["spec"]["strategy"] = json!("Recreate");
    assert_eq!(
        to("v2", &stored)["spec"],
        json!({"strategy": "Recreate", "priority": 5})
    );
}

#[test]
fn a_removed_object_takes_its_kept_values_along() {
    let mut converted = to("v2", &widget("v1", json!({"note": "hello"})));
    converted.as_object_mut().unwrap().remove("spec");
    assert_eq!(to("v1", &converted).get("spec"), None);
}

#[test]
fn a_default_that_was_filled_in_is_removed_again() {
    let object = widget("v2", json!({"bytes": 3}));
    let stored = to("v1", &object);
    assert_eq!(
        kept(&stored, "v2"),
        json!([{"at": ["spec", "priority"], "was": 5}])
    );
    assert_eq!(to("v2", &stored), object);
}

#[test]
fn items_with_keys_are_found_after_reordering_and_removal() {
    let ports =
        json!([{"name": "a", "comment": "1"}, {"name": "b", "comment": "2"}, {"name": "c", "comment": "3"}]);
    let mut converted = to("v2", &widget("v1", json!({"ports": ports})));
    assert_eq!(
        kept(&converted, "v1")[1],
        json!({"at": ["spec", "ports", "name=\"b\"", "comment"], "is": "2"})
    );
    converted["spec"]["ports"] = json!([{"name": "c"}, {"name": "new"}, {"name": "a"}]);
    assert_eq!(
        to("v1", &converted)["spec"]["ports"],
        json!([{"name": "c", "comment": "3"}, {"name": "new"}, {"name": "a", "comment": "1"}])
    );
}

#[test]
fn lists_are_identified_by_a_hash() {
    let list = json!({"type": "array", "items": {"type": "string"}});
    let sorted = |(mut list,): (Vec<String>,)| {
        list.sort();
        (list,)
    };
    let conversion = conversion(
        json!({"list": list}),
        json!({"list": list}),
        Change::new().translated(["list"], ["list"], sorted, sorted),
    );
    let object = widget("v1", json!({"list": ["b", "a"]}));
    let mut converted = conversion.convert_json(object.clone(), "v2").unwrap();
    let entry = &kept(&converted, "v1")[0];
    // The hash is stored in clusters, so it must never change.
    assert_eq!(
        *entry,
        json!({
            "at": ["spec", "list"],
            "was": {"hash": "172faf6c40058cb3c4f2c4dbe420dbe5"},
            "is": ["b", "a"],
        })
    );
    assert_eq!(conversion.convert_json(converted.clone(), "v1").unwrap(), object);
    converted["spec"]["list"] = json!(["a", "c"]);
    let edited = conversion.convert_json(converted, "v1").unwrap();
    assert_eq!(edited["spec"]["list"], json!(["a", "c"]));
}

#[test]
fn forged_and_unreadable_annotations_are_dropped() {
    for text in [
        "",
        "nonsense",
        "{}",
        "[1]",
        r#"[{"is":1}]"#,
        r#"[{"at":[],"is":1}]"#,
        // Not declared, a wrong type, out of bounds, and parts that no version owns.
        r#"[{"at":["spec","unknown"],"is":1}]"#,
        r#"[{"at":["spec","unknown","deep"],"is":1}]"#,
        r#"[{"at":["spec","note"],"is":1}]"#,
        r#"[{"at":["spec","tags"],"is":[1]}]"#,
        r#"[{"at":["spec","memory"],"was":"xxx","is":"longer than ten"}]"#,
        r#"[{"at":["spec","memory"],"was":"other","is":"1Gi"}]"#,
        r#"[{"at":["metadata","name"],"was":"a","is":"b"}]"#,
        r#"[{"at":["kind"],"is":"Other"}]"#,
        r#"[{"at":["spec","ports","name=\"x\""],"is":{"name":"y"}}]"#,
    ] {
        let mut object = widget("v2", json!({"bytes": 3, "priority": 5, "ports": []}));
        object["metadata"]["annotations"] = json!({"example.com/conversion-v1": text, "other": "stays"});
        let converted = to("v1", &object);
        assert_eq!(converted["spec"], json!({"memory": "xxx", "ports": []}), "{text}");
        assert_eq!(converted["kind"], "Widget");
        assert_eq!(converted["metadata"]["name"], "a");
        let annotations = &converted["metadata"]["annotations"];
        assert_eq!(annotations.get("example.com/conversion-v1"), None, "{text}");
        assert_eq!(annotations["other"], "stays");
    }
}

#[test]
fn annotations_of_other_versions_pass_through() {
    let mut object = widget("v1", json!({"memory": "xxx"}));
    object["metadata"]["annotations"] =
        json!({"example.com/conversion-v9": "anything", "other.com/conversion-v2": "x"});
    let converted = to("v2", &object);
    assert_eq!(
        converted["metadata"]["annotations"]["example.com/conversion-v9"],
        "anything"
    );
    assert_eq!(
        converted["metadata"]["annotations"]["other.com/conversion-v2"],
        "x"
    );
    assert_eq!(to("v1", &converted), object);
}

#[test]
fn values_that_cannot_be_translated_are_kept() {
    for memory in [json!("panic"), json!(5)] {
        let object = widget("v1", json!({"memory": memory}));
        let converted = to("v2", &object);
        assert_eq!(converted["spec"], json!({"priority": 5}));
        assert_eq!(
            kept(&converted, "v1"),
            json!([{"at": ["spec", "memory"], "is": memory}])
        );
    }
    let object = widget("v1", json!({"memory": "panic"}));
    assert_eq!(to("v1", &to("v2", &object)), object);
}

#[test]
fn the_annotations_are_limited() {
    let limit = 256 * 1024;
    let entry = r#"[{"at":["spec","note"],"is":""}]"#.len() + "example.com/conversion-v1".len();
    let fits = widget("v1", json!({"note": "x".repeat(limit - entry)}));
    assert_eq!(to("v1", &to("v2", &fits)), fits);
    let object = widget("v1", json!({"note": "x".repeat(limit - entry + 1)}));
    let error = sample().convert_json(object, "v2").unwrap_err();
    assert!(matches!(error, ConversionError::TooLarge { bytes, .. } if bytes == limit + 1));
    assert_eq!(
        error.to_string(),
        "Widget.example.com \"default/a\": the values that v2 cannot represent need 262145 bytes of annotations, \
         and 262144 are allowed"
    );
}

#[test]
fn nothing_is_kept_if_nothing_is_lost() {
    let object = widget("v1", json!({"ports": [{"name": "a"}], "strategy": "Rolling"}));
    let mut converted = to("v2", &object);
    converted["spec"]["priority"].take();
    assert_eq!(
        converted["metadata"],
        json!({"name": "a", "namespace": "default"})
    );
}
