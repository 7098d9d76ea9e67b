//! The operator of the book's runtime guide: it creates a Secret with the name of each ConfigMap.
//!
//! ```text
//! cargo run -p kgen-runtime --example runtime_guide --features webhook
//! ```

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kgen_runtime::conversion::Conversion;
use kgen_runtime::create_or_update::create_or_patch;
use kgen_runtime::finalizer::{FinalizerError, Step, finalize};
use kgen_runtime::informer::Changed;
use kgen_runtime::manager::{Controller, GRACE, Manager, Next, ObjectKey, Reconciler};
use kgen_runtime::owner::set_controller_reference;
use kgen_runtime::recorder::{EventType, Recorder};
use kgen_runtime::shutdown::{Ended, Shutdown};
use kgen_runtime::{Connection, Event, Handle, Informer, InformerFactory, Lister};
use kube::api::DeleteParams;
use kube::core::DynamicObject;
use kube::{Api, Client};

// ANCHOR: main
#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let shutdown = Shutdown::on_signals()?;
    let mut manager = Manager::builder("secret-operator")
        .leader_election(true)
        .serve_metrics(Some("0.0.0.0:8443".parse()?))
        .serve_probes(Some("0.0.0.0:8081".parse()?))
        .connect()
        .await?;
    register(&mut manager);

    let ended = shutdown.run(GRACE, manager.run(&shutdown)).await;
    let code = ended.exit_code();
    if let Ended::Finished(result) = ended {
        result?;
    }
    Ok(code)
}
// ANCHOR_END: main

// ANCHOR: register
fn register(manager: &mut Manager) {
    let maps = manager.informers().informer::<ConfigMap>();
    let secrets = manager.informers().informer::<Secret>();
    let reconciler = Secrets {
        connection: manager.connection().clone(),
        recorder: manager.recorder().clone(),
        maps: maps.lister(),
        secrets: secrets.lister(),
    };
    let controller = Controller::new(manager, "secrets", reconciler)
        .watch(&maps)
        .watch_owned::<ConfigMap, _>(&secrets)
        .workers(4);
    manager.add(controller);
}
// ANCHOR_END: register

#[expect(dead_code, reason = "the guide shows it")]
// ANCHOR: conversion
fn register_conversion(manager: &mut Manager, conversion: Conversion) {
    manager.webhooks(|server| server.converting(conversion));
    manager.migrate_storage::<Deployment>();
}
// ANCHOR_END: conversion

#[expect(dead_code, reason = "the guide shows it")]
// ANCHOR: options
fn register_with_options(manager: &mut Manager, reconciler: Secrets) {
    let maps = manager.informers().informer::<ConfigMap>();
    let deployments = manager.informers().informer::<Deployment>();
    let controller = Controller::new(manager, "deployments", reconciler)
        // Without changes of the status, and without other objects.
        .watch(&deployments.changed(Changed::GENERATION | Changed::LABELS))
        .watch_with(&maps.only(|map| map.immutable != Some(true)), |map| {
            vec![ObjectKey::of(map)]
        })
        // With the event itself and the queue.
        .watch_events(&maps, |event, queue| {
            if let Event::Deleted { object, .. } = event {
                queue.add_after(ObjectKey::of(&*object), Duration::from_secs(5));
            }
        })
        .workers(4)
        .timeout(Duration::from_secs(60))
        .every_replica(true);
    manager.add(controller);
}
// ANCHOR_END: options

#[expect(dead_code, reason = "the guide shows it")]
// ANCHOR: create_or_patch
async fn scale(deployments: &Handle<Deployment>, name: &str) -> kgen_runtime::Result<Deployment> {
    let done = create_or_patch(deployments, name, |deployment: &mut Deployment| {
        deployment.spec.replicas = Some(3);
        Ok(())
    })
    .await?;
    Ok(done.into_object())
}
// ANCHOR_END: create_or_patch

#[expect(dead_code, reason = "the guide shows it")]
// ANCHOR: dynamic
async fn dynamic(connection: &Connection, factory: &InformerFactory) -> kgen_runtime::Result<()> {
    // By kind, plural or short name; with the group if it is ambiguous.
    let kind = connection.discovery().kind("Foo.example.com").await?;
    let foos: Handle<DynamicObject> = Handle::dynamic(connection, &kind).in_namespace("shop");
    foos.delete("a", &DeleteParams::default()).await?;

    let informer: Informer<DynamicObject> = factory.informer_of_kind(&kind);
    factory.start();
    informer.synced().await;
    Ok(())
}
// ANCHOR_END: dynamic

// ANCHOR: reconciler
struct Secrets {
    connection: Connection,
    recorder: Recorder,
    maps: Lister<ConfigMap>,
    secrets: Lister<Secret>,
}

impl Reconciler for Secrets {
    type Error = Box<dyn Error + Send + Sync>;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let namespace = key.namespace.as_deref();
        let map = match self.maps.get(namespace, &key.name) {
            Ok(map) => map,
            // The garbage collector deletes the Secret.
            Err(error) if error.is_not_found() => return Ok(Next::AwaitChange),
            Err(error) => return Err(error.into()),
        };
        if self.secrets.get(namespace, &key.name).is_ok() {
            return Ok(Next::AwaitChange);
        }
        let mut secret = Secret::default();
        secret.metadata.name = Some(key.name.clone());
        secret.metadata.namespace = key.namespace.clone();
        set_controller_reference(&*map, &mut secret)?;
        let secrets = Handle::namespaced(&self.connection, namespace.unwrap_or_default());
        secrets.create(&secret).await?;
        // ANCHOR: event
        self.recorder
            .event(&*map, EventType::Normal, "Created", "created the Secret");
        // ANCHOR_END: event
        Ok(Next::AwaitChange)
    }
}
// ANCHOR_END: reconciler

#[expect(
    dead_code,
    reason = "the guide shows it; an owner reference is enough for the Secret above"
)]
// ANCHOR: finalizer
/// Deletes the Secret before the ConfigMap is deleted.
async fn reconcile_with_finalizer(
    client: Client,
    map: std::sync::Arc<ConfigMap>,
) -> Result<Option<()>, FinalizerError<kube::Error>> {
    let namespace = map.metadata.namespace.clone().unwrap_or_default();
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);
    let secrets: Api<Secret> = Api::namespaced(client, &namespace);
    finalize(&maps, "example.com/cleanup", map, |step| async move {
        match step {
            // Create the external resources. The API server has stored the finalizer by now.
            Step::Apply(_map) => Ok(()),
            // Undo it. `finalize` removes the finalizer if this succeeds.
            Step::Cleanup(map) => {
                let name = map.metadata.name.clone().unwrap_or_default();
                secrets.delete(&name, &DeleteParams::default()).await.map(drop)
            }
        }
    })
    .await
}
// ANCHOR_END: finalizer
