//! Tests that the API server asks the webhooks of {{ kind }} objects, on an in-memory cluster and on a real control plane.
//!
//! `make test` uses the in-memory cluster, `make test-control-plane` also the real API server.

use {{ external }};
use kgen_runtime::webhook::WebhookServer;
use serde_json::json;

{% if defaulting -%}
use {{ crate_name }}::webhook::{{ group_module }}::{{ version }}::{{ module }}::Defaults;
{% endif -%}
{% if validation -%}
use {{ crate_name }}::webhook::{{ group_module }}::{{ version }}::{{ module }}::Rules;
{% endif %}
/// Returns an object with an annotation.
fn example(name: &str, annotation: &str) -> {{ kind }} {
    let example = json!({
        "metadata": { "name": name, "annotations": { annotation: "yes" } },
{%- for line in example %}
        {{ line }}
{%- endfor %}
    });
    serde_json::from_value(example).expect("the example is valid")
}

kgen_fake::on_both!(the_api_server_asks_the_webhooks, |cluster| async move {
    let server = WebhookServer::builder();
{%- if defaulting %}
    let server = server.defaulting(Defaults);
{%- endif %}
{%- if validation %}
    let server = server.validating(Rules);
{%- endif %}
    let server = server.in_process().expect("the webhooks are valid");
    cluster
        .webhooks("config/webhook/manifests.yaml", server)
        .await;
{%- if cluster %}
    let objects = kube::Api::<{{ kind }}>::all(cluster.admin());
{%- else %}
    let objects = kube::Api::<{{ kind }}>::namespaced(cluster.admin(), cluster.namespace());
{%- endif %}
{%- if defaulting %}

    let new = example("one", "example.com/mine");
    let created = objects.create(&Default::default(), &new).await;
    let created = created.expect("the object is valid");
    let annotations = created.metadata.annotations.unwrap_or_default();
    assert!(annotations.contains_key("example.com/defaulted"));
{%- endif %}
{%- if validation %}

    let new = example("two", "example.com/forbidden");
    let refused = objects.create(&Default::default(), &new).await;
    let refused = refused.expect_err("the annotation is refused");
    assert!(refused.to_string().contains("must not be set"), "{refused}");
{%- endif %}
});
