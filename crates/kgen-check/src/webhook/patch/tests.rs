//! Patches on a small entry, after the tests of controller-gen and of Kubernetes.

use serde_json::{Map, Value, json};

use super::apply;

fn entry() -> Map<String, Value> {
    let entry = json!({
        "name": "foos.example.com",
        "clientConfig": { "service": { "name": "webhook-service", "namespace": "system", "path": "/x" } },
        "rules": [{ "apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["foos"] }],
        "timeoutSeconds": 10,
        "admissionReviewVersions": ["v1", "v1beta1"],
        "namespaceSelector": { "matchLabels": { "env": "prod", "tier": "web" } },
        "matchConditions": [
            { "name": "first", "expression": "a" },
            { "name": "second", "expression": "b" },
            { "name": "third", "expression": "c" },
        ],
    });
    entry.as_object().cloned().expect("an object")
}

/// Returns one key of the patched entry.
fn patched(patch: Value, key: &str) -> Value {
    apply(&entry(), &patch, true)
        .expect("a good patch")
        .get(key)
        .cloned()
        .unwrap_or(Value::Null)
}

fn mistakes(patch: &Value) -> Vec<String> {
    apply(&entry(), patch, false)
        .expect_err("a bad patch")
        .into_iter()
        .map(|mistake| mistake.message)
        .collect()
}

/// Returns the names of the patched conditions.
fn conditions(patch: Value) -> Vec<String> {
    let conditions = patched(patch, "matchConditions");
    let conditions = conditions.as_array().cloned().unwrap_or_default();
    let shown =
        |condition: &Value| format!("{}={}", condition["name"], condition["expression"]).replace('"', "");
    conditions.iter().map(shown).collect()
}

#[test]
fn an_empty_patch_changes_nothing() {
    assert_eq!(apply(&entry(), &json!({}), true), Ok(entry()));
}

#[test]
fn scalars_and_plain_lists_are_replaced() {
    assert_eq!(
        patched(json!({ "timeoutSeconds": 25.0 }), "timeoutSeconds"),
        json!(25)
    );
    assert_eq!(
        patched(
            json!({ "admissionReviewVersions": ["v2"] }),
            "admissionReviewVersions"
        ),
        json!(["v2"])
    );
    let rules = json!([{ "apiGroups": ["batch"], "scope": null, "resources": [] }]);
    assert_eq!(
        patched(json!({ "rules": rules }), "rules"),
        json!([{ "apiGroups": ["batch"] }])
    );
}

#[test]
fn null_removes_a_key_at_any_depth() {
    assert_eq!(
        patched(json!({ "timeoutSeconds": null }), "timeoutSeconds"),
        Value::Null
    );
    assert_eq!(
        patched(json!({ "reinvocationPolicy": null }), "reinvocationPolicy"),
        Value::Null
    );
    let selector = json!({ "namespaceSelector": { "matchLabels": { "env": null, "new": "yes" } } });
    assert_eq!(
        patched(selector, "namespaceSelector"),
        json!({ "matchLabels": { "tier": "web", "new": "yes" } })
    );
}

#[test]
fn objects_merge_key_by_key() {
    assert_eq!(
        patched(
            json!({ "clientConfig": { "service": { "port": 8443 }, "caBundle": "aGVs\nbG8=" } }),
            "clientConfig"
        ),
        json!({
            "caBundle": "aGVsbG8=",
            "service": { "name": "webhook-service", "namespace": "system", "path": "/x", "port": 8443 },
        })
    );
}

#[test]
fn what_is_empty_is_not_written_and_what_always_stands_is() {
    assert_eq!(patched(json!({ "rules": [] }), "rules"), Value::Null);
    assert_eq!(
        patched(
            json!({ "objectSelector": { "matchLabels": {} } }),
            "objectSelector"
        ),
        json!({})
    );
    assert_eq!(
        patched(
            json!({ "clientConfig": { "service": { "name": null } } }),
            "clientConfig"
        )["service"]["name"],
        json!("")
    );
    assert_eq!(
        patched(json!({ "clientConfig": null }), "clientConfig"),
        json!({})
    );
}

#[test]
fn conditions_merge_by_name_in_the_order_of_the_patch() {
    assert_eq!(
        conditions(json!({ "matchConditions": [
            { "name": "new", "expression": "n" },
            { "name": "third", "expression": "C" },
            { "name": "first", "expression": "A" },
        ] })),
        ["new=n", "second=b", "third=C", "first=A"]
    );
}

#[test]
fn conditions_are_deleted_and_replaced_by_directives() {
    assert_eq!(
        conditions(json!({ "matchConditions": [{ "name": "second", "$patch": "delete" }] })),
        ["first=a", "third=c"]
    );
    assert_eq!(
        conditions(
            json!({ "matchConditions": [{ "$patch": "replace" }, { "name": "only", "expression": "o" }] })
        ),
        ["only=o"]
    );
}

#[test]
fn an_order_can_be_set() {
    assert_eq!(
        conditions(json!({ "$setElementOrder/matchConditions": [{ "name": "third" }, { "name": "first" }] })),
        ["second=b", "third=c", "first=a"]
    );
    assert_eq!(
        patched(
            json!({ "$setElementOrder/admissionReviewVersions": ["v1beta1", "v1"] }),
            "admissionReviewVersions"
        ),
        json!(["v1beta1", "v1"])
    );
    assert_eq!(
        mistakes(&json!({
            "$setElementOrder/matchConditions": [{ "name": "a" }, { "name": "b" }],
            "matchConditions": [{ "name": "b", "expression": "x" }, { "name": "a", "expression": "x" }],
        })),
        ["`matchConditions` in the patch and `$setElementOrder/matchConditions` have different orders"]
    );
}

#[test]
fn texts_can_be_taken_out_of_a_list() {
    assert_eq!(
        patched(
            json!({ "$deleteFromPrimitiveList/admissionReviewVersions": ["v1beta1"] }),
            "admissionReviewVersions"
        ),
        json!(["v1"])
    );
}

#[test]
fn objects_can_be_replaced_and_emptied() {
    let replace = json!({ "namespaceSelector": { "$patch": "replace", "matchLabels": { "a": "b" } } });
    assert_eq!(
        patched(replace, "namespaceSelector"),
        json!({ "matchLabels": { "a": "b" } })
    );
    assert_eq!(
        patched(
            json!({ "namespaceSelector": { "$patch": "delete" } }),
            "namespaceSelector"
        ),
        json!({})
    );
    // Kubernetes would lose this selector, because the entry has none yet.
    let new = json!({ "objectSelector": { "$patch": "replace", "matchLabels": { "a": "b" } } });
    assert_eq!(
        patched(new, "objectSelector"),
        json!({ "matchLabels": { "a": "b" } })
    );
    assert_eq!(
        patched(
            json!({ "objectSelector": { "$patch": "delete" } }),
            "objectSelector"
        ),
        Value::Null
    );
}

#[test]
fn keys_can_be_retained() {
    let patch = json!({ "$retainKeys": ["name", "clientConfig", "timeoutSeconds"], "timeoutSeconds": 3 });
    let keys: Vec<String> = apply(&entry(), &patch, true)
        .expect("a good patch")
        .keys()
        .cloned()
        .collect();
    assert_eq!(keys, ["clientConfig", "name", "timeoutSeconds"]);
    assert_eq!(
        mistakes(&json!({ "$retainKeys": ["name"], "timeoutSeconds": 3 })),
        ["the patch sets `timeoutSeconds`, which its `$retainKeys` does not list"]
    );
}

#[test]
fn unknown_fields_are_mistakes_even_if_they_are_null() {
    assert_eq!(
        mistakes(&json!({ "TimeoutSeconds": 5, "notAField": null })),
        [
            "there is no field `TimeoutSeconds`",
            "there is no field `notAField`"
        ]
    );
    assert_eq!(
        mistakes(&json!({ "namespaceSelector": { "matchlabels": {} } })),
        ["there is no field `namespaceSelector.matchlabels`"]
    );
    assert_eq!(
        mistakes(&json!({ "rules": [{ "groups": ["a"] }] })),
        ["there is no field `rules[0].groups`"]
    );
    // Only mutating webhooks are called again.
    assert_eq!(
        mistakes(&json!({ "reinvocationPolicy": "Never" })),
        ["there is no field `reinvocationPolicy`"]
    );
}

#[test]
fn values_of_another_type_are_mistakes() {
    for (patch, message) in [
        (json!({ "name": 1 }), "`name` must be a string"),
        (
            json!({ "timeoutSeconds": "5" }),
            "`timeoutSeconds` must be an integer",
        ),
        (
            json!({ "timeoutSeconds": 2.5 }),
            "`timeoutSeconds` must be an integer",
        ),
        (
            json!({ "timeoutSeconds": 99_999_999_999_i64 }),
            "`timeoutSeconds` must be an integer",
        ),
        (
            json!({ "clientConfig": { "caBundle": "%" } }),
            "`clientConfig.caBundle` must be a Base64 string",
        ),
        (json!({ "clientConfig": [] }), "`clientConfig` must be an object"),
        (
            json!({ "admissionReviewVersions": [null] }),
            "`admissionReviewVersions` must be a list of strings",
        ),
        (json!({ "rules": ["a"] }), "`rules` must be a list of objects"),
        (
            json!({ "objectSelector": { "matchLabels": { "a": 1 } } }),
            "`objectSelector.matchLabels.a` must be a string",
        ),
        (
            json!({ "objectSelector": { "matchLabels": [] } }),
            "`objectSelector.matchLabels` must be an object with string values",
        ),
        (
            json!({ "matchConditions": [{ "expression": "x" }] }),
            "`matchConditions[0]` has no `name`",
        ),
        (
            json!({ "matchConditions": [{ "name": "x", "expression": "a" }, { "name": "x", "expression": "b" }] }),
            "`matchConditions[1]` has the same name `x` as an earlier item",
        ),
        (json!([]), "the patch is not a JSON object"),
    ] {
        assert_eq!(mistakes(&patch), [message], "{patch}");
    }
}

#[test]
fn directives_that_mean_nothing_are_mistakes() {
    for (patch, message) in [
        (json!({ "$patc": "replace" }), "`$patc` is not a directive"),
        (
            json!({ "$patch": "merge" }),
            "`$patch` cannot have the value `\"merge\"`",
        ),
        (
            json!({ "$patch": "delete" }),
            "the patch deletes the whole webhook",
        ),
        (
            json!({ "$retainKeys": "name" }),
            "`$retainKeys` cannot have the value `\"name\"`",
        ),
        (
            json!({ "$setElementOrder/nope": [] }),
            "`$setElementOrder/nope` is not a directive",
        ),
        (
            json!({ "$deleteFromPrimitiveList/name": [] }),
            "`$deleteFromPrimitiveList/name` is not a directive",
        ),
        (
            json!({ "rules": [{ "$patch": "delete" }] }),
            "`rules[0].$patch` has no effect",
        ),
        (
            json!({ "objectSelector": { "matchLabels": { "$x": "y" } } }),
            "`objectSelector.matchLabels.$x` is not a directive",
        ),
    ] {
        assert_eq!(mistakes(&patch), [message], "{patch}");
    }
}
