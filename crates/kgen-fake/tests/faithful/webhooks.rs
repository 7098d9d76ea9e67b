//! Webhooks whose server is in the test, on both clusters.

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_fake::on_both;
use serde_json::{Value, json};

/// Two webhooks for the ConfigMaps of a label.
const CONFIGURATIONS: &str = "
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: faithful}
webhooks:
- name: fill.faithful.example.com
  clientConfig: {service: {name: hooks, namespace: default, path: /fill}}
  rules:
  - {apiGroups: [''], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}
  objectSelector: {matchLabels: {faithful: 'yes'}}
  admissionReviewVersions: [v1]
  sideEffects: None
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: faithful}
webhooks:
- name: check.faithful.example.com
  clientConfig: {service: {name: hooks, namespace: default, path: /check}}
  rules:
  - {apiGroups: [''], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}
  objectSelector: {matchLabels: {faithful: 'yes'}}
  admissionReviewVersions: [v1]
  sideEffects: None
";

/// Fills in data, and refuses objects with the key `wrong`.
async fn answer(path: String, review: Value) -> Result<Value, String> {
    let request = &review["request"];
    let mut response = json!({ "uid": request["uid"], "allowed": true });
    match path.as_str() {
        "/fill" if request["object"]["data"].is_null() => {
            // `[{"op":"add","path":"/data","value":{"filled":"in"}}]`
            response["patch"] =
                json!("W3sib3AiOiJhZGQiLCJwYXRoIjoiL2RhdGEiLCJ2YWx1ZSI6eyJmaWxsZWQiOiJpbiJ9fV0=");
            response["patchType"] = json!("JSONPatch");
        }
        "/fill" => {}
        "/check" if request["object"]["data"]["wrong"].is_null() => {}
        "/check" => {
            response["allowed"] = json!(false);
            response["status"] = json!({ "code": 403, "message": "it is wrong" });
        }
        other => return Err(format!("nothing is served at {other}")),
    }
    Ok(json!({ "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response }))
}

on_both!(a_server_in_the_test_answers_reviews, |cluster| async move {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manifests.yaml");
    std::fs::write(&file, CONFIGURATIONS).unwrap();
    cluster.webhooks(&file, answer).await;
    let map = |key: Option<&str>| ConfigMap {
        data: key.map(|key| [(key.to_owned(), String::new())].into()),
        metadata: kube::api::ObjectMeta {
            labels: Some([("faithful".to_owned(), "yes".to_owned())].into()),
            ..Default::default()
        },
        ..Default::default()
    };
    let filled = cluster.create("empty", &map(None)).await;
    assert_eq!(filled.data.unwrap()["filled"], "in");
    let mut wrong = map(Some("wrong"));
    wrong.metadata.name = Some("wrong".to_owned());
    let refused = cluster
        .api::<ConfigMap>()
        .create(&Default::default(), &wrong)
        .await;
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("check.faithful.example.com\" denied the request: it is wrong"),
        "{refused}"
    );
});
