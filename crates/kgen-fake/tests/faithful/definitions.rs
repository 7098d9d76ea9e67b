//! Definitions that a real server refuses, or whose names it does not accept.

use std::path::Path;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kgen_fake::Cluster;
use kube::Api;
use kube::api::PostParams;
use serde_json::{Value, json};

use super::objects::{api, dynamic, panic_of, refusal, widget, widgets};

/// The fake accepts these, but a real server does not.
const MISSED: [&str; 12] = [
    "bounds-of-a-default",
    "cel-field-path",
    "group-reserved",
    "group-reserved-approval",
    "selectable-field-metadata",
    "selectable-field-type",
    "selectable-field-unknown",
    "structural-combination-metadata",
    "structural-embedded-kind",
    "structural-embedded-metadata-default",
    "structural-root-beside-status",
    "structural-root-default",
];

/// The fake refuses these at the same place, but in other words: `kgen-cel` has its own about mistakes in expressions.
const OTHER_WORDS: [&str; 9] = [
    "cel-field-unknown",
    "cel-message-expression-syntax",
    "cel-operand-types",
    "cel-syntax",
    "cel-unknown-variable",
    "default-enum",
    "default-length",
    "one-of-field-unknown",
    "regular-expression",
];

/// `testdata/refused` has definitions with the place and the words of a real server, and some that it accepts.
#[tokio::test(start_paused = true)]
async fn what_a_real_server_refuses_is_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/refused");
    let (mut missed, mut elsewhere, mut other_words, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut folders: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    for folder in folders {
        let Ok(crd) = std::fs::read(folder.join("crd.yaml")) else {
            continue;
        };
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let request = http::Request::post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
            .header("content-type", "application/yaml")
            .body(crd)
            .unwrap();
        let cluster = Cluster::new().lenient().start();
        let answer = cluster.admin().request_text(request).await;
        let Ok(server) = std::fs::read_to_string(folder.join("server.txt")) else {
            assert!(answer.is_ok(), "{name}: {answer:?}");
            continue;
        };
        count += 1;
        let Err(error) = answer else {
            missed.push(name);
            continue;
        };
        let (_, message) = refusal(&error);
        let (place, words) = server.trim().split_once('\n').unwrap();
        if !message.contains(place) {
            elsewhere.push(format!("{name}: {place} is not in {message}"));
        } else if !message.contains(&words.replace('\n', " ")) {
            other_words.push(name);
        }
    }
    assert_eq!(elsewhere, [""; 0]);
    assert_eq!(
        (missed, other_words),
        (
            MISSED.map(str::to_owned).to_vec(),
            OTHER_WORDS.map(str::to_owned).to_vec()
        )
    );
    assert!(count > 80, "{count}");
}

/// Returns the definition of a kind in the group of the widgets.
fn definition(plural: &str, kind: &str, short: &str) -> Value {
    let mut crd = widgets();
    crd["metadata"]["name"] = json!(format!("{plural}.example.org"));
    crd["spec"]["names"] = json!({
        "plural": plural, "singular": kind.to_lowercase(), "kind": kind, "listKind": format!("{kind}List"),
        "shortNames": [short],
    });
    crd
}

#[test]
fn rules_that_cost_too_much_together_are_refused() {
    let mut crd = widgets();
    let rule = json!([{"rule": "self.all(a, self.all(b, a == b || a.size() < 5))"}]);
    let list = json!({
        "type": "array", "maxItems": 300, "items": {"type": "string", "maxLength": 100}, "x-kubernetes-validations": rule,
    });
    let lists: serde_json::Map<String, Value> = (0..100)
        .map(|number| (format!("f{number}"), list.clone()))
        .collect();
    for version in 0..2 {
        crd["spec"]["versions"][version]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"] =
            Value::Object(lists.clone());
    }
    let message = panic_of(|| drop(Cluster::new().definition(crd).start()));
    let expected = "spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule & messageExpression \
                    cost total for entire OpenAPIv3 schema exceeds budget by factor of ";
    assert!(message.contains(expected), "{message}");
}

fn conditions(crd: &CustomResourceDefinition) -> Vec<String> {
    let conditions = crd.status.as_ref().unwrap().conditions.iter().flatten();
    conditions
        .map(|condition| {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            format!(
                "{} {} {}: {}",
                condition.type_,
                condition.status,
                text(&condition.reason),
                text(&condition.message)
            )
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_kind_whose_names_are_in_use_is_not_served() {
    let cluster = Cluster::new()
        .lenient()
        .definition(definition("widgets", "Widget", "w"))
        .start();
    let definitions: Api<CustomResourceDefinition> = Api::all(cluster.admin());
    for (plural, kind, short, reason, name) in [
        ("gadgets", "Gadget", "w", "ShortNamesConflict", "w"),
        ("gizmos", "Widget", "g", "ListKindConflict", "WidgetList"),
        ("widget", "Gear", "g", "PluralConflict", "widget"),
    ] {
        let crd = serde_json::from_value(definition(plural, kind, short)).unwrap();
        definitions.create(&PostParams::default(), &crd).await.unwrap();
        let name_of_crd = format!("{plural}.example.org");
        let stored = definitions.get(&name_of_crd).await.unwrap();
        assert_eq!(
            conditions(&stored),
            [
                format!("NamesAccepted False {reason}: \"{name}\" is already in use"),
                "Established False NotAccepted: not all names are accepted".to_owned(),
            ],
        );
        assert!(cluster.raw("example.org", plural, "default", "a").is_none());
        definitions
            .delete(&name_of_crd, &Default::default())
            .await
            .unwrap();
        assert!(definitions.get_opt(&name_of_crd).await.unwrap().is_none());
    }
    let created = api(&cluster, "v1")
        .create(&PostParams::default(), &dynamic(widget("v1", "a", json!({}))))
        .await;
    assert!(created.is_ok(), "{:?}", created.map_err(|error| refusal(&error)));
}

#[tokio::test(start_paused = true)]
async fn a_name_that_becomes_free_is_accepted() {
    let cluster = Cluster::new()
        .definition(definition("widgets", "Widget", "w"))
        .definition(definition("gadgets", "Gadget", "w"))
        .start();
    let definitions: Api<CustomResourceDefinition> = Api::all(cluster.admin());
    let before = definitions.get("gadgets.example.org").await.unwrap();
    assert!(conditions(&before)[1].starts_with("Established False"));
    definitions
        .delete("widgets.example.org", &Default::default())
        .await
        .unwrap();
    let after = definitions.get("gadgets.example.org").await.unwrap();
    assert_eq!(
        conditions(&after),
        [
            "NamesAccepted True NoConflicts: no conflicts found",
            "Established True InitialNamesAccepted: the initial names have been accepted",
        ]
    );
    assert_eq!(
        after.status.unwrap().accepted_names.unwrap().short_names.unwrap(),
        ["w"]
    );
}
