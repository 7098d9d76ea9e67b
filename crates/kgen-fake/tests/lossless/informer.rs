//! An informer shows what the server has, and its events lead to the same.

use std::collections::BTreeMap;
use std::future::ready;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use k8s_openapi::api::core::v1::ConfigMap;
use kgen_fake::Cluster;
use kgen_runtime::{Connection, Event, InformerFactory};
use kube::core::Selector;

use crate::faults::{FAULTS, change_with, named, prepare, stored};

#[tokio::test(start_paused = true)]
async fn an_informer_loses_nothing() {
    for (name, inject) in FAULTS {
        let cluster = Cluster::new().start();
        prepare(&cluster);
        let factory = InformerFactory::new(&Connection::new(cluster.client()));
        let informer = factory.informer::<ConfigMap>();
        let seen = Arc::new(Mutex::new(BTreeMap::new()));
        let _handler = informer.add_handler({
            let seen = Arc::clone(&seen);
            move |event| {
                let (name, version) = named(event.object());
                let mut seen = seen.lock().unwrap();
                match event {
                    Event::Deleted { .. } => seen.remove(&name),
                    _ => seen.insert(name, version),
                };
                ready(())
            }
        });
        factory.start();
        factory.wait_for_sync().await;
        change_with(&cluster, *inject).await;
        cluster.advance(Duration::from_secs(600)).await;

        let expected = stored(&cluster);
        assert!(!expected.is_empty());
        let mut cached: Vec<_> = informer
            .lister()
            .list(&Selector::default())
            .iter()
            .map(|map| named(map))
            .collect();
        cached.sort();
        assert_eq!(cached, expected, "the cache after {name}");
        let told: Vec<_> = seen.lock().unwrap().clone().into_iter().collect();
        assert_eq!(told, expected, "the events after {name}");
        factory.shutdown().await;
    }
}
