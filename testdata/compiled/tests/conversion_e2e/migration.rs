//! Storage migrations that are killed, and objects that cannot be migrated.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures::FutureExt;
use k8s_openapi::api::admissionregistration::v1::{
    ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding,
};
use kgen_runtime::migration::{MigrationError, StorageMigration};
use kube::api::{ListParams, PostParams};
use kube::{Api, ResourceExt};
use serde_json::{Value, json};

use crate::api::v2::Boat;
use crate::cluster::{Cluster, Outcome, VERSIONS, name, new_spec, old_spec, storing, until_rejected};

/// Returns the number of objects. `KGEN_MIGRATION_OBJECTS=10000` takes several minutes more.
fn number_of_objects() -> usize {
    let number = std::env::var("KGEN_MIGRATION_OBJECTS");
    number.map_or(2_000, |number| number.parse().unwrap())
}

fn versions_of(objects: &[Value]) -> BTreeSet<&str> {
    objects
        .iter()
        .map(|object| object["apiVersion"].as_str().unwrap())
        .collect()
}

async fn stored_versions(cluster: &Cluster) -> Outcome<Value> {
    let definition = cluster.definitions().get("boats.example.com").await?;
    Ok(definition.data["status"]["storedVersions"].clone())
}

/// Returns whether an object has kept values of `v1`.
fn has_kept_values(object: &Value) -> bool {
    object["metadata"]["annotations"]
        .get("example.com/conversion-v1")
        .is_some()
}

pub async fn a_migration_can_be_killed_at_any_moment() -> Outcome {
    let objects = number_of_objects();
    let (cluster, server) = Cluster::start(storing("v1")).await?;
    // In the version that is stored, a create needs fewer conversions.
    cluster.create_many("v1", 0..objects / 2).await?;
    cluster.store("v2").await?;
    cluster.create_many("v2", objects / 2..objects).await?;
    let stored = cluster.stored().await?;
    assert_eq!(versions_of(&stored), ["example.com/v1", "example.com/v2"].into());
    // Half of the objects are stored in each version, and all lists are complete and equal.
    let expected: Vec<i64> = (0..).take(objects).collect();
    for version in VERSIONS {
        assert_eq!(cluster.sizes(version).await?, expected, "{version}");
    }

    let is_done = AtomicBool::new(false);
    let write = async {
        let mut note = 0;
        while !is_done.load(Ordering::SeqCst) {
            let patch = json!({"spec": {"note": note.to_string()}});
            cluster.merge("v1", &name(note % objects), patch).await?;
            note += 1;
        }
        Outcome::Ok(())
    };
    let migrate = async {
        // Each attempt is dropped as soon as some objects are migrated.
        for migrated in [1, objects / 4] {
            let running = tokio::spawn(StorageMigration::of::<Boat>(cluster.client.clone()).run());
            loop {
                let stored = cluster.stored().await?;
                let new = stored
                    .iter()
                    .filter(|object| object["apiVersion"] == "example.com/v2");
                if new.count() >= objects / 2 + migrated {
                    break;
                }
            }
            running.abort();
            let _ = running.await;
        }
        let report = StorageMigration::of::<Boat>(cluster.client.clone()).run().await?;
        assert!(report.removed_versions.len() <= 1, "{report:?}");
        is_done.store(true, Ordering::SeqCst);
        Outcome::Ok(())
    };
    let (written, migrated) =
        futures::future::join(write, migrate.inspect(|_| is_done.store(true, Ordering::SeqCst))).await;
    written?;
    migrated?;
    assert_eq!(versions_of(&cluster.stored().await?), ["example.com/v2"].into());
    assert_eq!(stored_versions(&cluster).await?, json!(["v2"]));
    for version in VERSIONS {
        assert_eq!(cluster.sizes(version).await?, expected, "{version}");
    }

    // The old version is used until the end. It is no longer served then, and its managers are removed.
    cluster.apply("v1", "somebody", "applied", old_spec()).await?;
    cluster
        .redefine(|spec| spec["versions"][0]["served"] = json!(false))
        .await?;
    let report = StorageMigration::of::<Boat>(cluster.client.clone()).run().await?;
    assert!(report.migrated > 0, "{report:?}");
    cluster
        .redefine(|spec| {
            let versions = spec["versions"].as_array_mut().unwrap();
            versions.retain(|version| version["name"] != "v1");
        })
        .await?;
    until_rejected(async || cluster.get("v1", "applied").await).await?;
    // Applying works, also for the manager that used the old version.
    let priority = json!({"priority": 7});
    let applied = cluster.apply("v2", "another", "applied", priority).await?;
    assert_eq!(applied["spec"]["priority"], 7);
    assert_eq!(applied["spec"]["replicas"], 3);
    let mut spec = new_spec();
    spec.as_object_mut().unwrap().remove("priority");
    cluster.apply("v2", "somebody", "applied", spec).await?;
    assert_eq!(cluster.sizes("v3").await?.len(), objects + 1);

    // Nothing can restore the values of a version that is gone.
    assert!(cluster.stored().await?.iter().any(has_kept_values));
    let report = StorageMigration::of::<Boat>(cluster.client.clone()).run().await?;
    assert!(report.migrated > 0, "{report:?}");
    assert!(!cluster.stored().await?.iter().any(has_kept_values));
    let report = StorageMigration::of::<Boat>(cluster.client.clone()).run().await?;
    assert_eq!(report.migrated, 0);
    cluster.stop(server).await
}

pub async fn a_migration_names_the_objects_that_were_refused() -> Outcome {
    let (cluster, server) = Cluster::start(storing("v1")).await?;
    cluster.create_many("v1", 0..20).await?;
    cluster.create("v1", "stubborn", old_spec()).await?;
    cluster.store("v2").await?;
    let policies: Api<ValidatingAdmissionPolicy> = Api::all(cluster.client.clone());
    let policy = json!({
        "metadata": {"name": "stubborn"},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "apiGroups": ["example.com"], "apiVersions": ["*"], "resources": ["boats"], "operations": ["UPDATE"],
            }]},
            "validations": [{"expression": "object.metadata.name != 'stubborn'", "message": "stays as it is"}],
        },
    });
    policies
        .create(&PostParams::default(), &serde_json::from_value(policy)?)
        .await?;
    let bindings: Api<ValidatingAdmissionPolicyBinding> = Api::all(cluster.client.clone());
    let binding = json!({
        "metadata": {"name": "stubborn"},
        "spec": {"policyName": "stubborn", "validationActions": ["Deny"]},
    });
    bindings
        .create(&PostParams::default(), &serde_json::from_value(binding)?)
        .await?;
    // The policy is in effect as soon as it refuses something; until then the object is written in `v1` again and again.
    let attempt = AtomicUsize::new(0);
    until_rejected(async || {
        let label = attempt.fetch_add(1, Ordering::SeqCst).to_string();
        let touch = json!({"metadata": {"labels": {"attempt": label}}});
        cluster.merge("v2", "stubborn", touch).await
    })
    .await?;

    let before = traces(&cluster).await?;
    assert_eq!(before.len(), 21);
    for (name, annotations, managers) in &before {
        assert!(
            annotations.contains("example.com/conversion-v1"),
            "{name}: {annotations}"
        );
        assert!(managers.contains("example.com/v1"), "{name}: {managers}");
    }
    is_refused(&cluster).await?;
    assert_eq!(stored_versions(&cluster).await?, json!(["v1", "v2"]));
    assert_eq!(traces(&cluster).await?, before);

    // The managers of a version that is not served are removed, but not those of the object that was refused.
    cluster
        .redefine(|spec| spec["versions"][0]["served"] = json!(false))
        .await?;
    is_refused(&cluster).await?;
    assert_eq!(stored_versions(&cluster).await?, json!(["v1", "v2"]));
    for ((name, annotations, managers), before) in traces(&cluster).await?.iter().zip(&before) {
        assert_eq!(*annotations, before.1, "{name}");
        assert_eq!(
            managers.contains("example.com/v1"),
            name == "stubborn",
            "{name}: {managers}"
        );
    }
    cluster.stop(server).await
}

/// Migrates, and expects that one object is refused.
async fn is_refused(cluster: &Cluster) -> Outcome {
    let failed = StorageMigration::of::<Boat>(cluster.client.clone()).run().await;
    match failed {
        Err(MigrationError::Refused { objects, .. }) => {
            let names: Vec<&str> = objects.iter().map(|object| object.name.as_str()).collect();
            assert_eq!(names, ["default/stubborn"]);
            assert!(objects[0].reason.contains("stays as it is"), "{objects:?}");
            Ok(())
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the name, annotations and managed fields of all objects.
async fn traces(cluster: &Cluster) -> Outcome<Vec<(String, String, String)>> {
    let list = cluster.boats("v2").list(&ListParams::default()).await?;
    let traces = list.items.iter().map(|boat| {
        let metadata = json!(boat.metadata);
        let text = |name: &str| metadata[name].to_string();
        (boat.name_any(), text("annotations"), text("managedFields"))
    });
    Ok(traces.collect())
}
