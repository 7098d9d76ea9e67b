//! Watch events: their effect on the cache and the handlers.

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::{Informer, InformerOptions};
use serde_json::json;

use crate::support::{api, map, settle};
use crate::{MAPS, arrived, cached, started};

#[tokio::test(start_paused = true)]
async fn a_list_and_then_a_watch() {
    let (connection, mut api) = api();
    let informer = Informer::<ConfigMap>::new(&connection, InformerOptions::new());
    let mut events = informer.events();
    informer.start();
    let list = api.list(MAPS).await;
    assert!(!informer.has_synced());
    list.items("2", &[map("b", "2"), map("a", "1")]);
    let call = api.watch(MAPS).await;
    assert_eq!(call.query["resourceVersion"], "2");
    assert_eq!(call.query["allowWatchBookmarks"], "true");
    assert!(informer.has_synced());
    assert_eq!(arrived(&mut events).await, ["+b@2", "+a@1"]);
    assert_eq!(
        cached(&informer),
        ["a@1", "b@2"],
        "in order of name, whatever the order of the list"
    );

    let watch = call.open();
    watch.added(&map("c", "3"));
    watch.modified(&map("a", "4"));
    watch.deleted(&map("b", "5"));
    assert_eq!(
        arrived(&mut events).await,
        ["added c@3", "updated a@1 to a@4", "deleted b@5"]
    );
    assert_eq!(cached(&informer), ["a@4", "c@3"]);
}

#[tokio::test(start_paused = true)]
async fn pages_are_one_list() {
    let (connection, mut api) = api();
    let informer = Informer::<ConfigMap>::new(&connection, InformerOptions::new());
    let mut events = informer.events();
    informer.start();
    api.list(MAPS).await.page("2", Some("more"), &[map("a", "1")]);
    let second = api.list(MAPS).await;
    assert_eq!(second.query["continue"], "more");
    assert!(!informer.has_synced(), "half a list does not count");
    assert!(!events.sync_signal().is_set());
    second.page("2", None, &[map("b", "2")]);
    assert!(informer.synced().await);
    assert_eq!(arrived(&mut events).await, ["+a@1", "+b@2"]);
    assert!(events.sync_signal().is_set());
}

#[tokio::test(start_paused = true)]
async fn what_vanished_in_a_gap_is_lost_but_not_forgotten() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let mut events = informer.events();
    arrived(&mut events).await;

    watch.expired();
    // Meanwhile `a` was deleted, `b` has not changed, and `c` is new.
    api.list(MAPS).await.items("9", &[map("b", "2"), map("c", "8")]);
    let watch = api.watch(MAPS).await;
    assert_eq!(watch.query["resourceVersion"], "9");
    let _watch = watch.open();
    assert_eq!(
        arrived(&mut events).await,
        ["added c@8", "lost a@1"],
        "an unchanged object is not an event"
    );
    assert_eq!(cached(&informer), ["b@2", "c@8"]);
}

#[tokio::test(start_paused = true)]
async fn an_object_made_anew_in_a_gap_is_another_object() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let mut events = informer.events();
    arrived(&mut events).await;
    watch.expired();
    let mut other = map("a", "8");
    other["metadata"]["uid"] = json!("another-uid");
    api.list(MAPS).await.items("9", &[other, map("b", "2")]);
    let _watch = api.watch(MAPS).await.open();
    assert_eq!(arrived(&mut events).await, ["lost a@1", "added a@8"]);
    assert_eq!(cached(&informer), ["a@8", "b@2"]);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_failed_half_way_leaves_nothing_behind() {
    let (connection, mut api) = api();
    let informer = Informer::<ConfigMap>::new(&connection, InformerOptions::new());
    let mut events = informer.events();
    informer.start();
    api.list(MAPS)
        .await
        .page("2", Some("more"), &[map("a", "1"), map("b", "2")]);
    api.list(MAPS).await.refuse(410, "Expired");
    settle().await;
    assert!(!informer.has_synced());
    assert!(informer.last_error().unwrap().contains("Expired"));
    // The list restarts, and `a` has been deleted.
    api.list(MAPS).await.items("5", &[map("b", "2")]);
    assert!(informer.synced().await);
    assert_eq!(informer.last_error(), None);
    assert_eq!(arrived(&mut events).await, ["+a@1", "+b@2", "lost a@1"]);
    assert_eq!(cached(&informer), ["b@2"]);
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_ends_goes_on_where_it_was() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let mut events = informer.events();
    arrived(&mut events).await;

    watch.modified(&map("a", "3"));
    drop(watch);
    let call = api.watch(MAPS).await;
    assert_eq!(call.query["resourceVersion"], "3", "no new list");
    let watch = call.open();
    watch.bookmark("70");
    watch.break_off();
    let call = api.watch(MAPS).await;
    assert_eq!(call.query["resourceVersion"], "70", "a bookmark moves the place");
    call.refuse(503, "ServiceUnavailable");
    let call = api.watch(MAPS).await;
    assert_eq!(call.query["resourceVersion"], "70");
    call.open().deleted(&map("b", "71"));
    assert_eq!(
        arrived(&mut events).await,
        ["updated a@1 to a@3", "deleted b@71"],
        "a bookmark is not an event"
    );
    assert_eq!(cached(&informer), ["a@3"]);
}

#[tokio::test(start_paused = true)]
async fn failures_are_not_tried_again_at_once() {
    let (connection, mut api) = api();
    let informer = Informer::<ConfigMap>::new(&connection, InformerOptions::new());
    informer.start();
    api.list(MAPS).await.refuse(403, "Forbidden");
    let mut waits = Vec::new();
    for _ in 0..10 {
        let refused = tokio::time::Instant::now();
        let next = api.list(MAPS).await;
        waits.push(refused.elapsed().as_millis());
        next.refuse(403, "Forbidden");
    }
    settle().await;
    assert!(
        waits.iter().all(|wait| (400..=60_000).contains(wait)),
        "{waits:?}"
    );
    assert!(waits[8] > 4 * waits[0], "{waits:?}");
    assert!(informer.last_error().unwrap().contains("Forbidden"));
    informer.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn what_was_never_there_cannot_be_deleted() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let mut events = informer.events();
    arrived(&mut events).await;
    watch.deleted(&map("stranger", "3"));
    assert!(arrived(&mut events).await.is_empty());
    assert_eq!(cached(&informer), ["a@1", "b@2"]);
}
