//! Kinds that are known only at run time, on a server in memory and on a scripted one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

#[path = "support/mod.rs"]
mod support;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_fake::Cluster;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::owner::set_controller_reference_of_kind;
use kgen_runtime::recorder::{EventType, Recorder};
use kgen_runtime::shutdown::Shutdown;
use kgen_runtime::{
    Connection, Error, Event, Handle, Informer, InformerFactory, InformerOptions, SyncOutcome,
};
use kube::api::{DeleteParams, ListParams, Patch, PostParams, WatchParams};
use kube::core::{DynamicObject, GroupVersionKind, PartialObjectMeta};
use kube::discovery::Scope;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::support::log::Log;
use crate::support::{api, map, settle};

/// Returns a CRD with a status, and optionally a second version.
fn definition(group: &str, kind: &str, scope: &str, versions: &[&str]) -> Value {
    let plural = format!("{}s", kind.to_lowercase());
    let versions: Vec<Value> = versions
        .iter()
        .enumerate()
        .map(|(nth, version)| {
            json!({ "name": version, "served": true, "storage": nth == 0, "subresources": { "status": {} },
                    "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } } })
        })
        .collect();
    json!({ "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": format!("{plural}.{group}") },
            "spec": { "group": group, "scope": scope, "versions": versions,
                      "names": { "plural": plural, "kind": kind, "singular": kind.to_lowercase(),
                                 "shortNames": [kind[..2].to_lowercase()] } } })
}

fn start() -> (Cluster, Connection) {
    let cluster = Cluster::new()
        .definition(definition("example.com", "Foo", "Namespaced", &["v1", "v1beta1"]))
        .definition(definition("other.org", "Foo", "Cluster", &["v1"]))
        .definition(definition("other.org", "Bar", "Cluster", &["v1"]))
        .start();
    let connection = Connection::new(cluster.client()).with_field_manager("tester");
    (cluster, connection)
}

#[tokio::test(start_paused = true)]
async fn kinds_are_found_by_every_name() {
    let (_cluster, connection) = start();
    let discovery = connection.discovery();
    for name in [
        "Foo.example.com",
        "foos.example.com",
        "foo.v1.example.com",
        "fo.example.com",
    ] {
        let kind = discovery.kind(name).await.unwrap();
        assert_eq!(
            kind.resource.api_version, "example.com/v1",
            "{name}: the preferred version"
        );
        assert_eq!(kind.scope, Scope::Namespaced);
        assert!(
            kind.can_be_watched() && kind.subresources == ["status"],
            "{kind:?}"
        );
    }
    let old = discovery.kind("foos.v1beta1.example.com").await.unwrap();
    assert_eq!(old.resource.version, "v1beta1");
    assert_eq!(discovery.kind("Bar").await.unwrap().scope, Scope::Cluster);
    assert_eq!(
        discovery.kind("deployments").await.unwrap().full_name(),
        "deployments.apps"
    );
    let maps = discovery.kind("cm").await.unwrap();
    assert_eq!(
        (maps.full_name().as_str(), maps.resource.kind.as_str()),
        ("configmaps.v1", "ConfigMap")
    );
    assert_eq!(discovery.kind(&maps.full_name()).await.unwrap(), maps);
    let group = discovery.group("example.com").await.unwrap();
    let versions: Vec<_> = group.iter().map(|kind| kind.resource.version.as_str()).collect();
    assert_eq!(versions, ["v1", "v1beta1"]);
    let gvk = GroupVersionKind::gvk("other.org", "v1", "Foo");
    assert_eq!(discovery.exact(&gvk).await.unwrap().scope, Scope::Cluster);
    assert!(discovery.kinds().await.unwrap().contains(&maps));

    let error = discovery.kind("Foo").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"Foo\" is ambiguous: it can be foos.example.com, foos.other.org"
    );
    let error = discovery.kind("Nothing.example.com").await.unwrap_err();
    assert!(matches!(error, Error::UnknownKind { .. }), "{error}");
}

/// Returns the answer to a request for groups.
fn groups(items: &Value) -> Value {
    json!({ "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items })
}

fn foos(freshness: &str) -> Value {
    json!([
        { "metadata": { "name": "broken.com" }, "versions": [{ "version": "v1", "freshness": freshness }] },
        { "metadata": { "name": "example.com" }, "versions": [{ "version": "v1", "freshness": "Current", "resources": [
            { "resource": "foos", "singularResource": "foo", "scope": "Namespaced", "verbs": ["get"],
              "responseKind": { "group": "", "version": "", "kind": "Foo" } }] }] },
    ])
}

#[tokio::test(start_paused = true)]
async fn one_answer_is_shared_and_a_miss_asks_again() {
    let (connection, mut api) = api();
    let other = connection.clone();
    let both = tokio::spawn(async move {
        tokio::join!(
            async { connection.discovery().kind("Foo").await.unwrap() },
            async { other.discovery().kind("foos.example.com").await.unwrap() },
        );
        connection
    });
    api.list("/api").await.json(&groups(&json!([])));
    api.list("/apis").await.json(&groups(&foos("Stale")));
    let connection = both.await.unwrap();
    assert!(api.is_idle().await, "one answer is enough");

    tokio::time::sleep(Duration::from_secs(11)).await;
    let missing = connection.clone();
    let missing = tokio::spawn(async move { missing.discovery().kind("Bar").await });
    api.list("/api").await.json(&groups(&json!([])));
    api.list("/apis").await.json(&groups(&foos("Stale")));
    assert_eq!(
        missing.await.unwrap().unwrap_err().to_string(),
        "the server does not have a kind \"Bar\"; it could not ask broken.com/v1"
    );
    assert!(connection.discovery().kind("Bar").await.is_err());
    assert!(api.is_idle().await, "not again within ten seconds");
    connection.discovery().kind("Foo").await.unwrap();

    tokio::time::sleep(Duration::from_secs(601)).await;
    let later = tokio::spawn(async move { connection.discovery().kind("Foo").await });
    api.list("/api").await.json(&groups(&json!([])));
    api.list("/apis").await.json(&groups(&json!([])));
    assert!(
        later.await.unwrap().is_err(),
        "the answer is ten minutes old, and Foo is gone"
    );
}

#[tokio::test(start_paused = true)]
async fn a_dynamic_handle_has_every_verb() {
    let (_cluster, connection) = start();
    let kind = connection.discovery().kind("Foo.example.com").await.unwrap();
    let all: Handle<DynamicObject> = Handle::dynamic(&connection, &kind);
    let foos = all.in_namespace("default");
    let foo = |name: &str| DynamicObject::new(name, &kind.resource).data(json!({ "spec": { "size": 1 } }));
    let mut created = foos.create(&foo("a")).await.unwrap();
    let error = foos.create(&foo("a")).await.unwrap_err();
    assert!(error.is_already_exists(), "{error}");
    created.data["spec"]["size"] = json!(2);
    let mut updated = foos.update(&created).await.unwrap();
    assert!(foos.update(&created).await.unwrap_err().is_conflict());
    updated.data["status"] = json!({ "ready": true });
    let updated = foos.update_status(&updated).await.unwrap();
    assert_eq!(
        updated.data,
        json!({ "spec": { "size": 2 }, "status": { "ready": true } })
    );
    let patch = Patch::Merge(json!({ "spec": { "size": 3 } }));
    assert_eq!(foos.patch("a", &patch).await.unwrap().data["spec"]["size"], 3);
    let mut applied = foo("b");
    applied.metadata.namespace = Some("default".into());
    assert_eq!(foos.apply(&applied).await.unwrap().data["spec"]["size"], 1);
    applied.metadata.namespace = Some("other".into());
    assert!(matches!(
        foos.apply(&applied).await,
        Err(Error::NamespaceMismatch { .. })
    ));
    assert_eq!(foos.get("a").await.unwrap().data["spec"]["size"], 3);
    assert!(foos.get_opt("c").await.unwrap().is_none());
    assert_eq!(all.list(&ListParams::default()).await.unwrap().items.len(), 2);
    let mut watch = Box::pin(all.watch(&WatchParams::default(), "0").await.unwrap());
    assert!(watch.next().await.unwrap().is_ok());
    let nameless = DynamicObject::new("", &kind.resource);
    assert_eq!(
        foos.update(&nameless).await.unwrap_err().to_string(),
        "this Foo has no name: set metadata.name before sending it"
    );
    foos.delete("a", &DeleteParams::default()).await.unwrap();
    foos.delete_collection(&DeleteParams::default(), &ListParams::default())
        .await
        .unwrap();
    assert!(all.list(&ListParams::default()).await.unwrap().items.is_empty());

    // The scope is known, so a namespace does no harm.
    let bars = connection.discovery().kind("Bar").await.unwrap();
    let handle: Handle<DynamicObject> = Handle::dynamic(&connection, &bars).in_namespace("default");
    handle
        .create(&DynamicObject::new("x", &bars.resource))
        .await
        .unwrap();
    assert_eq!(handle.get("x").await.unwrap().metadata.namespace, None);
}

/// Reports the keys.
struct Keys(mpsc::UnboundedSender<String>);

impl Reconciler for Keys {
    type Error = String;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, String> {
        self.0.send(key.to_string()).map_err(|error| error.to_string())?;
        Ok(Next::AwaitChange)
    }
}

#[tokio::test(start_paused = true)]
async fn a_dynamic_kind_can_own_objects_and_have_events() {
    let (cluster, connection) = start();
    let kind = connection.discovery().kind("Foo.example.com").await.unwrap();
    let mut manager = Manager::builder("tester").with_client(cluster.client(), "default");
    let maps = manager.informers().informer::<ConfigMap>();
    let (sender, mut keys) = mpsc::unbounded_channel();
    let controller = Controller::new(&manager, "foos", Keys(sender)).watch_owned_by(&kind, &maps);
    manager.add(controller);
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    let running = tokio::spawn(async move { manager.run(&signals).await });

    let foos: Handle<DynamicObject> = Handle::dynamic(&connection, &kind).in_namespace("default");
    let foo = foos
        .create(&DynamicObject::new("a", &kind.resource))
        .await
        .unwrap();
    let mut child: ConfigMap = serde_json::from_value(map("child", "")).unwrap();
    child.metadata.uid = None;
    child.metadata.resource_version = None;
    set_controller_reference_of_kind(&kind.resource, &foo, &mut child).unwrap();
    let children: Handle<ConfigMap> = Handle::namespaced(&connection, "default");
    children.create(&child).await.unwrap();
    assert_eq!(keys.recv().await.as_deref(), Some("default/a"));
    shutdown.signal();
    running.await.unwrap().unwrap();

    let (recorder, mut events) = Recorder::fake();
    recorder.event_of_kind(&kind.resource, &foo, EventType::Normal, "Synced", "done");
    assert_eq!(events.take(), ["Normal Synced done"]);
}

/// Waits until `condition` holds, in the time of the test.
async fn until(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..600 {
        if condition() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not happen");
}

#[tokio::test(start_paused = true)]
async fn informers_follow_kinds_that_come_and_go() {
    let (cluster, connection) = start();
    let factory = InformerFactory::new(&connection);
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let started: Arc<Mutex<Vec<String>>> = Arc::default();
    let following = {
        let (seen, started, informers) = (Arc::clone(&seen), Arc::clone(&started), factory.clone());
        factory.follow(connection.discovery(), move |kind| {
            let is_wanted = kind.resource.group == "late.io" && kind.can_be_watched();
            is_wanted.then(|| {
                started.lock().unwrap().push(kind.resource.kind.clone());
                let informer: Informer<DynamicObject> = informers.informer_of_kind(kind);
                let seen = Arc::clone(&seen);
                let handler = informer.add_handler(move |event| {
                    if let Event::Added { object, .. } = event {
                        seen.lock().unwrap().push(object.metadata.name.clone().unwrap());
                    }
                    std::future::ready(())
                });
                handler.keep();
                informer
            })
        })
    };
    cluster.settled().await;
    assert!(started.lock().unwrap().is_empty());

    cluster.put(&definition("late.io", "Late", "Namespaced", &["v1"]));
    let kind = connection.wait_for_kind("Late").await.unwrap();
    let lates: Handle<DynamicObject> = Handle::dynamic(&connection, &kind).in_namespace("default");
    lates
        .create(&DynamicObject::new("one", &kind.resource))
        .await
        .unwrap();
    until("the object is seen", || *seen.lock().unwrap() == ["one"]).await;
    assert_eq!(factory.sync_report().results.len(), 1);

    let crds: kube::Api<DynamicObject> = kube::Api::all_with(
        cluster.admin(),
        &connection.discovery().kind("crd").await.unwrap().resource,
    );
    crds.delete("lates.late.io", &DeleteParams::default())
        .await
        .unwrap();
    until("the informer is stopped", || {
        factory.sync_report().results.is_empty()
    })
    .await;

    let again = serde_json::from_value(definition("late.io", "Late", "Namespaced", &["v1"])).unwrap();
    crds.create(&PostParams::default(), &again).await.unwrap();
    until("it is started again", || started.lock().unwrap().len() == 2).await;
    drop(following);
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_missing_kind_is_reported_once_and_can_be_optional() {
    const LATES: &str = "/apis/late.io/v1/lates";
    let (log, _guard) = Log::collect();
    let (connection, mut api) = api();
    let resource = kube::core::ApiResource::from_gvk(&GroupVersionKind::gvk("late.io", "v1", "Late"));
    for optional in [true, false] {
        let factory = InformerFactory::new(&connection);
        let options = if optional {
            InformerOptions::new().optional()
        } else {
            InformerOptions::new()
        };
        let informer: Informer<DynamicObject> = factory.informer_for_resource(&resource, options);
        factory.start();
        let waiting = factory.clone();
        let waiting = tokio::spawn(async move { waiting.wait_for_sync().await });
        for _ in 0..3 {
            api.list(LATES).await.refuse(404, "NotFound");
        }
        settle().await;
        let report = factory.sync_report();
        assert_eq!(report.results[0].outcome, SyncOutcome::Missing { optional });
        assert_eq!(report.is_synced(), optional, "{report}");
        assert_eq!(waiting.is_finished(), optional);
        assert_eq!(log.lines_with("does not have the kind").len(), 1);
        if !optional {
            // The kind appears.
            api.list(LATES).await.items("5", &[]);
            let _watch = api.watch(LATES).await.open();
            assert!(waiting.await.unwrap().is_synced());
            assert_eq!(factory.sync_report().results[0].outcome, SyncOutcome::Synced);
        } else {
            // Another user cannot do without it.
            let _required: Informer<DynamicObject> =
                factory.informer_for_resource(&resource, InformerOptions::new());
            assert!(!factory.sync_report().is_synced());
            drop(informer);
            factory.shutdown().await;
            log.clear();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn metadata_needs_no_second_watch_and_two_caches_are_warned_of() {
    const MAPS: &str = "/api/v1/configmaps";
    let (log, _guard) = Log::collect();
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let maps: Informer<PartialObjectMeta<ConfigMap>> = factory.informer::<ConfigMap>().metadata();
    factory.start();
    api.list(MAPS).await.items("2", &[map("a", "1")]);
    let _watch = api.watch(MAPS).await.open();
    assert!(maps.synced().await);
    assert!(api.is_idle().await, "the whole objects are not watched");
    assert_eq!(
        maps.lister()
            .get(Some("default"), "a")
            .unwrap()
            .metadata
            .name
            .as_deref(),
        Some("a")
    );
    let names = |factory: &InformerFactory| -> Vec<String> {
        let results = factory.sync_report().results;
        results.into_iter().map(|result| result.informer).collect()
    };
    assert_eq!(names(&factory), ["configmaps/v1 (metadata)"]);
    assert!(log.lines_with("cached twice").is_empty());

    let whole = factory.informer::<ConfigMap>();
    assert_eq!(log.lines_with("cached twice").len(), 1);
    let lister = whole.lister();
    // It is used, so it stays.
    let _same = whole.metadata();
    assert_eq!(names(&factory), ["configmaps/v1", "configmaps/v1 (metadata)"]);
    drop(lister);
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn informers_have_metrics() {
    const MAPS: &str = "/api/v1/configmaps";
    let (connection, mut api) = api();
    let metrics = Metrics::default();
    let factory = InformerFactory::builder(&connection).metrics(&metrics).build();
    let maps = factory.informer::<ConfigMap>();
    let mut slow = maps.events();
    factory.start();
    api.list(MAPS).await.items("2", &[map("a", "1"), map("b", "1")]);
    let watch = api.watch(MAPS).await.open();
    assert!(maps.synced().await);
    let value = |name: &str| {
        let text = metrics.encode(Format::Prometheus);
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name).map(str::trim));
        line.map(|value| value.parse::<f64>().unwrap())
    };
    let labels = "name=\"configmaps/v1\"";
    let of = |name: &str| format!("informer_{name}{{{labels}}}");
    assert_eq!(value(&of("objects")), Some(2.0));
    assert_eq!(value(&of("lists_total")), Some(1.0));
    assert_eq!(value(&of("broken_watches_total")), Some(0.0));
    let queue = format!("informer_handler_queue_length{{{labels},handler=\"0\"}}");
    assert_eq!(value(&queue), Some(3.0), "two objects, and the end of the list");
    slow.next().await.unwrap();
    assert_eq!(value(&queue), Some(2.0));

    tokio::time::sleep(Duration::from_secs(7)).await;
    let age = value(&of("last_event_age_seconds")).unwrap();
    assert!((7.0..8.0).contains(&age), "{age}");
    watch.added(&map("c", "3"));
    settle().await;
    assert!(value(&of("last_event_age_seconds")).unwrap() < 1.0);
    watch.break_off();
    let _watch = api.watch(MAPS).await.open();
    settle().await;
    assert_eq!(value(&of("broken_watches_total")), Some(1.0));
    drop(slow);
    assert_eq!(value(&queue), None, "the handler is gone");
    factory.shutdown().await;
    assert_eq!(value(&of("objects")), None, "the informer is gone");
}

#[tokio::test(start_paused = true)]
async fn a_group_that_does_not_answer_is_not_gone() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let informers = factory.clone();
    let following = factory.follow(connection.discovery(), move |kind| {
        Some(informers.informer_of_kind::<DynamicObject>(kind))
    });
    let with = |freshness: &str, resources: Value| {
        let version = json!({ "version": "v1", "freshness": freshness, "resources": resources });
        groups(&json!([{ "metadata": { "name": "example.com" }, "versions": [version] }]))
    };
    let foos = foos("Current")[1]["versions"][0]["resources"].clone();
    // The first lookup fails.
    drop(api.list("/apis").await);
    drop(api.list("/api").await);
    api.list("/apis").await.json(&with("Current", foos));
    api.list("/api").await.json(&groups(&json!([])));
    api.list("/apis/example.com/v1/foos").await.items("1", &[]);
    let _watch = api.watch("/apis/example.com/v1/foos").await.open();
    settle().await;
    assert_eq!(factory.sync_report().results.len(), 1);

    connection.discovery().refresh();
    api.list("/apis").await.json(&with("Stale", json!([])));
    api.list("/api").await.json(&groups(&json!([])));
    settle().await;
    assert_eq!(
        factory.sync_report().results.len(),
        1,
        "its server does not answer at present"
    );

    connection.discovery().refresh();
    api.list("/apis").await.json(&groups(&json!([])));
    api.list("/api").await.json(&groups(&json!([])));
    until("the informer is stopped", || {
        factory.sync_report().results.is_empty()
    })
    .await;
    drop(following);
}
