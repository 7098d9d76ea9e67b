//! `create_or_update` and `create_or_patch` on a server in memory: writes, races and refusals.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

use std::collections::BTreeMap;

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{ConfigMap, Container, PodSpec, PodTemplateSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kgen_fake::{Cluster, Verb};
use kgen_runtime::create_or_update::{Done, create_or_patch, create_or_update};
use kgen_runtime::manager::BoxError;
use kgen_runtime::{Connection, Error, Handle, InformerFactory};

fn start() -> (Cluster, Connection) {
    let cluster = Cluster::new().start();
    let connection = Connection::new(cluster.client());
    (cluster, connection)
}

/// Sets one value.
fn set(key: &str, value: &str) -> impl Fn(&mut ConfigMap) -> Result<(), BoxError> + use<> {
    let (key, value) = (key.to_owned(), value.to_owned());
    move |map| {
        map.data
            .get_or_insert_default()
            .insert(key.clone(), value.clone());
        Ok(())
    }
}

/// Returns the verbs of the writes so far.
fn writes(cluster: &Cluster) -> Vec<String> {
    let writes = cluster.writes();
    cluster.forget_requests();
    writes.iter().map(|write| format!("{:?}", write.verb)).collect()
}

#[tokio::test(start_paused = true)]
async fn an_object_is_created_updated_and_then_left_alone() {
    let (cluster, connection) = start();
    let maps: Handle<ConfigMap> = Handle::namespaced(&connection, "default");
    let done = create_or_update(&maps, "a", set("color", "red")).await.unwrap();
    assert!(matches!(done, Done::Created(_)), "{done:?}");
    assert_eq!(done.object().metadata.namespace.as_deref(), Some("default"));
    assert_eq!(writes(&cluster), ["Create"]);

    let done = create_or_update(&maps, "a", set("color", "red")).await.unwrap();
    assert!(matches!(done, Done::Unchanged(_)), "{done:?}");
    assert_eq!(writes(&cluster), [""; 0]);

    let done = create_or_update(&maps, "a", set("size", "1")).await.unwrap();
    assert!(matches!(done, Done::Updated(_)), "{done:?}");
    let expected =
        BTreeMap::from([("color", "red"), ("size", "1")].map(|(key, value)| (key.into(), value.into())));
    assert_eq!(done.into_object().data, Some(expected));
    assert_eq!(writes(&cluster), ["Update"]);
}

#[tokio::test(start_paused = true)]
async fn races_are_tried_again() {
    let (cluster, connection) = start();
    let maps: Handle<ConfigMap> = Handle::namespaced(&connection, "default");
    let mut is_first = true;
    let done = create_or_update(&maps, "a", |map: &mut ConfigMap| {
        // Another client is faster.
        if std::mem::take(&mut is_first) {
            let mut other = ConfigMap::default();
            other.metadata.name = Some("a".into());
            other.metadata.namespace = Some("default".into());
            set("other", "x")(&mut other)?;
            cluster.put(&other);
        }
        set("color", "red")(map)
    })
    .await
    .unwrap();
    assert!(matches!(done, Done::Updated(_)), "{done:?}");
    assert_eq!(
        done.object().data.as_ref().unwrap().len(),
        2,
        "both writes are there"
    );

    cluster.faults().on(Verb::Update, "configmaps").once().fail(409);
    let done = create_or_update(&maps, "a", set("color", "blue")).await.unwrap();
    assert!(matches!(done, Done::Updated(_)), "{done:?}");

    cluster.faults().on(Verb::Update, "configmaps").fail(409);
    let error = create_or_update(&maps, "a", set("color", "green"))
        .await
        .unwrap_err();
    assert!(error.is_conflict(), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_cache_saves_the_read_and_may_be_out_of_date() {
    let (cluster, connection) = start();
    let maps: Handle<ConfigMap> = Handle::namespaced(&connection, "default");
    create_or_update(&maps, "a", set("color", "red")).await.unwrap();
    let factory = InformerFactory::new(&connection);
    let informer = factory.informer::<ConfigMap>();
    factory.start();
    factory.wait_for_sync().await.into_result().unwrap();
    let lister = informer.lister();
    cluster.settled().await;
    cluster.forget_requests();
    let done = create_or_update(&maps, "a", set("color", "red"))
        .cached(&lister)
        .await;
    assert!(matches!(done, Ok(Done::Unchanged(_))), "{done:?}");
    let is_read = |verb: Verb| cluster.requests().iter().any(|request| request.verb == verb);
    assert!(!is_read(Verb::Get), "{:?}", cluster.requests());

    // The cache stays as it is.
    factory.shutdown().await;
    create_or_update(&maps, "a", set("size", "1")).await.unwrap();
    create_or_update(&maps, "b", set("size", "1")).await.unwrap();
    let done = create_or_update(&maps, "a", set("color", "blue"))
        .cached(&lister)
        .await
        .unwrap();
    assert_eq!(done.object().data.as_ref().unwrap().len(), 2, "nothing is lost");
    let done = create_or_update(&maps, "b", set("size", "2"))
        .cached(&lister)
        .await;
    assert!(matches!(done, Ok(Done::Updated(_))), "{done:?}");
}

#[tokio::test(start_paused = true)]
async fn mistakes_of_the_closure_are_refused() {
    let (cluster, connection) = start();
    let maps: Handle<ConfigMap> = Handle::namespaced(&connection, "default");
    let error = create_or_update(&maps, "a", |map: &mut ConfigMap| {
        map.metadata.name = Some("b".into());
        Ok(())
    })
    .await
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the name of an object cannot change: \"default/a\" was renamed to \"default/b\""
    );
    let error = create_or_update(&maps, "a", |_: &mut ConfigMap| Err("there is no color".into()))
        .await
        .unwrap_err();
    assert!(matches!(&error, Error::Change(source) if source.to_string() == "there is no color"));
    assert_eq!(writes(&cluster), [""; 0]);
}

/// Returns a complete spec, without the values that a server fills in.
fn spec(replicas: i32) -> DeploymentSpec {
    let labels = BTreeMap::from([("app".to_owned(), "web".to_owned())]);
    DeploymentSpec {
        replicas: Some(replicas),
        selector: LabelSelector {
            match_labels: Some(labels.clone()),
            ..LabelSelector::default()
        },
        template: PodTemplateSpec {
            metadata: Some(kube::core::ObjectMeta {
                labels: Some(labels),
                ..Default::default()
            }),
            spec: Some(PodSpec {
                containers: vec![Container {
                    name: "web".into(),
                    image: Some("web:1".into()),
                    ..Container::default()
                }],
                ..PodSpec::default()
            }),
        },
        ..DeploymentSpec::default()
    }
}

#[tokio::test(start_paused = true)]
async fn a_patch_has_only_the_difference_and_the_status_goes_its_own_way() {
    let (cluster, connection) = start();
    let deployments: Handle<Deployment> = Handle::namespaced(&connection, "default");
    let change = |replicas: i32, ready: i32| {
        move |deployment: &mut Deployment| {
            deployment.spec = spec(replicas);
            let status = deployment.status.get_or_insert_default();
            (status.replicas, status.ready_replicas) = (Some(ready), Some(ready));
            Ok(())
        }
    };
    let done = create_or_patch(&deployments, "web", change(1, 1)).await.unwrap();
    assert!(matches!(done, Done::Created(_)), "{done:?}");
    let status = |done: &Done<Deployment>| done.object().status.as_ref().unwrap().ready_replicas;
    assert_eq!(
        status(&done),
        Some(1),
        "the status of a new object is written as well"
    );
    cluster.forget_requests();

    // As a server would: values that the closure does not know.
    let mut stored = done.into_object();
    stored.spec.progress_deadline_seconds = Some(600);
    let container = &mut stored.spec.template.spec.as_mut().unwrap().containers[0];
    container.termination_message_path = Some("/dev/termination-log".into());
    deployments.update(&stored).await.unwrap();
    cluster.forget_requests();

    let done = create_or_patch(&deployments, "web", change(1, 1)).await.unwrap();
    assert!(matches!(done, Done::Unchanged(_)), "{done:?}");
    assert_eq!(writes(&cluster), [""; 0]);

    let done = create_or_patch(&deployments, "web", change(3, 1)).await.unwrap();
    assert_eq!(done.object().spec.replicas, Some(3));
    assert_eq!(
        done.object().spec.progress_deadline_seconds,
        Some(600),
        "the values of the server stay"
    );
    assert_eq!(writes(&cluster), ["Patch"]);

    let done = create_or_patch(&deployments, "web", change(3, 2)).await.unwrap();
    assert_eq!(status(&done), Some(2));
    let requests = cluster.writes();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert_eq!(requests[0].resource, "deployments/status");
}
