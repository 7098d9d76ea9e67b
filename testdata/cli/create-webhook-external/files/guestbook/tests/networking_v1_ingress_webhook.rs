//! Tests that the API server asks the webhooks of Ingress objects, on an in-memory cluster and on a real control plane.
//!
//! `make test` uses the in-memory cluster, `make test-control-plane` also the real API server.

use k8s_openapi::api::networking::v1::Ingress;
use kgen_runtime::webhook::WebhookServer;
use serde_json::json;

use guestbook::webhook::networking::v1::ingress::Rules;

/// Returns an object with an annotation.
fn example(name: &str, annotation: &str) -> Ingress {
    let example = json!({
        "metadata": { "name": name, "annotations": { annotation: "yes" } },
        "spec": {"defaultBackend": {"service": {"name": "one", "port": {"number": 80}}}},
    });
    serde_json::from_value(example).expect("the example is valid")
}

kgen_fake::on_both!(the_api_server_asks_the_webhooks, |cluster| async move {
    let server = WebhookServer::builder();
    let server = server.validating(Rules);
    let server = server.in_process().expect("the webhooks are valid");
    cluster
        .webhooks("config/webhook/manifests.yaml", server)
        .await;
    let objects = kube::Api::<Ingress>::namespaced(cluster.admin(), cluster.namespace());

    let new = example("two", "example.com/forbidden");
    let refused = objects.create(&Default::default(), &new).await;
    let refused = refused.expect_err("the annotation is refused");
    assert!(refused.to_string().contains("must not be set"), "{refused}");
});
