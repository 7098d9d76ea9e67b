//! Tests that the API server asks the webhooks of {{ kind }} objects, on an in-memory cluster and on a real control plane.
//!
//! `make test` uses the in-memory cluster, `make test-control-plane` also the real API server.

use kgen_runtime::webhook::WebhookServer;

use {{ crate_name }}::api::{{ group_module }}::{{ version }}::{{ module }}::{{ kind }};
use {{ crate_name }}::api::{{ group_module }}::{{ version }}::{{ module }}::{{ kind }}Spec;
{%- if defaulting %}
use {{ crate_name }}::webhook::{{ group_module }}::{{ version }}::{{ module }}::Defaults;
{%- endif %}
{%- if validation %}
use {{ crate_name }}::webhook::{{ group_module }}::{{ version }}::{{ module }}::Rules;
{%- endif %}

kgen_fake::on_both!(the_api_server_asks_the_webhooks, |cluster| async move {
    let server = WebhookServer::builder();
{%- if defaulting %}
    let server = server.defaulting(Defaults);
{%- endif %}
{%- if validation %}
    let server = server.validating(Rules);
{%- endif %}
    let server = server.in_process().expect("the webhooks are valid");
    cluster.definitions("config/crd/bases").await;
    cluster
        .webhooks("config/webhook/manifests.yaml", server)
        .await;
{%- if cluster %}
    let objects = kube::Api::all(cluster.admin());
{%- else %}
    let objects = kube::Api::namespaced(cluster.admin(), cluster.namespace());
{%- endif %}
    let create = async |name: &str, size: Option<i32>| {
        let spec = {{ kind }}Spec { size };
        let new = {{ kind }}::new(name, spec);
        objects.create(&Default::default(), &new).await
    };
{%- if defaulting %}

    let created = create("one", None).await.expect("the object is valid");
    assert_eq!(created.spec.size, Some(1), "the default of the webhook");
{%- endif %}
{%- if validation %}

    let refused = create("even", Some(4)).await.expect_err("4 is refused");
    assert!(refused.to_string().contains("must be odd"), "{refused}");
{%- endif %}
});
