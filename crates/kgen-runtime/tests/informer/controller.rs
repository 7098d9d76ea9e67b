//! kube's own controller, fed by informers.

use std::sync::Arc;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::{InformerFactory, controller};
use kube::ResourceExt;
use kube::runtime::Controller;
use kube::runtime::controller::Action;
use kube::runtime::reflector::ObjectRef;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::MAPS;
use crate::support::{api, deployment, map, settle};

const DEPLOYMENTS: &str = "/apis/apps/v1/deployments";

/// Returns a config map that deployment `name` owns.
fn owned_by(name: &str, version: &str) -> Value {
    let mut child = map(&format!("{name}-settings"), version);
    child["metadata"]["ownerReferences"] = json!([{ "apiVersion": "apps/v1", "kind": "Deployment", "name": name,
        "uid": format!("uid-of-{name}"), "controller": true }]);
    child
}

#[tokio::test(start_paused = true)]
async fn deletions_of_children_reach_a_kube_controller() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let (deployments, maps) = (factory.informer::<Deployment>(), factory.informer::<ConfigMap>());
    let (objects, store) = controller::primary(&deployments);
    let (sender, mut reconciled) = mpsc::unbounded_channel();
    let run = Controller::for_shared_stream(objects, store.clone())
        .owns_shared_stream(controller::touched(&maps))
        .run(
            |object: Arc<Deployment>, sender| async move {
                sender.send(object.name_any()).unwrap();
                Ok::<_, std::io::Error>(Action::await_change())
            },
            |_, _, _| Action::await_change(),
            Arc::new(sender),
        )
        .for_each(|_| async {});
    let controller = tokio::spawn(run);

    factory.start();
    api.list(DEPLOYMENTS)
        .await
        .items("2", &[deployment("web", "1"), deployment("shop", "2")]);
    let deployments_watch = api.watch(DEPLOYMENTS).await.open();
    api.list(MAPS)
        .await
        .items("3", &[owned_by("web", "1"), owned_by("shop", "2")]);
    let maps_watch = api.watch(MAPS).await.open();
    let mut first = vec![reconciled.recv().await.unwrap(), reconciled.recv().await.unwrap()];
    first.sort();
    assert_eq!(first, ["shop", "web"]);
    settle().await;
    while reconciled.try_recv().is_ok() {}

    maps_watch.deleted(&owned_by("web", "4"));
    assert_eq!(
        reconciled.recv().await.unwrap(),
        "web",
        "a deletion that was seen"
    );
    maps_watch.expired();
    api.list(MAPS).await.items("9", &[]);
    assert_eq!(reconciled.recv().await.unwrap(), "shop", "a deletion in a gap");

    deployments_watch.modified(&deployment("web", "5"));
    assert_eq!(reconciled.recv().await.unwrap(), "web");
    let web = ObjectRef::new("web").within("default");
    assert_eq!(store.get(&web).unwrap().resource_version().as_deref(), Some("5"));
    deployments_watch.deleted(&deployment("web", "6"));
    settle().await;
    assert!(
        store.get(&web).is_none(),
        "what is deleted leaves the store of the controller"
    );
    controller.abort();
}

#[tokio::test(start_paused = true)]
async fn the_store_is_ready_with_the_first_list_and_not_before() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let deployments = factory.informer::<Deployment>();
    let (mut objects, store) = controller::primary(&deployments);
    factory.start();
    api.list(DEPLOYMENTS)
        .await
        .page("2", Some("more"), &[deployment("a", "1"), deployment("b", "2")]);
    assert_eq!(objects.next().await.unwrap().name_any(), "a");
    assert_eq!(objects.next().await.unwrap().name_any(), "b");
    assert_eq!(store.len(), 0);
    // The list is interrupted; when it restarts, `a` has been deleted.
    api.list(DEPLOYMENTS).await.refuse(410, "Expired");
    api.list(DEPLOYMENTS)
        .await
        .items("3", &[deployment("b", "2"), deployment("c", "3")]);
    assert_eq!(objects.next().await.unwrap().name_any(), "c");
    let watch = api.watch(DEPLOYMENTS).await.open();
    let next = tokio::spawn(async move { objects.next().await.unwrap().name_any() });
    store.wait_until_ready().await.unwrap();
    let mut names: Vec<_> = store.state().iter().map(|object| object.name_any()).collect();
    names.sort();
    assert_eq!(names, ["b", "c"]);
    watch.added(&deployment("d", "4"));
    assert_eq!(next.await.unwrap(), "d");
}
