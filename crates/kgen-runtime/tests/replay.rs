//! The guarantee of the fan-out, for any sequence of watch events: the events of a handler, replayed, give exactly the
//! content of the cache, and the cache equals a simple model. Then the same with real threads.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::{FutureExt, StreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kgen_runtime::informer::Feed;
use kgen_runtime::{Event, EventStream, Lister};
use kube::core::{ObjectMeta, Selector};
use kube::runtime::watcher;
use proptest::prelude::*;

type Key = (String, String);

/// The state of an object in the model, from which the whole object can be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seed {
    namespace: u8,
    name: u8,
    uid: u8,
    version: u8,
}

impl Seed {
    fn key(self) -> Key {
        (
            format!("namespace-{}", self.namespace),
            format!("name-{}", self.name),
        )
    }

    fn owners(self) -> BTreeSet<String> {
        // None, one or two owners, in any combination.
        (0..self.version % 3)
            .map(|number| format!("owner-{}", (self.version + number) % 4))
            .collect()
    }

    fn object(self) -> ConfigMap {
        let (namespace, name) = self.key();
        let owner = |uid| OwnerReference {
            uid,
            ..OwnerReference::default()
        };
        let metadata = ObjectMeta {
            namespace: Some(namespace),
            name: Some(name),
            uid: Some(format!("uid-{}", self.uid)),
            resource_version: Some(self.version.to_string()),
            owner_references: Some(self.owners().into_iter().map(owner).collect()),
            ..ObjectMeta::default()
        };
        ConfigMap {
            metadata,
            ..ConfigMap::default()
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Init,
    InitApply(Seed),
    InitDone,
    Apply(Seed),
    Delete(Seed),
    Subscribe,
    Unsubscribe(usize),
    Hear(usize, u8),
    AddIndex,
}

fn seeds() -> impl Strategy<Value = Seed> {
    let parts = (0..3u8, 0..4u8, 0..2u8, 0..12u8);
    parts.prop_map(|(namespace, name, uid, version)| Seed {
        namespace,
        name,
        uid,
        version,
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        1 => Just(Step::Init),
        5 => seeds().prop_map(Step::InitApply),
        1 => Just(Step::InitDone),
        6 => seeds().prop_map(Step::Apply),
        2 => seeds().prop_map(Step::Delete),
        1 => Just(Step::Subscribe),
        1 => (0..4usize).prop_map(Step::Unsubscribe),
        2 => (0..4usize, 0..9u8).prop_map(|(who, count)| Step::Hear(who, count)),
        1 => Just(Step::AddIndex),
    ];
    prop::collection::vec(step, 0..120)
}

/// The simple model: a map, and the keys that a list has not contained yet.
#[derive(Default)]
struct Model {
    objects: BTreeMap<Key, Seed>,
    unseen: BTreeSet<Key>,
}

impl Model {
    fn apply(&mut self, step: Step) {
        match step {
            Step::Init => self.unseen = self.objects.keys().cloned().collect(),
            Step::InitApply(seed) | Step::Apply(seed) => {
                self.unseen.remove(&seed.key());
                self.objects.insert(seed.key(), seed);
            }
            Step::InitDone => {
                for key in std::mem::take(&mut self.unseen) {
                    self.objects.remove(&key);
                }
            }
            Step::Delete(seed) => drop(self.objects.remove(&seed.key())),
            _ => {}
        }
    }

    fn select(&self, wanted: impl Fn(Seed) -> bool) -> Vec<ConfigMap> {
        self.objects
            .values()
            .copied()
            .filter(|seed| wanted(*seed))
            .map(Seed::object)
            .collect()
    }
}

/// The state that one listener derives from its events.
struct Listener {
    events: EventStream<ConfigMap>,
    replayed: BTreeMap<Key, Arc<ConfigMap>>,
    /// Whether it existed before the first list was complete.
    may_hear_initial: bool,
}

impl Listener {
    fn hear(&mut self, count: usize) {
        for _ in 0..count {
            let Some(Some(event)) = self.events.next().now_or_never() else {
                return;
            };
            replay(&mut self.replayed, event, |initial| {
                assert!(self.may_hear_initial || !initial)
            });
        }
    }
}

/// Applies an event, and checks that it is consistent with the earlier ones.
fn replay(objects: &mut BTreeMap<Key, Arc<ConfigMap>>, event: Event<ConfigMap>, check: impl FnOnce(bool)) {
    let meta = &event.object().metadata;
    let key = (meta.namespace.clone().unwrap(), meta.name.clone().unwrap());
    match event {
        Event::Added { object, initial } => {
            check(initial);
            assert!(objects.insert(key, object).is_none(), "added twice");
        }
        Event::Updated { old, new } => {
            let known = objects.insert(key, new).expect("updated what was never added");
            assert!(
                Arc::ptr_eq(&known, &old),
                "the old state is the one that was told before"
            );
        }
        Event::Deleted {
            object,
            final_state_known,
        } => {
            let known = objects.remove(&key).expect("deleted what was never added");
            assert!(
                final_state_known || Arc::ptr_eq(&known, &object),
                "of a lost object the last state is known"
            );
        }
    }
}

fn plain(objects: Vec<Arc<ConfigMap>>) -> Vec<ConfigMap> {
    objects.into_iter().map(Arc::unwrap_or_clone).collect()
}

/// Compares every way to read the cache with the model.
fn check_reads(lister: &Lister<ConfigMap>, model: &Model, is_indexed: bool) {
    let everything = Selector::default();
    assert_eq!(plain(lister.list(&everything)), model.select(|_| true));
    assert_eq!(lister.len(), model.objects.len());
    for number in 0..3 {
        let in_namespace = model.select(|seed| seed.namespace == number);
        assert_eq!(
            plain(lister.namespace(&format!("namespace-{number}")).list(&everything)),
            in_namespace
        );
    }
    for number in 0..4 {
        let owner = format!("owner-{number}");
        assert_eq!(
            plain(lister.by_owner(&owner)),
            model.select(|seed| seed.owners().contains(&owner))
        );
    }
    if is_indexed {
        for version in 0..12u8 {
            let with_version = model.select(|seed| seed.version == version);
            assert_eq!(
                plain(lister.by_index("version", &version.to_string()).unwrap()),
                with_version
            );
        }
    }
    for namespace in 0..3 {
        for name in 0..4 {
            let (namespace, name) = Seed {
                namespace,
                name,
                uid: 0,
                version: 0,
            }
            .key();
            let expected = model
                .objects
                .get(&(namespace.clone(), name.clone()))
                .copied()
                .map(Seed::object);
            assert_eq!(
                lister.get(Some(&namespace), &name).ok().map(Arc::unwrap_or_clone),
                expected
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_heard_replays_to_the_cache(steps in steps()) {
        let mut feed = Feed::new("configmaps");
        let lister = feed.lister();
        let mut model = Model::default();
        let mut listeners: Vec<Listener> = Vec::new();
        let (mut is_indexed, mut is_synced) = (false, false);
        for step in steps {
            match step {
                Step::Init => feed.apply(watcher::Event::Init),
                Step::InitApply(seed) => feed.apply(watcher::Event::InitApply(seed.object())),
                Step::InitDone => {
                    feed.apply(watcher::Event::InitDone);
                    is_synced = true;
                }
                Step::Apply(seed) => feed.apply(watcher::Event::Apply(seed.object())),
                Step::Delete(seed) => feed.apply(watcher::Event::Delete(seed.object())),
                Step::Subscribe => listeners.push(Listener {
                    events: feed.events(),
                    replayed: BTreeMap::new(),
                    may_hear_initial: !is_synced || !model.objects.is_empty(),
                }),
                Step::Unsubscribe(who) if who < listeners.len() => drop(listeners.remove(who)),
                Step::Hear(who, count) if who < listeners.len() => listeners[who].hear(usize::from(count)),
                Step::AddIndex if !is_indexed => {
                    let version = |map: &ConfigMap| map.metadata.resource_version.iter().cloned().collect();
                    feed.add_index("version", version).unwrap();
                    is_indexed = true;
                }
                Step::Unsubscribe(_) | Step::Hear(..) | Step::AddIndex => {}
            }
            model.apply(step);
            check_reads(&lister, &model, is_indexed);
        }
        let cached = lister.list(&Selector::default());
        for mut listener in listeners {
            listener.hear(usize::MAX);
            let replayed: Vec<_> = listener.replayed.into_values().collect();
            prop_assert_eq!(replayed.len(), cached.len());
            prop_assert!(replayed.iter().zip(&cached).all(|(replayed, cached)| Arc::ptr_eq(replayed, cached)));
            prop_assert_eq!(listener.events.sync_signal().is_set(), is_synced);
        }
    }
}

/// Returns an object of the threads below: object `number` of `COUNT`, in its state `version`.
fn numbered(number: u64, version: u64) -> ConfigMap {
    let mut map = ConfigMap::default();
    map.metadata.namespace = Some(format!("namespace-{}", number % 3));
    map.metadata.name = Some(format!("name-{number:03}"));
    map.metadata.resource_version = Some(version.to_string());
    map
}

#[test]
fn threads_hear_everything_and_read_one_state_at_a_time() {
    const COUNT: u64 = 50;
    const ROUNDS: u64 = 200;
    let mut feed = Feed::new("configmaps");
    // Update `v` changes object `v % COUNT`, so the versions in one state of the cache are `COUNT` consecutive numbers.
    for version in 0..COUNT {
        feed.apply(watcher::Event::Apply(numbered(version % COUNT, version)));
    }
    let is_over = AtomicBool::new(false);
    let lister = feed.lister();
    let feed = std::sync::Mutex::new(feed);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::SeqCst) {
                    let version = |map: &Arc<ConfigMap>| {
                        map.metadata.resource_version.as_ref().unwrap().parse().unwrap()
                    };
                    let versions: BTreeSet<u64> =
                        lister.list(&Selector::default()).iter().map(version).collect();
                    let (first, last) = (versions.first().unwrap(), versions.last().unwrap());
                    assert_eq!(
                        (versions.len() as u64, last - first),
                        (COUNT, COUNT - 1),
                        "a torn read"
                    );
                }
            });
        }
        let listeners: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut heard = Vec::new();
                    while !is_over.load(Ordering::SeqCst) {
                        // Subscribes in the middle, listens for a while, and unsubscribes.
                        let mut events = feed.lock().unwrap().events();
                        let mut replayed = BTreeMap::new();
                        for _ in 0..500 {
                            match events.next().now_or_never() {
                                Some(Some(event)) => replay(&mut replayed, event, |_| ()),
                                _ => std::thread::yield_now(),
                            }
                        }
                        assert_eq!(replayed.len() as u64, COUNT);
                        heard.push(events);
                        if heard.len() > 4 {
                            heard.clear();
                        }
                    }
                })
            })
            .collect();
        let mut first = feed.lock().unwrap().events();
        for version in COUNT..COUNT * ROUNDS {
            feed.lock()
                .unwrap()
                .apply(watcher::Event::Apply(numbered(version % COUNT, version)));
        }
        is_over.store(true, Ordering::SeqCst);
        for listener in listeners {
            listener.join().unwrap();
        }
        let mut replayed = BTreeMap::new();
        while let Some(Some(event)) = first.next().now_or_never() {
            replay(&mut replayed, event, |_| ());
        }
        let cached = lister.list(&Selector::default());
        assert!(
            replayed
                .into_values()
                .zip(&cached)
                .all(|(replayed, cached)| Arc::ptr_eq(&replayed, cached))
        );
    });
}
