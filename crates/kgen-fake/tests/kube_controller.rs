//! A plain controller of kube, in the style of kube's examples: derived CRD, `Controller` with owned objects, kube's own
//! finalizer, server-side apply. It does not know the fake.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_fake::both::AnyCluster;
use kgen_fake::on_both;
use kube::api::{Patch, PatchParams};
use kube::runtime::controller::{Action, Config};
use kube::runtime::finalizer::{Event, finalizer};
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

const FINALIZER: &str = "documents.example.org/cleanup";

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "example.org",
    version = "v1",
    kind = "Document",
    namespaced,
    status = "DocumentStatus"
)]
struct DocumentSpec {
    content: String,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
struct DocumentStatus {
    published: bool,
}

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("the finalizer failed")]
    Finalizer(#[source] Box<kube::runtime::finalizer::Error<kube::Error>>),
}

struct Context {
    client: Client,
}

async fn reconcile(document: Arc<Document>, context: Arc<Context>) -> Result<Action, Error> {
    let namespace = document.namespace().unwrap();
    let documents: Api<Document> = Api::namespaced(context.client.clone(), &namespace);
    let outcome = finalizer(&documents, FINALIZER, document, |event| async {
        match event {
            Event::Apply(document) => publish(&document, &context.client).await,
            Event::Cleanup(document) => retract(&document, &context.client).await,
        }
    });
    outcome.await.map_err(|error| Error::Finalizer(Box::new(error)))
}

/// Applies a ConfigMap that the document owns, and the status.
async fn publish(document: &Document, client: &Client) -> Result<Action, kube::Error> {
    let namespace = document.namespace().unwrap();
    let name = document.name_any();
    let ours = PatchParams::apply("publisher").force();
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);
    let page = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": { "name": name, "ownerReferences": [document.controller_owner_ref(&())] },
        "data": { "content": document.spec.content },
    });
    maps.patch(&name, &ours, &Patch::Apply(page)).await?;
    let documents: Api<Document> = Api::namespaced(client.clone(), &namespace);
    let status = json!({
        "apiVersion": Document::api_version(&()),
        "kind": Document::kind(&()),
        "status": { "published": true },
    });
    documents
        .patch_status(&name, &ours, &Patch::Apply(status))
        .await?;
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Leaves a note that the document is gone.
async fn retract(document: &Document, client: &Client) -> Result<Action, kube::Error> {
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), &document.namespace().unwrap());
    let note = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": { "name": format!("{}-retracted", document.name_any()) },
    });
    let name = format!("{}-retracted", document.name_any());
    maps.patch(&name, &PatchParams::apply("publisher"), &Patch::Apply(note))
        .await?;
    Ok(Action::await_change())
}

/// Runs the controller until the test ends.
fn run(cluster: &AnyCluster) {
    let client = cluster.client();
    let documents: Api<Document> = Api::namespaced(client.clone(), cluster.namespace());
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), cluster.namespace());
    let controller = Controller::new(documents, watcher::Config::default())
        .owns(maps, watcher::Config::default())
        .with_config(Config::default().concurrency(2))
        .run(
            reconcile,
            |_, _, _| Action::requeue(Duration::from_secs(1)),
            Arc::new(Context { client }),
        );
    tokio::spawn(controller.for_each(|_| std::future::ready(())));
}

async fn content(cluster: &AnyCluster, name: &str) -> Option<String> {
    let map = cluster.get::<ConfigMap>(name).await?;
    map.data?.get("content").cloned()
}

on_both!(a_document_is_published_kept_and_retracted, |cluster| async move {
    cluster.define::<Document>().await;
    run(&cluster);
    let spec = DocumentSpec {
        content: "one".to_owned(),
    };
    cluster.create("a", &Document::new("a", spec)).await;
    cluster
        .until("it is published", async || {
            let document = cluster.get::<Document>("a").await.unwrap();
            document.status.is_some_and(|status| status.published)
        })
        .await;
    let document = cluster.get::<Document>("a").await.unwrap();
    assert_eq!(document.finalizers(), [FINALIZER]);
    assert_eq!(
        document.metadata.generation,
        Some(1),
        "status and finalizer are not part of it"
    );

    // A change of the document, and a change of what it owns.
    cluster
        .change("a", |document: &mut Document| {
            document.spec.content = "two".to_owned()
        })
        .await;
    cluster
        .until("the change is published", async || {
            content(&cluster, "a").await.as_deref() == Some("two")
        })
        .await;
    cluster
        .change("a", |map: &mut ConfigMap| {
            map.data = Some([("content".to_owned(), "vandalism".to_owned())].into());
        })
        .await;
    cluster
        .until("it is repaired", async || {
            content(&cluster, "a").await.as_deref() == Some("two")
        })
        .await;

    cluster.delete::<Document>("a").await;
    cluster
        .until("the document is gone", async || {
            cluster.get::<Document>("a").await.is_none()
        })
        .await;
    assert!(cluster.get::<ConfigMap>("a-retracted").await.is_some());
});
