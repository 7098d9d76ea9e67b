//! Which webhooks are asked, in which order, and what their failures mean.

use std::path::Path;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use kgen_fake::Cluster;
use kube::api::{DeleteParams, ListParams, PostParams};
use serde_json::{Value, json};

use super::objects::{api, dynamic, refusal, widget, widgets};

/// Returns a webhook for creations of widgets in `v1`, with more settings.
fn hook(name: &str, settings: Value) -> Value {
    let mut hook = json!({
        "name": format!("{name}.example.org"), "admissionReviewVersions": ["v1"], "sideEffects": "None",
        "clientConfig": {"service": {"name": "s", "namespace": "default", "path": format!("/{name}")}},
        "rules": [{"apiGroups": ["example.org"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["widgets"]}],
    });
    for (key, value) in settings.as_object().unwrap() {
        hook[key] = value.clone();
    }
    hook
}

/// Returns a configuration of webhooks.
fn configuration(kind: &str, name: &str, hooks: Value) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": format!("{kind}WebhookConfiguration"),
        "metadata": {"name": name}, "webhooks": hooks,
    })
}

type Asked = Arc<Mutex<Vec<Value>>>;

/// Starts a cluster whose webhooks append their name to `spec.at`. `/sizes` also sets the size, `/down` does not answer.
fn cluster(configurations: &[Value]) -> (Cluster, Asked) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("webhooks.json");
    let list = json!({"apiVersion": "v1", "kind": "List", "items": configurations});
    std::fs::write(&file, list.to_string()).unwrap();
    let asked = Asked::default();
    let seen = Arc::clone(&asked);
    let answer = move |path: String, review: Value| {
        seen.lock().unwrap().push(json!([path, review["request"]]));
        async move {
            let request = &review["request"];
            let before = request["object"]["spec"]["at"].as_str().unwrap_or_default();
            let mut patch =
                vec![json!({"op": "add", "path": "/spec/at", "value": format!("{before}{path}")})];
            let uid = match path.as_str() {
                "/down" => return Err("connection refused".to_owned()),
                "/foreign" => json!("another"),
                _ => request["uid"].clone(),
            };
            if path == "/sizes" {
                patch.push(json!({"op": "add", "path": "/spec/size", "value": 5}));
            }
            let patch = base64::engine::general_purpose::STANDARD.encode(json!(patch).to_string());
            Ok(json!({"response": {"uid": uid, "allowed": true, "patchType": "JSONPatch", "patch": patch}}))
        }
    };
    let builder = Cluster::new().lenient().definition(widgets());
    let cluster = builder.webhooks(file.as_path() as &Path, answer).start();
    (cluster, asked)
}

/// A widget with the label `team=a` and the color red is created in the namespace `default`. Each webhook has some settings
/// and is asked, or not.
#[tokio::test(start_paused = true)]
async fn rules_selectors_and_conditions_choose_the_webhooks() {
    let rules = |key: &str, value: Value| {
        let mut rules = hook("x", json!({}))["rules"].clone();
        rules[0][key] = value;
        json!({ "rules": rules })
    };
    let condition = |expression: &str| json!({"matchConditions": [{"name": "c", "expression": expression}]});
    let labels = |key: &str, labels: Value| json!({ key: {"matchLabels": labels} });
    let cases = [
        ("plain", json!({}), true),
        (
            "operation",
            rules("operations", json!(["UPDATE", "DELETE"])),
            false,
        ),
        ("any-operation", rules("operations", json!(["*"])), true),
        ("group", rules("apiGroups", json!(["other.org"])), false),
        ("any-group", rules("apiGroups", json!(["*"])), true),
        ("resource", rules("resources", json!(["gadgets"])), false),
        ("status", rules("resources", json!(["widgets/status"])), false),
        ("any-subresource", rules("resources", json!(["widgets/*"])), true),
        ("any-resource", rules("resources", json!(["*"])), true),
        ("cluster-scope", rules("scope", json!("Cluster")), false),
        ("namespaced-scope", rules("scope", json!("Namespaced")), true),
        ("other-version", rules("apiVersions", json!(["v1beta1"])), true),
        ("no-version", rules("apiVersions", json!(["v9"])), false),
        (
            "object-label",
            labels("objectSelector", json!({"team": "a"})),
            true,
        ),
        (
            "no-object-label",
            labels("objectSelector", json!({"team": "b"})),
            false,
        ),
        (
            "namespace-label",
            labels(
                "namespaceSelector",
                json!({"kubernetes.io/metadata.name": "default"}),
            ),
            true,
        ),
        (
            "no-namespace-label",
            labels(
                "namespaceSelector",
                json!({"kubernetes.io/metadata.name": "other"}),
            ),
            false,
        ),
        ("true", condition("object.spec.color == 'red'"), true),
        ("false", condition("object.spec.color == 'blue'"), false),
        (
            "name",
            condition("request.name == 'a' && request.namespace == 'default'"),
            true,
        ),
        ("version", condition("request.kind.version == 'v1'"), true),
        ("old", condition("oldObject == null"), true),
    ];
    for (name, settings, is_asked) in cases {
        let (cluster, asked) = cluster(&[configuration("Validating", "w", json!([hook(name, settings)]))]);
        let mut object = widget("v1", "a", json!({"color": "red"}));
        object["metadata"]["labels"] = json!({"team": "a"});
        api(&cluster, "v1")
            .create(&PostParams::default(), &dynamic(object))
            .await
            .unwrap();
        assert_eq!(!asked.lock().unwrap().is_empty(), is_asked, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_means_what_the_policy_says() {
    let fails = "object.spec.none == 1";
    let conditions = |expressions: &[&str]| -> Value {
        let named = expressions.iter().enumerate();
        named
            .map(|(index, text)| json!({"name": format!("c{index}"), "expression": text}))
            .collect()
    };
    let forbidden = (
        403,
        "widgets.example.org \"a\" is forbidden: expression 'object.spec.none == 1' resulted in error: no such key: none",
    );
    let down = (
        500,
        "Internal error occurred: failed calling webhook \"down.example.org\": connection refused",
    );
    let cases = [
        ("down", json!({"failurePolicy": "Fail"}), Some(down)),
        ("down", json!({}), Some(down)),
        ("down", json!({"failurePolicy": "Ignore"}), None),
        ("foreign", json!({"failurePolicy": "Ignore"}), None),
        (
            "x",
            json!({"matchConditions": conditions(&[fails])}),
            Some(forbidden),
        ),
        (
            "x",
            json!({"matchConditions": conditions(&["true", fails])}),
            Some(forbidden),
        ),
        (
            "x",
            json!({"matchConditions": conditions(&[fails, "false"])}),
            None,
        ),
        (
            "x",
            json!({"failurePolicy": "Ignore", "matchConditions": conditions(&[fails])}),
            None,
        ),
    ];
    for (name, settings, expected) in cases {
        let shown = settings.to_string();
        let (cluster, asked) = cluster(&[configuration("Mutating", "w", json!([hook(name, settings)]))]);
        let object = dynamic(widget("v1", "a", json!({"color": "red"})));
        let created = api(&cluster, "v1").create(&PostParams::default(), &object).await;
        let found = created.as_ref().err().map(refusal);
        let expected = expected.map(|(code, message)| (code, message.to_owned()));
        assert_eq!(found, expected, "{name} {shown}");
        if let Ok(created) = created {
            assert_eq!(created.data["spec"]["at"], Value::Null, "{name} {shown}");
        }
        assert_eq!(asked.lock().unwrap().is_empty(), name == "x", "{name} {shown}");
    }
}

#[tokio::test(start_paused = true)]
async fn webhooks_are_asked_by_name_and_again_if_they_want() {
    let again = json!({"reinvocationPolicy": "IfNeeded"});
    let (cluster, asked) = cluster(&[
        configuration("Mutating", "b", json!([hook("sizes", json!({}))])),
        configuration(
            "Mutating",
            "a",
            json!([hook("once", json!({})), hook("again", again)]),
        ),
        configuration("Validating", "a", json!([hook("last", json!({}))])),
    ]);
    let object = dynamic(widget("v1", "a", json!({})));
    let created = api(&cluster, "v1")
        .create(&PostParams::default(), &object)
        .await
        .unwrap();
    assert_eq!(
        created.data["spec"],
        json!({"at": "/once/again/sizes/again", "size": 5}),
        "a validating webhook changes nothing"
    );
    let asked = asked.lock().unwrap();
    let paths: Vec<&Value> = asked.iter().map(|asked| &asked[0]).collect();
    assert_eq!(paths, ["/once", "/again", "/sizes", "/again", "/last"]);
    let uids: std::collections::BTreeSet<&str> = asked
        .iter()
        .map(|asked| asked[1]["uid"].as_str().unwrap())
        .collect();
    assert_eq!(
        uids.len(),
        asked.len(),
        "each review has a UID of its own: {uids:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_equivalent_version_is_converted_for_the_webhook() {
    for (policy, is_asked) in [("Equivalent", true), ("Exact", false)] {
        let settings = json!({ "matchPolicy": policy });
        let (cluster, asked) = cluster(&[configuration("Mutating", "w", json!([hook("x", settings)]))]);
        let object = dynamic(widget("v1beta1", "a", json!({"size": 1})));
        let created = api(&cluster, "v1beta1")
            .create(&PostParams::default(), &object)
            .await;
        let created = created.unwrap();
        assert_eq!(created.types.unwrap().api_version, "example.org/v1beta1");
        assert_eq!(created.data["spec"]["at"] == "/x", is_asked);
        let asked = asked.lock().unwrap();
        assert_eq!(asked.len(), usize::from(is_asked));
        for asked in asked.iter() {
            let request = &asked[1];
            assert_eq!(request["object"]["apiVersion"], "example.org/v1");
            assert_eq!(request["kind"]["version"], "v1");
            assert_eq!(request["resource"]["version"], "v1");
            assert_eq!(request["requestKind"]["version"], "v1beta1");
            assert_eq!(request["requestResource"]["version"], "v1beta1");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_collection_that_is_deleted_is_listed_whole() {
    let mut settings = hook("x", json!({}));
    settings["rules"][0]["operations"] = json!(["DELETE"]);
    let hooks = json!([hook("gone", json!({"rules": settings["rules"]}))]);
    let (cluster, asked) = cluster(&[configuration("Validating", "v", hooks)]);
    let widgets = api(&cluster, "v1");
    for name in ["a", "b", "c"] {
        let widget = dynamic(widget("v1", name, json!({})));
        widgets.create(&PostParams::default(), &widget).await.unwrap();
    }
    let (all, parameters) = (ListParams::default(), DeleteParams::default());
    let deleted = widgets.delete_collection(&parameters, &all).await;
    let deleted = deleted.unwrap().left().unwrap();
    assert_eq!(deleted.items.len(), 3);
    assert_eq!(asked.lock().unwrap().len(), 3);
    assert!(
        widgets
            .list(&ListParams::default())
            .await
            .unwrap()
            .items
            .is_empty()
    );
}
