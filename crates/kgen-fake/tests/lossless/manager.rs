//! A manager copies ConfigMaps to Secrets. In the end there is exactly one Secret per ConfigMap, with its data.

use std::time::Duration;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kgen_fake::Cluster;
use kgen_runtime::manager::{Controller, Manager, ManagerError, Next, ObjectKey, Reconciler};
use kgen_runtime::shutdown::Shutdown;
use kgen_runtime::{Connection, Handle, Lister};
use kube::ResourceExt;
use kube::api::{DeleteParams, Patch};
use serde_json::json;

use crate::faults::{FAULTS, change_with, prepare};

struct Copier {
    connection: Connection,
    maps: Lister<ConfigMap>,
    /// Whether a copy is garbage without its original.
    owns: bool,
}

impl Reconciler for Copier {
    type Error = kgen_runtime::Error;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let namespace = key.namespace.as_deref().unwrap_or_default();
        let secrets = Handle::<Secret>::namespaced(&self.connection, namespace);
        match self.maps.get(Some(namespace), &key.name) {
            Ok(map) => {
                let owner = json!([{
                    "apiVersion": "v1", "kind": "ConfigMap", "name": key.name, "uid": map.metadata.uid,
                }]);
                let copy = json!({
                    "apiVersion": "v1", "kind": "Secret",
                    "metadata": {
                        "name": key.name,
                        "ownerReferences": if self.owns { owner } else { json!([]) },
                    },
                    "stringData": map.data,
                });
                secrets.patch(&key.name, &Patch::Apply(copy)).await?;
            }
            Err(error) if error.is_not_found() => {
                match secrets.delete(&key.name, &DeleteParams::default()).await {
                    Err(error) if !error.is_not_found() => return Err(error),
                    _ => {}
                }
            }
            Err(error) => return Err(error),
        }
        Ok(Next::AwaitChange)
    }
}

#[tokio::test(start_paused = true)]
async fn a_manager_loses_nothing() {
    for (name, inject) in FAULTS {
        let cluster = Cluster::new().start();
        prepare(&cluster);
        let shutdown = Shutdown::default();
        let stop = shutdown.token();
        let manager = manager(&cluster, false);
        let running = tokio::spawn(async move { manager.run(&shutdown).await });
        cluster.advance(Duration::from_secs(30)).await;
        change_with(&cluster, *inject).await;
        cluster.advance(Duration::from_secs(600)).await;

        assert_eq!(copies(&cluster), originals(&cluster), "after {name}");
        assert!(!running.is_finished(), "the manager works after {name}");
        stop.cancel();
        running.await.unwrap().unwrap();
    }
}

/// A leader that cannot renew its lease ends, as does a replica that cannot fill its caches. Then its process starts again.
#[tokio::test(start_paused = true)]
async fn a_leader_loses_nothing() {
    // The lease is not renewed in time if the server is gone, and it surely is if no fault concerns it. Otherwise it is a
    // matter of luck: the retries of all clients take part in the faults, and their delays are random.
    let never_ends = [
        "none",
        "lists fail",
        "watches fail",
        "drop_watches",
        "compact",
        "hold",
    ];
    let surely_ends = ["unavailable"];
    for (name, inject) in FAULTS {
        let cluster = Cluster::new().start();
        prepare(&cluster);
        let shutdown = Shutdown::default();
        let stop = shutdown.token();
        let running = tokio::spawn({
            let cluster = cluster.clone();
            async move {
                let mut starts = 1;
                while let Err(error) = manager(&cluster, true).run(&shutdown).await {
                    let is_expected = matches!(error, ManagerError::LostLease | ManagerError::NotSynced(_));
                    assert!(is_expected, "{error}");
                    starts += 1;
                }
                starts
            }
        });
        cluster.advance(Duration::from_secs(30)).await;
        change_with(&cluster, *inject).await;
        cluster.advance(Duration::from_secs(600)).await;

        // The copies of maps that were deleted between two leaders are garbage.
        assert_eq!(copies(&cluster), originals(&cluster), "after {name}");
        stop.cancel();
        let starts = running.await.unwrap();
        assert!(
            starts == 1 || !never_ends.contains(name),
            "{starts} starts after {name}"
        );
        assert!(
            starts > 1 || !surely_ends.contains(name),
            "one start after {name}"
        );
    }
}

/// A manager that copies all maps.
fn manager(cluster: &Cluster, leads: bool) -> Manager {
    let builder = Manager::builder("copier").leader_election(leads);
    let mut manager = builder.with_client(cluster.client(), "default");
    let maps = manager.informers().informer::<ConfigMap>();
    let copier = Copier {
        connection: manager.connection().clone(),
        maps: maps.lister(),
        owns: leads,
    };
    let controller = Controller::new(&manager, "copier", copier).watch(&maps);
    manager.add(controller);
    manager
}

fn originals(cluster: &Cluster) -> Vec<(String, String)> {
    let maps = cluster.list::<ConfigMap>();
    maps.iter()
        .map(|map| (map.name_any(), map.data.clone().unwrap()["value"].clone()))
        .collect()
}

fn copies(cluster: &Cluster) -> Vec<(String, String)> {
    let secrets = cluster.list::<Secret>();
    secrets
        .iter()
        .map(|secret| {
            let value = secret.data.as_ref().unwrap()["value"].0.clone();
            (secret.name_any(), String::from_utf8(value).unwrap())
        })
        .collect()
}
