//! Each fault of the cluster, once.

use std::time::Duration;

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_fake::{Cluster, Verb};
use serde_json::json;

/// The number of objects that change.
const OBJECTS: usize = 12;

/// Injects a fault before the objects change.
pub type Inject = fn(&Cluster);

/// All faults. The reads of informers and the writes of controllers get them.
pub const FAULTS: &[(&str, Inject)] = &[
    ("none", |_| ()),
    ("conflict", |cluster| {
        cluster.faults().on_any("*").every(2).times(20).conflict()
    }),
    ("fail 500", |cluster| {
        cluster.faults().on_any("*").every(2).times(20).fail(500)
    }),
    ("fail 503", |cluster| {
        cluster.faults().on_any("*").times(5).fail(503)
    }),
    ("refuse 429", |cluster| {
        cluster.faults().on_any("*").every(3).times(20).refuse(429)
    }),
    ("delay", |cluster| {
        let delay = Duration::from_secs(7);
        cluster.faults().on_any("*").every(2).times(20).delay(delay);
    }),
    ("lose_answer", |cluster| {
        cluster.faults().on_any("*").every(2).times(20).lose_answer()
    }),
    ("lists fail", |cluster| {
        cluster.faults().compact();
        cluster.faults().on(Verb::List, "configmaps").times(3).fail(500);
        cluster.faults().drop_watches();
    }),
    ("watches fail", |cluster| {
        cluster.faults().on(Verb::Watch, "configmaps").times(5).fail(500);
        cluster.faults().drop_watches();
    }),
    ("drop_watches", |cluster| cluster.faults().drop_watches()),
    ("compact", |cluster| {
        cluster.faults().compact();
        cluster.faults().drop_watches();
    }),
    ("unavailable", |cluster| {
        cluster.faults().unavailable(Duration::from_secs(90))
    }),
    ("hold", |cluster| {
        let held = cluster.faults().on(Verb::Watch, "configmaps").hold();
        cluster.faults().drop_watches();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(60)).await;
            held.release();
        });
    }),
];

fn map(name: &str, value: usize) -> ConfigMap {
    serde_json::from_value(json!({
        "metadata": { "name": name, "namespace": "default" },
        "data": { "value": value.to_string() },
    }))
    .unwrap()
}

/// Creates the first objects.
pub fn prepare(cluster: &Cluster) {
    for number in 0..OBJECTS {
        cluster.put(&typed(&map(&format!("map-{number}"), 0)));
    }
}

fn typed(map: &ConfigMap) -> serde_json::Value {
    let mut value = serde_json::to_value(map).unwrap();
    value["apiVersion"] = json!("v1");
    value["kind"] = json!("ConfigMap");
    value
}

/// Changes a third of the objects, deletes a third and creates others, one every second. The fault hits in between, and once
/// more when watches are back.
pub async fn change_with(cluster: &Cluster, inject: Inject) {
    let maps: kube::Api<ConfigMap> = kube::Api::namespaced(cluster.admin(), "default");
    for number in 0..OBJECTS {
        if number == 2 || number == OBJECTS / 2 {
            inject(cluster);
        }
        let name = format!("map-{number}");
        match number % 3 {
            0 => cluster.put(&typed(&map(&name, 1))),
            1 => delete(cluster, &maps, &name).await,
            _ => cluster.put(&typed(&map(&format!("new-{number}"), 2))),
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Deletes an object as soon as the server accepts it: the administrator gets faults too.
async fn delete(cluster: &Cluster, maps: &kube::Api<ConfigMap>, name: &str) {
    while cluster.get::<ConfigMap>("default", name).is_some() {
        let _ = maps.delete(name, &kube::api::DeleteParams::default()).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// The objects that exist, with their versions.
pub fn stored(cluster: &Cluster) -> Vec<(String, String)> {
    let maps = cluster.list::<ConfigMap>();
    maps.iter().map(|map| named(map)).collect()
}

/// The name and the version of an object.
pub fn named(map: &ConfigMap) -> (String, String) {
    let metadata = &map.metadata;
    (
        metadata.name.clone().unwrap(),
        metadata.resource_version.clone().unwrap(),
    )
}
