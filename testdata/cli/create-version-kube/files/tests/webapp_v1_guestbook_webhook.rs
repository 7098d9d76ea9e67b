//! Tests that the API server asks the webhooks of Guestbook objects, on an in-memory cluster.

use kgen_runtime::webhook::WebhookServer;

use guestbook::api::webapp::v1::guestbook::Guestbook;
use guestbook::api::webapp::v1::guestbook::GuestbookSpec;
use guestbook::webhook::webapp::v1::guestbook::Defaults;

#[tokio::test]
async fn the_api_server_asks_the_webhooks() {
    let server = WebhookServer::builder();
    let server = server.defaulting(Defaults);
    let server = server.in_process().expect("the webhooks are valid");
    let cluster = kgen_fake::Cluster::new()
        .definitions("config/crd/bases")
        .webhooks("config/webhook/manifests.yaml", server)
        .start();
    let objects = kube::Api::default_namespaced(cluster.admin());
    let create = async |name: &str, size: Option<i32>| {
        let spec = GuestbookSpec { size };
        let new = Guestbook::new(name, spec);
        objects.create(&Default::default(), &new).await
    };

    let created = create("one", None).await.expect("the object is valid");
    assert_eq!(created.spec.size, Some(1), "the default of the webhook");
}
