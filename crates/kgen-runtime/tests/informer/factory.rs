//! Factories: one watch for any number of requests, started and stopped together.

use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt, StreamExt};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kgen_runtime::{Error, InformerFactory, InformerOptions, SyncOutcome};
use kube::core::{ApiResource, DynamicObject, Expression, PartialObjectMeta, Selector};
use kube::discovery::Scope;
use serde_json::json;
use tokio::sync::Notify;

use crate::support::{api, deployment, map, map_in, settle};
use crate::{MAPS, arrived, cached};

const DEPLOYMENTS: &str = "/apis/apps/v1/deployments";

#[tokio::test(start_paused = true)]
async fn one_watch_however_many_ask() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let (one, other) = (
        factory.informer::<ConfigMap>(),
        factory.clone().informer::<ConfigMap>(),
    );
    let mut events = (one.events(), other.events());
    factory.start();
    factory.start();
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let _watch = api.watch(MAPS).await.open();
    assert!(factory.wait_for_sync().await.is_synced());
    assert_eq!(arrived(&mut events.0).await, ["+a@1"]);
    assert_eq!(arrived(&mut events.1).await, ["+a@1"]);
    assert!(api.is_idle().await);

    let labelled = factory.informer_with::<ConfigMap>(InformerOptions::new().labels("k=v"));
    let again = factory.informer_with::<ConfigMap>(InformerOptions::new().labels("k=v"));
    factory.start();
    let list = api.list(MAPS).await;
    assert_eq!(list.query["labelSelector"], "k%3Dv");
    list.items("2", &[]);
    assert!(labelled.synced().await && again.has_synced());
    assert_eq!((labelled.lister().len(), one.lister().len()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn two_factories_are_strangers() {
    let (connection, mut api) = api();
    let (one, other) = (
        InformerFactory::new(&connection),
        InformerFactory::new(&connection),
    );
    let (maps, same_maps) = (one.informer::<ConfigMap>(), other.informer::<ConfigMap>());
    one.start();
    other.start();
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let _watches = (api.watch(MAPS).await.open(), api.watch(MAPS).await.open());
    assert!(maps.synced().await && same_maps.synced().await);
    one.shutdown().await;
    assert_eq!(maps.events().next().await.map(|_| ()), None, "stopped");
    assert!(same_maps.events().next().await.is_some(), "still running");
}

#[tokio::test(start_paused = true)]
async fn a_set_of_namespaces() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection)
        .namespaces(["blue"])
        .namespaces(["red", "blue"])
        .build();
    let maps = factory.informer::<ConfigMap>();
    let namespaces = factory.informer::<Namespace>();
    let mut events = maps.events();
    factory.start();
    let (red, blue) = (
        "/api/v1/namespaces/red/configmaps",
        "/api/v1/namespaces/blue/configmaps",
    );
    api.list("/api/v1/namespaces").await.items("1", &[]);
    assert!(
        namespaces.synced().await,
        "a kind without namespaces is watched as a whole"
    );
    api.list(red)
        .await
        .items("2", &[map_in("red", "r", "1"), map_in("red", "s", "2")]);
    let red_watch = api.watch(red).await.open();
    settle().await;
    assert!(!maps.has_synced(), "one of two lists");
    api.list(blue).await.items("2", &[map_in("blue", "b", "1")]);
    let _blue_watch = api.watch(blue).await.open();
    assert!(factory.wait_for_sync().await.is_synced());
    assert_eq!(cached(&maps), ["b@1", "r@1", "s@2"], "by namespace and name");

    red_watch.expired();
    api.list(red).await.items("5", &[map_in("red", "s", "2")]);
    assert_eq!(
        arrived(&mut events).await,
        ["+r@1", "+s@2", "+b@1", "lost r@1"],
        "the other namespace is untouched"
    );
    let names: Vec<_> = factory
        .sync_report()
        .results
        .into_iter()
        .map(|result| result.informer)
        .collect();
    assert_eq!(names, ["configmaps/v1 in blue, red", "namespaces/v1"]);
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_in_the_middle_of_a_list() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let maps = factory.informer::<ConfigMap>();
    let registration = maps.add_handler(|_| async {});
    factory.start();
    let list = api.list(MAPS).await;
    let waiting = tokio::spawn({
        let factory = factory.clone();
        async move { factory.wait_for_sync().await }
    });
    settle().await;
    futures::join!(factory.shutdown(), factory.shutdown());
    assert!(list.is_abandoned(), "the task has ended, so its request has");
    assert_eq!(
        waiting.await.unwrap().results[0].outcome,
        SyncOutcome::Stopped { last_error: None }
    );
    assert!(!registration.synced().await && !maps.synced().await);

    let deployments = factory.informer::<Deployment>();
    factory.start();
    assert!(api.is_idle().await, "nothing starts after a shutdown");
    assert!(!deployments.has_synced());
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_waits_for_the_handler_at_work_and_drops_the_rest() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let maps = factory.informer::<ConfigMap>();
    let (begun, finish) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let calls = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let _registration = maps.add_handler({
        let (begun, finish, calls) = (begun.clone(), finish.clone(), calls.clone());
        move |_| {
            let (begun, finish, calls) = (begun.clone(), finish.clone(), calls.clone());
            async move {
                begun.notify_one();
                finish.notified().await;
                calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            }
        }
    });
    factory.start();
    api.list(MAPS).await.items("2", &[map("a", "1"), map("b", "2")]);
    begun.notified().await;
    let mut shutdown = Box::pin(factory.shutdown());
    assert!(
        shutdown.as_mut().now_or_never().is_none(),
        "the handler is still at work"
    );
    settle().await;
    assert!(
        shutdown.as_mut().now_or_never().is_none(),
        "the handler is still at work"
    );
    finish.notify_one();
    shutdown.await;
    assert_eq!(calls.load(std::sync::atomic::Ordering::SeqCst), 1);
    assert_eq!(cached(&maps), ["a@1", "b@2"], "the cache can still be read");
}

#[tokio::test(start_paused = true)]
async fn a_result_for_each_kind() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let _maps = factory.informer::<ConfigMap>();
    let _deployments = factory.informer::<Deployment>();
    factory.start();
    let _namespaces = factory.informer::<Namespace>();
    api.list(MAPS).await.items("2", &[]);
    api.list(DEPLOYMENTS).await.refuse(403, "Forbidden");
    let waited = tokio::time::timeout(Duration::from_millis(100), factory.wait_for_sync()).await;
    assert!(waited.is_err(), "deployments are refused");
    let report = factory.sync_report();
    assert_eq!(report.results[0].outcome, SyncOutcome::Synced);
    let SyncOutcome::Pending {
        last_error: Some(error),
    } = &report.results[1].outcome
    else {
        panic!("{report:?}");
    };
    assert!(error.contains("Forbidden"), "{error}");
    assert_eq!(report.results[2].outcome, SyncOutcome::NotStarted);
    let Err(Error::NotSynced { unsynced }) = report.into_result() else {
        panic!("two have not synced")
    };
    assert_eq!(unsynced.len(), 2);
    assert!(unsynced[0].starts_with("deployments.apps/v1: "), "{unsynced:?}");

    api.list(DEPLOYMENTS).await.items("2", &[]);
    let outcomes: Vec<_> = factory
        .wait_for_sync()
        .await
        .results
        .into_iter()
        .map(|result| result.outcome)
        .collect();
    assert_eq!(
        outcomes,
        [SyncOutcome::Synced, SyncOutcome::Synced, SyncOutcome::NotStarted]
    );
}

#[tokio::test(start_paused = true)]
async fn one_informer_can_be_stopped_and_asked_for_anew() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let maps = factory.informer::<ConfigMap>();
    let _deployments = factory.informer::<Deployment>();
    factory.start();
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let _watch = api.watch(MAPS).await.open();
    api.list(DEPLOYMENTS).await.items("2", &[]);
    let _deployments_watch = api.watch(DEPLOYMENTS).await.open();
    factory.wait_for_sync().await.into_result().unwrap();
    maps.shutdown().await;
    assert!(maps.events().next().await.is_none());

    let anew = factory.informer::<ConfigMap>();
    factory.start();
    api.list(MAPS).await.items("3", &[map("b", "3")]);
    assert!(anew.synced().await);
    assert_eq!(
        (cached(&maps), cached(&anew)),
        (vec!["a@1".to_owned()], vec!["b@3".to_owned()])
    );
    let _watch = api.watch(MAPS).await.open();
    assert!(api.is_idle().await);
}

#[tokio::test(start_paused = true)]
async fn tweaks_and_transforms() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection)
        .tweak(|config| config.labels("k=v").page_size(7))
        .transform::<ConfigMap>(|map| map.data = None)
        .drop_managed_fields()
        .build();
    let maps = factory.informer::<ConfigMap>();
    let deployments = factory.informer::<Deployment>();
    factory.start();
    let list = api.list(MAPS).await;
    assert_eq!(
        (&*list.query["labelSelector"], &*list.query["limit"]),
        ("k%3Dv", "7")
    );
    let mut large = map("a", "1");
    large["data"] = json!({ "much": "text" });
    large["metadata"]["managedFields"] = json!([{ "manager": "someone" }]);
    list.items("1", &[large.clone()]);
    let watch = api.watch(MAPS).await.open();
    large["metadata"]["resourceVersion"] = json!("2");
    watch.modified(&large);
    let mut deployment = deployment("d", "1");
    deployment["metadata"]["managedFields"] = json!([{ "manager": "someone" }]);
    api.list(DEPLOYMENTS).await.items("1", &[deployment]);
    factory.wait_for_sync().await.into_result().unwrap();
    settle().await;
    let small = maps.lister().get(Some("default"), "a").unwrap();
    assert_eq!(small.metadata.resource_version.as_deref(), Some("2"));
    assert_eq!((&small.data, &small.metadata.managed_fields), (&None, &None));
    let deployment = deployments.lister().get(Some("default"), "d").unwrap();
    assert_eq!(deployment.metadata.managed_fields, None);
}

#[tokio::test(start_paused = true)]
async fn a_transform_may_clear_the_version() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection)
        .transform::<ConfigMap>(|map| map.metadata.resource_version = None)
        .build();
    let maps = factory.informer::<ConfigMap>();
    factory.start();
    api.list(MAPS).await.items("1", &[map("a", "1")]);
    let watch = api.watch(MAPS).await.open();
    watch.modified(&map("a", "2"));
    watch.added(&map("b", "3"));
    settle().await;
    assert_eq!(maps.last_error(), None);
    assert_eq!(maps.lister().len(), 2);
    drop(watch);
    let call = api.watch(MAPS).await;
    assert_eq!(
        call.query["resourceVersion"], "3",
        "the place that the server named"
    );
}

#[tokio::test(start_paused = true)]
async fn types_known_only_at_run_time_and_metadata_alone() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection).namespaces(["blue"]).build();
    let resource = ApiResource::erase::<ConfigMap>(&());
    let dynamic = factory.informer_for_resource::<DynamicObject>(&resource, InformerOptions::new());
    factory.start();
    api.list("/api/v1")
        .await
        .json(&json!({ "resources": [{ "name": "configmaps", "namespaced": true }] }));
    api.list("/api/v1/namespaces/blue/configmaps")
        .await
        .items("1", &[map_in("blue", "a", "1")]);
    assert!(dynamic.synced().await);
    assert_eq!(
        dynamic
            .lister()
            .get(Some("blue"), "a")
            .unwrap()
            .types
            .as_ref()
            .unwrap()
            .kind,
        "ConfigMap"
    );

    let metadata = factory.informer::<PartialObjectMeta<ConfigMap>>();
    factory.start();
    api.list("/api/v1/namespaces/blue/configmaps")
        .await
        .items("1", &[map_in("blue", "b", "1")]);
    assert!(metadata.synced().await);
    assert!(metadata.lister().get(Some("blue"), "b").is_ok());
}

#[tokio::test(start_paused = true)]
async fn listers() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let maps = factory.informer::<ConfigMap>();
    factory.start();
    let mut labelled = map_in("blue", "z", "1");
    labelled["metadata"]["labels"] = json!({ "k": "v" });
    labelled["metadata"]["ownerReferences"] =
        json!([{ "apiVersion": "v1", "kind": "X", "name": "x", "uid": "boss" }]);
    api.list(MAPS).await.items(
        "9",
        &[map_in("red", "a", "2"), labelled, map_in("blue", "b", "3")],
    );
    let watch = api.watch(MAPS).await.open();
    factory.wait_for_sync().await.into_result().unwrap();
    let lister = maps.lister();
    let names = |objects: Vec<Arc<ConfigMap>>| -> Vec<String> {
        objects
            .iter()
            .map(|object| object.metadata.name.clone().unwrap())
            .collect()
    };
    let selector = Selector::from(Expression::Equal("k".into(), "v".into()));
    assert_eq!(names(lister.list(&Selector::default())), ["b", "z", "a"]);
    assert_eq!(names(lister.list(&selector)), ["z"]);
    assert_eq!(
        names(lister.namespace("blue").list(&Selector::default())),
        ["b", "z"]
    );
    assert_eq!(names(lister.namespace("blue").list(&selector)), ["z"]);
    assert!(lister.namespace("green").list(&Selector::default()).is_empty());
    assert_eq!(names(lister.by_owner("boss")), ["z"]);
    assert_eq!(names(lister.by_index("owner", "boss").unwrap()), ["z"]);
    assert_eq!(names(lister.by_index("namespace", "red").unwrap()), ["a"]);
    assert!(lister.namespace("red").get("a").is_ok());
    let missing = lister.namespace("blue").get("a").unwrap_err();
    assert!(missing.is_not_found());
    assert_eq!(
        missing.to_string(),
        "configmaps \"blue/a\" not found in the cache"
    );

    let unknown = lister.by_index("letter", "a").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "unknown index \"letter\"; known indexes: namespace, owner"
    );
    let letter = |map: &ConfigMap| {
        map.metadata
            .name
            .iter()
            .filter_map(|name| name.get(..1))
            .map(str::to_owned)
            .collect()
    };
    maps.add_index("letter", letter).unwrap();
    assert!(matches!(
        maps.add_index("letter", letter),
        Err(Error::DuplicateIndex { .. })
    ));
    assert!(matches!(
        maps.add_index("owner", letter),
        Err(Error::DuplicateIndex { .. })
    ));
    assert_eq!(
        names(lister.by_index("letter", "a").unwrap()),
        ["a"],
        "an index over what was there before"
    );
    watch.added(&map_in("blue", "apple", "10"));
    settle().await;
    assert_eq!(
        names(lister.by_index("letter", "a").unwrap()),
        ["apple", "a"],
        "by namespace and name"
    );
}

fn names(factory: &InformerFactory) -> Vec<String> {
    let results = factory.sync_report().results;
    results.into_iter().map(|result| result.informer).collect()
}

#[tokio::test(start_paused = true)]
async fn names_tell_typed_dynamic_and_metadata_informers_apart() {
    let (connection, _api) = api();
    let factory = InformerFactory::builder(&connection).namespaces(["blue"]).build();
    let resource = ApiResource::erase::<ConfigMap>(&());
    let _typed = factory.informer::<ConfigMap>();
    let _metadata = factory.informer::<PartialObjectMeta<ConfigMap>>();
    let _dynamic = factory.informer_for_resource::<DynamicObject>(&resource, InformerOptions::new());
    assert_eq!(
        names(&factory),
        [
            "configmaps/v1 (dynamic) in blue if namespaced",
            "configmaps/v1 (metadata) in blue",
            "configmaps/v1 in blue",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_dynamic_kind_of_the_cluster_is_not_looked_up_in_a_namespace() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection).namespaces(["blue"]).build();
    let resource = ApiResource::erase::<Namespace>(&());
    let asked = factory.informer_for_resource::<DynamicObject>(&resource, InformerOptions::new());
    assert_eq!(names(&factory), ["namespaces/v1 (dynamic) in blue if namespaced"]);
    factory.start();
    api.list("/api/v1").await.refuse(503, "ServiceUnavailable");
    let discovery = api.list("/api/v1").await;
    let error = asked.last_error().unwrap();
    assert_eq!(error, "cannot discover the scope: refused: ServiceUnavailable");
    discovery.json(&json!({ "resources": [
        { "name": "configmaps", "namespaced": true }, { "name": "namespaces", "namespaced": false }] }));
    api.list("/api/v1/namespaces").await.items("1", &[]);
    assert!(asked.synced().await);
    assert_eq!(asked.last_error(), None);
    asked.shutdown().await;

    let options = InformerOptions::new().scope(Scope::Cluster);
    let given = factory.informer_for_resource::<DynamicObject>(&resource, options);
    factory.start();
    api.list("/api/v1/namespaces").await.items("1", &[]);
    assert!(given.synced().await);
    assert_eq!(names(&factory), ["namespaces/v1 (dynamic)"]);

    let options = InformerOptions::new().scope(Scope::Namespaced);
    let maps = ApiResource::erase::<ConfigMap>(&());
    let given = factory.informer_for_resource::<DynamicObject>(&maps, options);
    factory.start();
    api.list("/api/v1/namespaces/blue/configmaps")
        .await
        .items("1", &[]);
    assert!(given.synced().await);
}

#[tokio::test(start_paused = true)]
async fn the_factory_lets_go_of_an_informer_that_has_ended() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let maps = factory.informer::<ConfigMap>();
    let never_started = factory.informer::<Deployment>();
    let weak = {
        factory.start();
        api.list(MAPS).await.items("2", &[map("a", "1")]);
        let _watch = api.watch(MAPS).await.open();
        assert!(maps.synced().await);
        Arc::downgrade(&maps.lister().get(Some("default"), "a").unwrap())
    };
    never_started.shutdown().await;
    assert_eq!(names(&factory), ["configmaps/v1"]);
    maps.shutdown().await;
    assert!(factory.sync_report().results.is_empty());
    assert!(weak.upgrade().is_some(), "this program still has the informer");
    drop(maps);
    settle().await;
    assert!(weak.upgrade().is_none(), "the cache is gone");
}

#[tokio::test(start_paused = true)]
async fn an_informer_that_has_ended_does_not_report_that_it_is_synced() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let maps = factory.informer::<ConfigMap>();
    factory.start();
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let _watch = api.watch(MAPS).await.open();
    assert!(maps.synced().await);
    assert!(factory.sync_report().is_synced());
    factory.shutdown().await;
    let report = factory.sync_report();
    assert_eq!(
        report.results[0].outcome,
        SyncOutcome::Stopped { last_error: None }
    );
    assert!(!report.is_synced(), "so that /readyz fails");
}

#[tokio::test(start_paused = true)]
async fn each_namespace_has_its_own_error() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection)
        .namespaces(["red", "blue"])
        .build();
    let maps = factory.informer::<ConfigMap>();
    factory.start();
    let (red, blue) = (
        "/api/v1/namespaces/red/configmaps",
        "/api/v1/namespaces/blue/configmaps",
    );
    api.list(red).await.refuse(403, "Forbidden");
    api.list(blue).await.items("1", &[]);
    let watch = api.watch(blue).await.open();
    watch.added(&map_in("blue", "b", "2"));
    settle().await;
    let error = "namespace red: cannot list: refused: Forbidden";
    assert_eq!(maps.last_error().as_deref(), Some(error));
    let report = factory.sync_report();
    assert_eq!(
        report.results[0].outcome,
        SyncOutcome::Pending {
            last_error: Some(error.to_owned())
        }
    );
    watch.break_off();
    settle().await;
    assert_eq!(
        maps.last_error().unwrap(),
        format!("namespace blue: cannot watch: ServiceError: connection reset; {error}")
    );
    let _watch = api.watch(blue).await.open();
    api.list(red).await.items("1", &[]);
    let _red_watch = api.watch(red).await.open();
    settle().await;
    assert_eq!(maps.last_error(), None);
}
