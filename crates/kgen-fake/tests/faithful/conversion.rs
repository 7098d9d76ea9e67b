//! Versions of a kind whose definition has a conversion webhook.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kgen_fake::{Cluster, ClusterBuilder};
use kube::CustomResourceExt;
use kube::api::PostParams;
use kube::core::{ApiResource, GroupVersionKind};
use serde_json::{Value, json};

use super::objects::{api, dynamic, refusal, widget, widgets};

/// The widgets as a type.
struct Widget;

impl CustomResourceExt for Widget {
    fn crd() -> CustomResourceDefinition {
        serde_json::from_value(converted_widgets()).unwrap()
    }

    fn crd_name() -> &'static str {
        "widgets.example.org"
    }

    fn api_resource() -> ApiResource {
        ApiResource::from_gvk(&GroupVersionKind::gvk("example.org", "v1", "Widget"))
    }

    fn shortnames() -> &'static [&'static str] {
        &[]
    }
}

fn converted_widgets() -> Value {
    let mut crd = widgets();
    let service = json!({"name": "s", "namespace": "default", "path": "/convert"});
    crd["spec"]["conversion"] = json!({
        "strategy": "Webhook",
        "webhook": {"clientConfig": {"service": service}, "conversionReviewVersions": ["v1"]},
    });
    crd
}

/// Writes the version into a field.
fn convert(object: &Value, version: &str) -> Result<Value, String> {
    let mut converted = object.clone();
    if converted["metadata"]["name"] == "broken" {
        return Err("cannot be converted".to_owned());
    }
    converted["apiVersion"] = json!(format!("example.org/{version}"));
    converted["spec"]["at"] = json!(version);
    Ok(converted)
}

async fn is_converted(builder: ClusterBuilder) {
    let cluster = builder.start();
    let old = api(&cluster, "v1beta1");
    let created = old
        .create(
            &PostParams::default(),
            &dynamic(widget("v1beta1", "a", json!({"size": 1}))),
        )
        .await
        .unwrap();
    assert_eq!(created.data["spec"], json!({"size": 1, "at": "v1beta1"}));
    assert_eq!(
        cluster.raw("example.org", "widgets", "default", "a").unwrap()["spec"]["at"],
        "v1"
    );
    assert_eq!(
        api(&cluster, "v1").get("a").await.unwrap().data["spec"]["at"],
        "v1"
    );
    assert_eq!(old.get("a").await.unwrap().data["spec"]["at"], "v1beta1");
    let broken = dynamic(widget("v1beta1", "broken", json!({})));
    let error = old.create(&PostParams::default(), &broken).await.unwrap_err();
    let (code, message) = refusal(&error);
    assert_eq!(code, 500);
    assert!(
        message.ends_with("Kind=Widget failed: cannot be converted"),
        "{message}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_function_converts_the_objects_of_a_type() {
    is_converted(Cluster::new().kind::<Widget>().conversion::<Widget>(convert)).await;
}

#[tokio::test(start_paused = true)]
async fn a_function_converts_the_objects_of_a_resource() {
    let builder = Cluster::new().definition(converted_widgets());
    is_converted(builder.conversion_of("widgets.example.org", convert)).await;
}

#[tokio::test(start_paused = true)]
async fn a_webhook_without_a_function_is_refused() {
    let cluster = Cluster::new().lenient().definition(converted_widgets()).start();
    let (new, old) = (api(&cluster, "v1"), api(&cluster, "v1beta1"));
    let stored = dynamic(widget("v1", "a", json!({})));
    new.create(&PostParams::default(), &stored).await.unwrap();
    let expected = "kgen-fake: the conversion webhook of widgets.example.org (without a function of \
                    `Cluster::new().conversion(…)`) is not supported; use a control plane of kgen-testenv instead";
    assert_eq!(
        refusal(&old.get("a").await.unwrap_err()),
        (501, expected.to_owned())
    );
    let created = dynamic(widget("v1beta1", "b", json!({})));
    let error = old.create(&PostParams::default(), &created).await.unwrap_err();
    assert_eq!(refusal(&error).0, 501);
    assert_eq!(cluster.unsupported().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn without_a_webhook_only_the_version_changes() {
    let cluster = Cluster::new().definition(widgets()).start();
    cluster.put(&widget("v1", "a", json!({"size": 1})));
    let seen = api(&cluster, "v1beta1").get("a").await.unwrap();
    assert_eq!(seen.data["spec"], json!({"size": 1}));
    assert_eq!(seen.types.unwrap().api_version, "example.org/v1beta1");
}
