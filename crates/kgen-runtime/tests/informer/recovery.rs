//! How an informer recovers from watches that break, end, stay silent or are rejected.

use std::time::Duration;

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::{Informer, InformerFactory, InformerOptions};
use serde_json::json;
use tokio::time::Instant;

use crate::support::{Api, Call, api, map, settle};
use crate::{MAPS, arrived, cached, started};

/// Returns the next watch, and the time until it arrived.
async fn resumed(api: &mut Api) -> (Call, Duration) {
    let broken = Instant::now();
    let call = api.watch(MAPS).await;
    (call, broken.elapsed())
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_is_reset_again_and_again_is_resumed_within_a_second() {
    let (connection, mut api) = api();
    let (_informer, mut watch) = started(&connection, &mut api).await;
    let mut waits = Vec::new();
    for _ in 0..20 {
        // There are no events, and the proxy resets the connection.
        tokio::time::sleep(Duration::from_secs(20)).await;
        watch.break_off();
        let (call, wait) = resumed(&mut api).await;
        assert_eq!(call.query["resourceVersion"], "2");
        waits.push(wait);
        watch = call.open();
    }
    for version in 3..10 {
        // An event arrives, and the connection breaks immediately.
        watch.modified(&map("a", &version.to_string()));
        watch.break_off();
        let (call, wait) = resumed(&mut api).await;
        assert_eq!(call.query["resourceVersion"], version.to_string());
        waits.push(wait);
        watch = call.open();
    }
    assert!(
        waits.iter().all(|wait| *wait <= Duration::from_secs(1)),
        "{waits:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn watches_that_never_show_anything_are_tried_less_and_less_often() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    watch.break_off();
    let mut waits = Vec::new();
    for number in 0..8 {
        let (call, wait) = resumed(&mut api).await;
        waits.push(wait);
        match number % 3 {
            0 => drop(call),
            1 => call.refuse(503, "ServiceUnavailable"),
            _ => drop(call.open()),
        }
    }
    assert!(waits[0] <= Duration::from_secs(1), "{waits:?}");
    assert!(waits[7] > 8 * waits[0], "{waits:?}");
    assert!(waits[7] <= Duration::from_secs(60), "{waits:?}");
    assert!(informer.last_error().is_some());

    let (call, _) = resumed(&mut api).await;
    call.open().modified(&map("a", "3"));
    let (_, wait) = resumed(&mut api).await;
    assert!(
        wait <= Duration::from_secs(1),
        "an event resets the waits: {wait:?}"
    );
    assert_eq!(informer.last_error(), None);
}

#[tokio::test(start_paused = true)]
async fn lists_without_a_watch_are_tried_less_and_less_often() {
    let (connection, mut api) = api();
    let (_informer, watch) = started(&connection, &mut api).await;
    watch.expired();
    let mut waits = Vec::new();
    for _ in 0..8 {
        let expired = Instant::now();
        let list = api.list(MAPS).await;
        waits.push(expired.elapsed());
        list.items("5", &[map("a", "1")]);
        api.watch(MAPS).await.refuse(410, "Expired");
    }
    assert!(waits[0] <= Duration::from_secs(1), "{waits:?}");
    assert!(waits[7] > 8 * waits[0], "{waits:?}");
}

#[tokio::test(start_paused = true)]
async fn a_silent_watch_is_restarted_from_its_place_within_a_minute() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    watch.modified(&map("a", "3"));
    settle().await;
    let silent = Instant::now();
    // The connection is dead, and so is the next one: the server never responds.
    let unanswered = api.watch(MAPS).await;
    assert_eq!(unanswered.query["resourceVersion"], "3", "no new list");
    let call = api.watch(MAPS).await;
    assert!(
        silent.elapsed() < Duration::from_secs(60),
        "both were given up: {:?}",
        silent.elapsed()
    );
    assert!(unanswered.is_abandoned());
    assert_eq!(call.query["resourceVersion"], "3");
    call.open().deleted(&map("a", "4"));
    settle().await;
    assert_eq!(cached(&informer), ["b@2"]);
    drop(watch);
}

#[tokio::test(start_paused = true)]
async fn a_bookmark_is_a_sign_of_life() {
    let (connection, mut api) = api();
    let (_informer, watch) = started(&connection, &mut api).await;
    for version in 10..20 {
        tokio::time::sleep(Duration::from_secs(38)).await;
        watch.bookmark(&version.to_string());
    }
    assert!(api.is_idle().await);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_stops_in_the_middle_is_begun_anew() {
    let (connection, mut api) = api();
    let informer = Informer::<ConfigMap>::new(&connection, InformerOptions::new());
    informer.start();
    // The head of the response arrives, but no body.
    let _stalled = api.list(MAPS).await.open();
    let began = Instant::now();
    let list = api.list(MAPS).await;
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    list.items("1", &[map("a", "1")]);
    assert!(informer.synced().await);
}

#[tokio::test(start_paused = true)]
async fn an_error_in_the_watch_leads_to_a_new_list() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    watch.line(&json!({ "type": "ERROR", "object": crate::support::status(504, "Timeout") }));
    api.list(MAPS).await.items("9", &[map("z", "8")]);
    let watch = api.watch(MAPS).await.open();
    settle().await;
    assert_eq!(cached(&informer), ["z@8"]);
    watch.line(&json!({ "what": "hunter2" }));
    settle().await;
    let error = informer.last_error().unwrap();
    assert_eq!(
        error,
        "cannot watch: the server has sent a line that is not an event"
    );
    api.list(MAPS).await.items("10", &[]);
    settle().await;
    assert!(cached(&informer).is_empty());
}

#[tokio::test(start_paused = true)]
async fn streaming_lists() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection)
        .tweak(kube::runtime::watcher::Config::streaming_lists)
        .build();
    let maps = factory.informer::<ConfigMap>();
    let mut events = maps.events();
    factory.start();
    let call = api.watch(MAPS).await;
    assert_eq!(call.query["sendInitialEvents"], "true");
    let watch = call.open();
    watch.added(&map("a", "1"));
    watch.added(&map("b", "2"));
    settle().await;
    assert!(!maps.has_synced());
    watch.line(&json!({ "type": "BOOKMARK", "object": { "metadata": {
        "resourceVersion": "7", "annotations": { "k8s.io/initial-events-end": "true" } } } }));
    assert!(maps.synced().await);
    watch.modified(&map("a", "8"));
    assert_eq!(arrived(&mut events).await, ["+a@1", "+b@2", "updated a@1 to a@8"]);
    drop(watch);
    let call = api.watch(MAPS).await;
    assert_eq!(call.query["resourceVersion"], "8");
    assert!(!call.query.contains_key("sendInitialEvents"));
}

#[tokio::test(start_paused = true)]
async fn a_streamed_list_may_take_longer_than_a_watch() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection)
        .tweak(kube::runtime::watcher::Config::streaming_lists)
        .build();
    let maps = factory.informer::<ConfigMap>();
    factory.start();
    let call = api.watch(MAPS).await;
    assert_eq!(call.query["timeoutSeconds"], "295");
    let list = call.open();
    for name in ["a", "b", "c", "d"] {
        tokio::time::sleep(Duration::from_secs(30)).await;
        list.added(&map(name, "1"));
    }
    list.line(&json!({ "type": "BOOKMARK", "object": { "metadata": {
        "resourceVersion": "7", "annotations": { "k8s.io/initial-events-end": "true" } } } }));
    assert!(maps.synced().await);

    // A server sends a bookmark only every minute, so silence is not a failure.
    let (call, wait) = resumed(&mut api).await;
    assert!(wait < Duration::from_secs(60), "{wait:?}");
    assert_eq!(maps.last_error(), None);
    assert_eq!(call.query["resourceVersion"], "7");
    assert_eq!(call.query["timeoutSeconds"], "38");
}

#[tokio::test(start_paused = true)]
async fn a_streamed_list_that_stops_in_the_middle_is_begun_anew() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection)
        .tweak(kube::runtime::watcher::Config::streaming_lists)
        .build();
    let maps = factory.informer::<ConfigMap>();
    factory.start();
    let stalled = api.watch(MAPS).await.open();
    stalled.added(&map("a", "1"));
    let (call, wait) = resumed(&mut api).await;
    assert!(wait < Duration::from_secs(60), "{wait:?}");
    assert_eq!(call.query["sendInitialEvents"], "true");
    assert!(maps.last_error().is_some());
}
