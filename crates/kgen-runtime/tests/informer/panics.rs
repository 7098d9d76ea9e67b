//! Panics of the user's functions: each affects one object, and none stops the informer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::FutureExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::{Event, HandlerOptions, Informer, InformerFactory, Registration, SyncOutcome};
use tokio::sync::mpsc;

use crate::handlers::{hear, scribe};
use crate::support::log::Log;
use crate::support::{api, map, settle};
use crate::{MAPS, cached, serve, started, words};

/// Returns a handler that records its events, and panics while `panics` is set.
fn nervous(
    informer: &Informer<ConfigMap>,
    options: HandlerOptions,
    panics: &Arc<AtomicBool>,
) -> (Registration, mpsc::UnboundedReceiver<String>) {
    let (sender, heard) = mpsc::unbounded_channel();
    let panics = Arc::clone(panics);
    let registration = informer.add_handler_with(options, move |event: Event<ConfigMap>| {
        let (sender, panics) = (sender.clone(), Arc::clone(&panics));
        async move {
            assert!(!panics.load(Ordering::SeqCst), "a bug in a handler");
            sender.send(words(&event)).unwrap();
        }
    });
    (registration, heard)
}

#[tokio::test(start_paused = true)]
async fn a_handler_goes_on_after_a_panic() {
    let (log, _guard) = Log::collect();
    let (connection, mut api) = api();
    let metrics = Metrics::default();
    let factory = InformerFactory::builder(&connection).metrics(&metrics).build();
    let informer = factory.informer::<ConfigMap>();
    let panics = Arc::new(AtomicBool::new(false));
    let (registration, mut nervous) = nervous(&informer, HandlerOptions::new(), &panics);
    let (_registration, mut calm) = scribe(&informer);
    let watch = serve(&informer, &mut api).await;
    assert_eq!(hear(&mut nervous).await, ["+a@1", "+b@2"]);
    assert!(registration.has_synced());

    panics.store(true, Ordering::SeqCst);
    watch.modified(&map("a", "3"));
    settle().await;
    panics.store(false, Ordering::SeqCst);
    watch.modified(&map("b", "4"));
    assert_eq!(
        hear(&mut nervous).await,
        ["updated b@2 to b@4"],
        "the next event is handled"
    );
    watch.modified(&map("a", "5"));
    assert_eq!(
        hear(&mut nervous).await,
        ["updated a@1 to a@5"],
        "with what was missed"
    );
    assert_eq!(hear(&mut calm).await.len(), 5, "others are not concerned");

    let text = metrics.encode(Format::Prometheus);
    let counter = "informer_handler_panics_total{name=\"configmaps/v1\"} 1";
    assert!(text.contains(counter), "{text}");
    let lines = log.lines_with("panicked");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("object=\"a\"") && !lines[0].contains("a bug in"),
        "{lines:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_closure_that_panics_before_it_has_a_future_is_the_same() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let (sender, mut heard) = mpsc::unbounded_channel();
    let _registration = informer.add_handler(move |event: Event<ConfigMap>| {
        assert!(!words(&event).contains("+a"), "a bug in a mapper");
        sender.send(words(&event)).unwrap();
        std::future::ready(())
    });
    watch.added(&map("c", "3"));
    assert_eq!(hear(&mut heard).await, ["+b@2", "added c@3"]);
    assert_eq!(cached(&informer), ["a@1", "b@2", "c@3"]);
}

#[tokio::test(start_paused = true)]
async fn what_was_missed_comes_again_with_the_next_resync() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let panics = Arc::new(AtomicBool::new(false));
    let options = HandlerOptions::new().resync(Duration::from_secs(10));
    let (_registration, mut heard) = nervous(&informer, options, &panics);
    hear(&mut heard).await;
    panics.store(true, Ordering::SeqCst);
    watch.modified(&map("a", "3"));
    watch.deleted(&map("b", "4"));
    settle().await;
    panics.store(false, Ordering::SeqCst);
    assert!(hear(&mut heard).await.is_empty());
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(
        hear(&mut heard).await,
        ["updated a@1 to a@3", "deleted b@4"],
        "deletions, too, which a resync does not know of"
    );
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(hear(&mut heard).await, ["resync a@3"]);
}

#[tokio::test(start_paused = true)]
async fn without_a_resync_it_comes_again_after_a_while() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let panics = Arc::new(AtomicBool::new(false));
    let (_registration, mut heard) = nervous(&informer, HandlerOptions::new(), &panics);
    hear(&mut heard).await;
    panics.store(true, Ordering::SeqCst);
    watch.deleted(&map("b", "4"));
    settle().await;
    panics.store(false, Ordering::SeqCst);
    // Any number of watches are opened meanwhile; only the handler matters.
    tokio::time::advance(Duration::from_secs(601)).await;
    assert_eq!(hear(&mut heard).await, ["deleted b@4"]);
}

#[tokio::test(start_paused = true)]
async fn ten_panics_in_a_row_are_too_many() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let informer = factory.informer::<ConfigMap>();
    let panics = Arc::new(AtomicBool::new(false));
    let (_registration, mut heard) = nervous(&informer, HandlerOptions::new(), &panics);
    let watch = serve(&informer, &mut api).await;
    hear(&mut heard).await;
    let mut version = 3;
    let mut events = async |count: u32, panic: bool| {
        panics.store(panic, Ordering::SeqCst);
        for _ in 0..count {
            watch.modified(&map("a", &version.to_string()));
            version += 1;
        }
        settle().await;
    };
    events(9, true).await;
    events(1, false).await;
    events(9, true).await;
    assert_eq!(factory.broken().now_or_never(), None, "not in a row");
    events(1, true).await;
    assert_eq!(
        factory.broken().now_or_never().unwrap(),
        "configmaps/v1: a handler has panicked 10 times in a row"
    );
}

/// Panics on the objects called `b`.
fn picky(map: &ConfigMap) {
    assert_ne!(map.metadata.name.as_deref(), Some("b"), "a bug");
}

#[tokio::test(start_paused = true)]
async fn a_transform_that_panics_leaves_one_object_out() {
    let (connection, mut api) = api();
    let metrics = Metrics::default();
    let factory = InformerFactory::builder(&connection)
        .transform::<ConfigMap>(|map| picky(map))
        .metrics(&metrics)
        .build();
    let informer = factory.informer::<ConfigMap>();
    let watch = serve(&informer, &mut api).await;
    assert_eq!(cached(&informer), ["a@1"]);
    let report = factory.sync_report();
    assert_eq!(report.results[0].outcome, SyncOutcome::Synced);
    assert_eq!(
        report.results[0].unreadable,
        ["default/b: the transform panics on it"]
    );
    watch.added(&map("c", "3"));
    watch.deleted(&map("b", "4"));
    settle().await;
    assert_eq!(cached(&informer), ["a@1", "c@3"]);
    assert!(factory.sync_report().results[0].unreadable.is_empty());
    let text = metrics.encode(Format::Prometheus);
    assert!(
        text.contains("informer_handler_panics_total{name=\"configmaps/v1\"} 2"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_index_function_that_panics_leaves_one_object_out() {
    let (connection, mut api) = api();
    let factory = InformerFactory::new(&connection);
    let informer = factory.informer::<ConfigMap>();
    let index = |map: &ConfigMap| {
        picky(map);
        vec!["all".to_owned()]
    };
    informer.add_index("early", index).unwrap();
    let watch = serve(&informer, &mut api).await;
    assert_eq!(cached(&informer), ["a@1"]);
    assert_eq!(
        factory.sync_report().results[0].unreadable,
        ["default/b: an index function panics on it"]
    );
    watch.modified(&map("a", "3"));
    settle().await;
    assert_eq!(cached(&informer), ["a@3"]);
    assert_eq!(informer.lister().by_index("early", "all").unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_index_that_is_added_late_leaves_out_what_it_panics_on() {
    let (connection, mut api) = api();
    let (informer, watch) = started(&connection, &mut api).await;
    let late = |map: &ConfigMap| {
        picky(map);
        vec!["all".to_owned()]
    };
    informer.add_index("late", late).unwrap();
    assert_eq!(cached(&informer), ["a@1", "b@2"]);
    assert_eq!(informer.lister().by_index("late", "all").unwrap().len(), 1);
    watch.deleted(&map("b", "3"));
    settle().await;
    assert_eq!(cached(&informer), ["a@1"]);
}

#[tokio::test(start_paused = true)]
async fn a_transform_that_panics_on_everything_is_broken() {
    let (connection, mut api) = api();
    let factory = InformerFactory::builder(&connection)
        .transform::<ConfigMap>(|_| panic!("a bug"))
        .build();
    let informer = factory.informer::<ConfigMap>();
    informer.start();
    let maps: Vec<_> = (1..=10)
        .map(|number| map(&format!("m{number}"), &number.to_string()))
        .collect();
    api.list(MAPS).await.items("10", &maps);
    assert_eq!(
        factory.broken().await,
        "configmaps/v1: the transform has panicked 10 times in a row"
    );
}
