//! Handlers: each has its own pace and order, is added early or late, and is removed when it is dropped.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::{Event, HandlerOptions, Informer, InformerOptions, Registration};
use tokio::sync::{Semaphore, mpsc};

use crate::support::{api, map, settle};
use crate::{arrived, serve, started, words};

/// Returns a handler that records its events.
pub fn scribe(informer: &Informer<ConfigMap>) -> (Registration, mpsc::UnboundedReceiver<String>) {
    let (sender, heard) = mpsc::unbounded_channel();
    let registration = informer.add_handler(move |event: Event<ConfigMap>| {
        sender.send(words(&event)).ok();
        async {}
    });
    (registration, heard)
}

pub async fn hear(heard: &mut mpsc::UnboundedReceiver<String>) -> Vec<String> {
    settle().await;
    let mut words = Vec::new();
    while let Ok(word) = heard.try_recv() {
        words.push(word);
    }
    words
}

#[tokio::test(start_paused = true)]
async fn a_slow_handler_delays_nobody() {
    let (connection, mut api) = api();
    let informer = Informer::<ConfigMap>::new(&connection, InformerOptions::new());
    let gate = Arc::new(Semaphore::new(0));
    let slow_heard = Arc::new(Mutex::new(Vec::new()));
    let slow = informer.add_handler({
        let (gate, heard) = (gate.clone(), slow_heard.clone());
        move |event| {
            let (gate, heard) = (gate.clone(), heard.clone());
            async move {
                gate.acquire().await.unwrap().forget();
                heard.lock().unwrap().push(words(&event));
            }
        }
    });
    let (fast, mut heard) = scribe(&informer);
    let watch = serve(&informer, &mut api).await;
    for version in 3..1003 {
        watch.modified(&map("a", &version.to_string()));
    }
    let fast_heard = hear(&mut heard).await;
    assert_eq!(fast_heard.len(), 1002);
    assert!(fast.has_synced());
    assert!(slow_heard.lock().unwrap().is_empty() && !slow.has_synced());

    gate.add_permits(2);
    assert!(
        slow.synced().await,
        "synced once it has dealt with the first two, whatever waits behind them"
    );
    gate.add_permits(1000);
    settle().await;
    assert_eq!(
        *slow_heard.lock().unwrap(),
        fast_heard,
        "all of it, in the same order"
    );
}

#[tokio::test(start_paused = true)]
async fn a_late_handler_first_hears_what_is_there() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    watch.modified(&map("b", "3"));
    watch.added(&map("c", "4"));
    settle().await;
    let (registration, mut heard) = scribe(&informer);
    watch.deleted(&map("a", "5"));
    assert_eq!(hear(&mut heard).await, ["+a@1", "+b@3", "+c@4", "deleted a@5"]);
    assert!(registration.synced().await);
}

#[tokio::test(start_paused = true)]
async fn dropping_the_registration_unregisters() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let (going, mut gone) = scribe(&informer);
    let (staying, mut heard) = scribe(&informer);
    assert_eq!(hear(&mut gone).await, ["+a@1", "+b@2"]);
    staying.keep();
    drop(going);
    watch.modified(&map("a", "3"));
    assert_eq!(hear(&mut heard).await, ["+a@1", "+b@2", "updated a@1 to a@3"]);
    assert_eq!(gone.recv().await, None, "the handler itself has been dropped");
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_dropped_handler_is_not_delivered() {
    let (connection, mut api) = api();
    let (informer, _watch) = started(&connection, &mut api).await;
    // On this runtime the handler cannot run before the test waits.
    let (registration, mut heard) = scribe(&informer);
    drop(registration);
    assert!(hear(&mut heard).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_cache_holds_a_change_before_it_is_heard() {
    let (connection, mut api) = api();
    let informer = Informer::<ConfigMap>::new(&connection, InformerOptions::new());
    informer
        .add_index("version", |map| {
            map.metadata.resource_version.iter().cloned().collect()
        })
        .unwrap();
    let lister = informer.lister();
    let (sender, mut heard) = mpsc::unbounded_channel();
    let _registration = informer.add_handler(move |event: Event<ConfigMap>| {
        let object = event.object();
        let version = object.metadata.resource_version.clone().unwrap();
        let indexed = lister.by_index("version", &version).unwrap();
        let is_there = indexed.iter().any(|indexed| Arc::ptr_eq(indexed, object));
        let found = lister.get(
            object.metadata.namespace.as_deref(),
            object.metadata.name.as_deref().unwrap(),
        );
        let is_deleted = matches!(event, Event::Deleted { .. });
        sender
            .send(is_there != is_deleted && found.is_ok() != is_deleted)
            .unwrap();
        async {}
    });
    let watch = serve(&informer, &mut api).await;
    for _ in 0..2 {
        assert!(heard.recv().await.unwrap());
    }
    watch.modified(&map("a", "3"));
    assert!(heard.recv().await.unwrap());
    watch.deleted(&map("a", "4"));
    assert!(heard.recv().await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_resync_replays_the_cache_to_one_handler() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let mut replayed = informer.events_with(HandlerOptions::new().resync(Duration::from_secs(10)));
    let mut plain = informer.events();
    assert_eq!(arrived(&mut replayed).await, ["+a@1", "+b@2"]);
    watch.modified(&map("b", "3"));
    assert_eq!(arrived(&mut replayed).await, ["updated b@2 to b@3"]);

    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(arrived(&mut replayed).await, ["resync a@1", "resync b@3"]);
    assert!(arrived(&mut replayed).await.is_empty(), "once a period");
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(arrived(&mut replayed).await, ["resync a@1", "resync b@3"]);
    assert_eq!(arrived(&mut plain).await, ["+a@1", "+b@2", "updated b@2 to b@3"]);
    assert!(api.is_idle().await, "the server is not asked");
}

#[tokio::test(start_paused = true)]
async fn resyncs_do_not_pile_up() {
    let (connection, mut api) = api();
    let (informer, _watch) = started(&connection, &mut api).await;
    let mut events = informer.events_with(HandlerOptions::new().resync(Duration::from_secs(10)));
    arrived(&mut events).await;
    tokio::time::advance(Duration::from_secs(35)).await;
    assert_eq!(arrived(&mut events).await, ["resync a@1", "resync b@2"]);
}
