//! kube's `Controller` on shared informers: one watch for deployments and one for config maps, however many controllers,
//! listers and handlers there are. Deletions of config maps reach the controller even if they fall into a gap of the watch.
//!
//! ```text
//! cargo run -p kgen-runtime --example controller
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::{Connection, InformerFactory, Lister, Result, controller};
use kube::ResourceExt;
use kube::runtime::Controller;
use kube::runtime::controller::Action;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let connection = Connection::try_default()
        .await?
        .with_field_manager("example-controller");
    let factory = InformerFactory::builder(&connection)
        .drop_managed_fields()
        .build();
    let (deployments, maps) = (factory.informer::<Deployment>(), factory.informer::<ConfigMap>());

    let (objects, store) = controller::primary(&deployments);
    let controller = Controller::for_shared_stream(objects, store)
        .owns_shared_stream(controller::touched(&maps))
        .run(
            reconcile,
            |_, _, _| Action::await_change(),
            Arc::new(maps.lister()),
        );

    factory.start();
    controller
        .for_each(|outcome| async move {
            if let Err(error) = outcome {
                println!("{error}");
            }
        })
        .await;
    factory.shutdown().await;
    Ok(())
}

/// Counts the config maps of a deployment, from the cache.
async fn reconcile(deployment: Arc<Deployment>, maps: Arc<Lister<ConfigMap>>) -> Result<Action> {
    let owned = maps.by_owner(&deployment.uid().unwrap_or_default());
    println!("{} owns {} config maps", deployment.name_any(), owned.len());
    Ok(Action::await_change())
}
