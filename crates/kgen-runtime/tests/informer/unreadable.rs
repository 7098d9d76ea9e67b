//! Objects that cannot be deserialized: each is reported, and none affects the others.

use futures::{FutureExt, StreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::recorder::Recorder;
use kgen_runtime::{Error, Event, Informer, InformerFactory, InformerOptions, SyncOutcome};
use serde_json::{Value, json};

use crate::support::log::Log;
use crate::support::{api, map, settle};
use crate::{MAPS, arrived, cached, started};

const REASON: &str = "immutable: invalid type: string, expected a boolean";

/// Returns a config map that cannot be deserialized as [`ConfigMap`], with a secret value at the error.
fn bad(name: &str, version: &str) -> Value {
    let mut map = map(name, version);
    map["immutable"] = json!("hunter2");
    map["data"] = json!({ "password": "hunter3" });
    map
}

#[tokio::test(start_paused = true)]
async fn one_object_of_a_list_does_not_stop_the_others() {
    let (log, _guard) = Log::collect();
    let (connection, mut api) = api();
    let (recorder, mut events) = Recorder::fake();
    let metrics = Metrics::default();
    let factory = InformerFactory::builder(&connection)
        .recorder(&recorder)
        .metrics(&metrics)
        .build();
    let maps = factory.informer::<ConfigMap>();
    factory.start();
    api.list(MAPS)
        .await
        .items("3", &[map("a", "1"), bad("b", "2"), map("c", "3")]);
    let watch = api.watch(MAPS).await.open();
    assert!(maps.synced().await);
    assert_eq!(cached(&maps), ["a@1", "c@3"]);

    assert_eq!(
        events.take(),
        [format!(
            "Warning Unreadable The operator cannot read this object: {REASON}"
        )]
    );
    let text = metrics.encode(Format::Prometheus);
    let gauge = "informer_unreadable_objects{name=\"configmaps/v1\"}";
    assert!(text.contains(&format!("{gauge} 1")), "{text}");
    let report = factory.sync_report();
    assert_eq!(report.results[0].outcome, SyncOutcome::Synced);
    assert_eq!(
        report.to_string(),
        format!("configmaps/v1: synced\n  cannot read default/b: {REASON}\n")
    );

    // A new list has the same version: it is not reported again.
    watch.expired();
    api.list(MAPS)
        .await
        .items("4", &[map("a", "1"), bad("b", "2"), map("c", "3")]);
    let watch = api.watch(MAPS).await.open();
    settle().await;
    assert_eq!(
        log.lines_with("cannot deserialize the object").len(),
        1,
        "once per version"
    );
    watch.modified(&bad("b", "5"));
    settle().await;
    let lines = log.lines_with("cannot deserialize the object");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[1].contains("object=\"b\"") && lines[1].contains(REASON),
        "{lines:?}"
    );
    assert_eq!(events.take().len(), 1);

    watch.modified(&map("b", "6"));
    settle().await;
    let text = metrics.encode(Format::Prometheus);
    assert!(text.contains(&format!("{gauge} 0")), "{text}");
    assert_eq!(cached(&maps), ["a@1", "b@6", "c@3"]);
    watch.modified(&bad("b", "7"));
    settle().await;
    let text = metrics.encode(Format::Prometheus);
    assert!(text.contains(&format!("{gauge} 1")), "{text}");
    maps.shutdown().await;
    let text = metrics.encode(Format::Prometheus);
    assert!(
        text.contains(&format!("{gauge} 0")),
        "nobody follows it any more: {text}"
    );
    assert!(log.lines_with("hunter").is_empty(), "no value is logged");
}

#[tokio::test(start_paused = true)]
async fn the_last_readable_version_stays_until_the_object_is_deleted() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let mut events = informer.events();
    arrived(&mut events).await;

    watch.modified(&bad("a", "3"));
    assert!(arrived(&mut events).await.is_empty());
    assert_eq!(cached(&informer), ["a@1", "b@2"], "as in client-go");
    let unreadable = informer.lister().unreadable();
    assert_eq!(unreadable[0].to_string(), format!("default/a: {REASON}"));
    assert!(!format!("{unreadable:?}").contains("hunter"));

    watch.modified(&map("a", "4"));
    assert_eq!(arrived(&mut events).await, ["updated a@1 to a@4"]);
    assert!(informer.lister().unreadable().is_empty());

    watch.modified(&bad("a", "5"));
    watch.deleted(&bad("a", "6"));
    assert_eq!(
        arrived(&mut events).await,
        ["lost a@4"],
        "the deletion is seen, with the last readable version"
    );
    watch.modified(&bad("b", "7"));
    settle().await;
    drop(watch);
    let watch = api.watch(MAPS).await;
    assert_eq!(watch.query["resourceVersion"], "7", "the place moves on");
    let watch = watch.open();
    watch.expired();
    api.list(MAPS).await.items("9", &[]);
    assert_eq!(arrived(&mut events).await, ["lost b@2"], "deleted in a gap");
    assert!(informer.lister().unreadable().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_object_is_not_an_absent_one() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    watch.added(&bad("c", "3"));
    settle().await;
    let error = informer.lister().get(Some("default"), "c").unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }) && !error.is_not_found());
    assert_eq!(
        error.to_string(),
        format!("configmaps \"default/c\" cannot be read: {REASON}")
    );
    watch.deleted(&bad("c", "4"));
    settle().await;
    assert!(
        informer
            .lister()
            .get(Some("default"), "c")
            .unwrap_err()
            .is_not_found()
    );
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_object_made_anew_in_a_gap_is_another_object() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let mut events = informer.events();
    arrived(&mut events).await;
    watch.expired();
    let mut other = bad("a", "8");
    other["metadata"]["uid"] = json!("another-uid");
    api.list(MAPS).await.items("9", &[other, map("b", "2")]);
    assert_eq!(arrived(&mut events).await, ["lost a@1"]);
    assert_eq!(cached(&informer), ["b@2"]);
    assert_eq!(informer.lister().unreadable().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn handlers_can_ask_for_unreadable_objects() {
    let (connection, mut api) = api();
    let informer = Informer::<ConfigMap>::new(&connection, InformerOptions::new());
    let mut early = informer.with_unreadable().events();
    informer.start();
    api.list(MAPS).await.items("2", &[bad("a", "1"), map("b", "2")]);
    let watch = api.watch(MAPS).await.open();
    assert!(informer.synced().await);
    let mut late = informer.with_unreadable().events();
    watch.deleted(&bad("a", "3"));
    settle().await;
    let mut said = Vec::new();
    for events in [&mut early, &mut late] {
        while let Some(Some(event)) = events.next().now_or_never() {
            said.push(match event {
                Event::Unreadable { object, deleted } => {
                    let json: Value = serde_json::from_str(object.json.as_ref().unwrap().get()).unwrap();
                    format!("{} {} {deleted}", object.name, json["data"]["password"])
                }
                other => format!("{} readable", !other.is_resync()),
            });
        }
    }
    let (unreadable, readable) = ("a \"hunter3\" false", "true readable");
    let deleted = "a \"hunter3\" true";
    assert_eq!(
        said,
        [
            unreadable, readable, deleted, // as it happened
            readable, unreadable, deleted, // the list, and then the watch
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn metadata_that_cannot_be_read_do_not_stop_a_list() {
    let (connection, mut api) = api();
    let informer = Informer::<ConfigMap>::new(&connection, InformerOptions::new());
    informer.start();
    let nameless = json!({ "metadata": 7 });
    api.list(MAPS)
        .await
        .items("2", &[nameless, json!("nonsense"), map("b", "2")]);
    assert!(informer.synced().await);
    assert_eq!(cached(&informer), ["b@2"]);
}

#[tokio::test(start_paused = true)]
async fn no_answer_that_cannot_be_read_is_logged() {
    let (log, _guard) = Log::collect();
    let (connection, mut api) = api();
    let maps = kgen_runtime::Handle::<ConfigMap>::namespaced(&connection, "default");
    let get = tokio::spawn({
        let maps = maps.clone();
        async move { maps.get("a").await }
    });
    api.next().await.json(&bad("a", "1"));
    let error = get.await.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the answer: invalid type: string, expected a boolean"
    );
    let list = tokio::spawn(async move { maps.list(&Default::default()).await });
    api.next().await.items("1", &[bad("a", "1")]);
    assert!(list.await.unwrap().is_err());
    assert!(log.lines_with("hunter").is_empty());
}
