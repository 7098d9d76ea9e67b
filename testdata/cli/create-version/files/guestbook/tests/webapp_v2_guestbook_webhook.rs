//! Tests that the API server asks the webhooks of Guestbook objects, on an in-memory cluster and on a real control plane.
//!
//! `make test` uses the in-memory cluster, `make test-control-plane` also the real API server.

use kgen_runtime::webhook::WebhookServer;

use guestbook::api::webapp::v2::guestbook::Guestbook;
use guestbook::api::webapp::v2::guestbook::GuestbookSpec;
use guestbook::webhook::webapp::v2::guestbook::Rules;

kgen_fake::on_both!(the_api_server_asks_the_webhooks, |cluster| async move {
    let server = WebhookServer::builder();
    let server = server.validating(Rules);
    let server = server.in_process().expect("the webhooks are valid");
    cluster.definitions("config/crd/bases").await;
    cluster
        .webhooks("config/webhook/manifests.yaml", server)
        .await;
    let objects = kube::Api::namespaced(cluster.admin(), cluster.namespace());
    let create = async |name: &str, size: Option<i32>| {
        let spec = GuestbookSpec { size };
        let new = Guestbook::new(name, spec);
        objects.create(&Default::default(), &new).await
    };

    let refused = create("even", Some(4)).await.expect_err("4 is refused");
    assert!(refused.to_string().contains("must be odd"), "{refused}");
});
