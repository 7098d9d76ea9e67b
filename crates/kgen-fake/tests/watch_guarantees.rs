//! A watch tells every change once, whatever happens and however slowly the client reads.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::collections::BTreeMap;

use futures::TryStreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kgen_fake::Cluster;
use kube::Api;
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use proptest::prelude::*;
use serde_json::json;

/// A write to one of three objects.
#[derive(Clone, Debug)]
enum Write {
    Create(u8),
    Change(u8, u8),
    Delete(u8),
    /// Reads the events so far.
    Read,
}

fn writes() -> impl Strategy<Value = Vec<Write>> {
    let one = prop_oneof![
        (0..3_u8).prop_map(Write::Create),
        (0..3_u8, 0..4_u8).prop_map(|(name, value)| Write::Change(name, value)),
        (0..3_u8).prop_map(Write::Delete),
        Just(Write::Read),
    ];
    prop::collection::vec(one, 0..40)
}

type Seen = BTreeMap<String, Option<BTreeMap<String, String>>>;

async fn follow(writes: &[Write], selector: Option<&str>) {
    let cluster = Cluster::new().start();
    let maps: Api<ConfigMap> = Api::namespaced(cluster.client(), "default");
    let mut parameters = WatchParams::default().timeout(5).disable_bookmarks();
    let mut list = ListParams::default();
    if let Some(selector) = selector {
        parameters = parameters.labels(selector);
        list = list.labels(selector);
    }
    let version = maps.list(&list).await.unwrap().metadata.resource_version.unwrap();
    let watch = maps.watch(&parameters, &version).await.unwrap();
    for write in writes {
        let name = |number: &u8| format!("m{number}");
        let labels = |value: u8| json!({"value": value.to_string()});
        match write {
            Write::Create(number) => {
                let map =
                    json!({"metadata": {"name": name(number), "labels": labels(0)}, "data": {"n": "0"}});
                let map: ConfigMap = serde_json::from_value(map).unwrap();
                let _ = maps.create(&PostParams::default(), &map).await;
            }
            Write::Change(number, value) => {
                let patch = json!({"metadata": {"labels": labels(*value)}, "data": {"n": value.to_string()}});
                let _ = maps
                    .patch(&name(number), &PatchParams::default(), &Patch::Merge(patch))
                    .await;
            }
            Write::Delete(number) => {
                let _ = maps.delete(&name(number), &DeleteParams::default()).await;
            }
            Write::Read => tokio::task::yield_now().await,
        }
    }
    let events: Vec<WatchEvent<ConfigMap>> = watch.try_collect().await.unwrap();
    let mut seen: BTreeMap<String, ConfigMap> = BTreeMap::new();
    let mut last = version.parse::<u64>().unwrap();
    for event in events {
        let (object, kind) = match event {
            WatchEvent::Added(object) => (object, "added"),
            WatchEvent::Modified(object) => (object, "modified"),
            WatchEvent::Deleted(object) => (object, "deleted"),
            other => panic!("{other:?}"),
        };
        let version: u64 = object
            .metadata
            .resource_version
            .as_ref()
            .unwrap()
            .parse()
            .unwrap();
        assert!(version > last, "events are ordered, and none is sent twice");
        last = version;
        let name = object.metadata.name.clone().unwrap();
        let known = seen.contains_key(&name);
        assert_eq!(known, kind != "added", "{kind} {name}");
        if kind == "deleted" {
            seen.remove(&name);
        } else {
            seen.insert(name, object);
        }
    }
    let listed = maps.list(&list).await.unwrap().items;
    let data = |maps: Vec<ConfigMap>| -> Seen {
        let entries = maps.into_iter().map(|map| (map.metadata.name.unwrap(), map.data));
        entries.collect()
    };
    assert_eq!(data(seen.into_values().collect()), data(listed));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn events_lead_to_the_state_of_a_list(writes in writes()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(follow(&writes, None));
        runtime.block_on(follow(&writes, Some("value in (0,2)")));
    }
}
