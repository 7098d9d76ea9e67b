//! Informers with a scripted API server. Time advances only when every task waits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod controller;
mod factory;
mod handlers;
mod panics;
mod recovery;
#[path = "../support/mod.rs"]
mod support;
mod unreadable;
mod watch;

use std::sync::Arc;

use futures::{FutureExt, StreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::{Connection, Event, EventStream, Informer, InformerOptions};
use kube::ResourceExt;
use support::{Api, Watch};

/// The path of the config maps of all namespaces.
const MAPS: &str = "/api/v1/configmaps";

/// Returns a short form of an event: `+` for initial objects, `added`, `updated`, `resync`, `deleted`, and `lost` for a
/// deletion that the watch missed.
fn words(event: &Event<ConfigMap>) -> String {
    let state =
        |object: &Arc<ConfigMap>| format!("{}@{}", object.name_any(), object.resource_version().unwrap());
    match event {
        Event::Added {
            object,
            initial: true,
        } => format!("+{}", state(object)),
        Event::Added {
            object,
            initial: false,
        } => format!("added {}", state(object)),
        Event::Updated { new, .. } if event.is_resync() => format!("resync {}", state(new)),
        Event::Updated { old, new } => format!("updated {} to {}", state(old), state(new)),
        Event::Deleted {
            object,
            final_state_known: true,
        } => format!("deleted {}", state(object)),
        Event::Deleted {
            object,
            final_state_known: false,
        } => format!("lost {}", state(object)),
        Event::Unreadable { object: never, .. } => match *never {},
    }
}

/// Returns everything that has arrived by now.
async fn arrived(events: &mut EventStream<ConfigMap>) -> Vec<String> {
    support::settle().await;
    let mut arrived = Vec::new();
    while let Some(Some(event)) = events.next().now_or_never() {
        arrived.push(words(&event));
    }
    arrived
}

/// Returns the content of the cache.
fn cached(informer: &Informer<ConfigMap>) -> Vec<String> {
    let objects = informer.lister().list(&kube::core::Selector::default());
    objects
        .iter()
        .map(|object| format!("{}@{}", object.name_any(), object.resource_version().unwrap()))
        .collect()
}

/// Returns a started informer over config maps `a@1` and `b@2`, and its open watch.
async fn started(connection: &Connection, api: &mut Api) -> (Informer<ConfigMap>, Watch) {
    let informer = Informer::<ConfigMap>::new(connection, InformerOptions::new());
    let watch = serve(&informer, api).await;
    (informer, watch)
}

/// Starts `informer` and serves it `a@1` and `b@2`.
async fn serve(informer: &Informer<ConfigMap>, api: &mut Api) -> Watch {
    informer.start();
    api.list(MAPS)
        .await
        .items("2", &[support::map("a", "1"), support::map("b", "2")]);
    let watch = api.watch(MAPS).await.open();
    assert!(informer.synced().await);
    watch
}
