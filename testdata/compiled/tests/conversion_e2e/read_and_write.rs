//! Objects that are written in one version and read in another one.

use futures::StreamExt;
use kube::api::{Patch, PatchParams, WatchEvent, WatchParams};
use serde_json::json;

use crate::cluster::{CRD, Cluster, Outcome, VERSIONS, new_spec, newest_spec, old_spec, storing};

pub async fn objects_are_the_same_in_every_version() -> Outcome {
    for stored in VERSIONS {
        let (cluster, server) = Cluster::start(storing(stored)).await?;
        cluster.create("v1", "a", old_spec()).await?;
        let status = json!({"status": {"replicas": 2}});
        let boats = cluster.boats("v1");
        boats
            .patch_status("a", &PatchParams::default(), &Patch::Merge(status))
            .await?;
        let expected = [
            (old_spec(), json!({"replicas": 2})),
            (new_spec(), json!({"readyReplicas": 2})),
            (newest_spec(), json!({"readyReplicas": 2})),
        ];
        for (version, (spec, status)) in VERSIONS.iter().zip(expected) {
            let found = cluster.get(version, "a").await?;
            assert_eq!(found["spec"], spec, "{version}, stored as {stored}");
            assert_eq!(found["status"], status, "{version}, stored as {stored}");
        }
        cluster.create("v3", "b", newest_spec()).await?;
        assert_eq!(cluster.get("v3", "b").await?["spec"], newest_spec());
        assert_eq!(cluster.get("v1", "b").await?["spec"]["memory"], "1073741824");
        cluster.stop(server).await?;
    }
    Ok(())
}

pub async fn an_update_keeps_the_values_of_other_versions() -> Outcome {
    let (cluster, server) = Cluster::start(CRD.to_owned()).await?;
    cluster.create("v2", "a", new_spec()).await?;
    let own = json!({"spec": {
        "strategy": "Canary",
        "priority": 9,
        "ports": [{"name": "http", "number": 80, "protocol": "TCP"}],
    }});
    cluster.merge("v2", "a", own).await?;

    let mut old = cluster.boats("v1").get("a").await?;
    assert_eq!(old.data["spec"]["strategy"], "Rolling");
    old.data["spec"]["size"] = json!(7);
    cluster
        .boats("v1")
        .replace("a", &Default::default(), &old)
        .await?;
    let new = cluster.get("v2", "a").await?;
    assert_eq!(new["spec"]["replicas"], 7);
    assert_eq!(new["spec"]["strategy"], "Canary");
    assert_eq!(new["spec"]["priority"], 9);
    assert_eq!(new["spec"]["ports"][0]["protocol"], "TCP");

    // An edit of the same value wins.
    cluster
        .merge("v1", "a", json!({"spec": {"strategy": "Recreate"}}))
        .await?;
    let new = cluster.get("v2", "a").await?;
    assert_eq!(new["spec"]["strategy"], "Recreate");
    assert_eq!(new["spec"]["priority"], 9);
    cluster.stop(server).await
}

pub async fn a_watch_shows_writes_of_other_versions() -> Outcome {
    let (cluster, server) = Cluster::start(CRD.to_owned()).await?;
    let created = cluster.create("v1", "a", old_spec()).await?;
    let start = created["metadata"]["resourceVersion"]
        .as_str()
        .unwrap()
        .to_owned();
    let boats = cluster.boats("v1");
    let events = boats.watch(&WatchParams::default(), &start).await?;
    let mut events = Box::pin(events);
    for replicas in [4, 5, 6] {
        cluster
            .merge("v2", "a", json!({"spec": {"replicas": replicas}}))
            .await?;
        match events.next().await {
            Some(Ok(WatchEvent::Modified(boat))) => {
                let mut expected = old_spec();
                expected["size"] = json!(replicas);
                assert_eq!(boat.data["spec"], expected);
            }
            other => panic!("{other:?}"),
        }
    }
    drop(events);
    cluster.stop(server).await
}
