//! Objects, annotations and translations that are not as they should be. All objects remain readable.

use k8s_openapi::api::core::v1::Namespace;
use kgen_testenv::{Component, ControlPlane};
use kube::Api;
use kube::api::{DeleteParams, ListParams, PostParams};
use serde_json::{Value, json};

use crate::cluster::{CRD, Cluster, Outcome, VERSIONS, new_spec, object, old_spec, until_rejected};

pub async fn broken_annotations_are_dropped() -> Outcome {
    let (cluster, server) = Cluster::start(CRD.to_owned()).await?;
    let bomb = "[".repeat(10_000);
    let annotations = [
        ("unreadable", "}{"),
        ("nested", bomb.as_str()),
        ("another-form", r#"{"spec": {"note": "x"}}"#),
        ("unknown-field", r#"[{"at":["spec","captain"],"is":"x"}]"#),
        ("wrong-type", r#"[{"at":["spec","note"],"is":{"a":1}}]"#),
        (
            "metadata",
            r#"[{"at":["metadata","name"],"was":"metadata","is":"x"}]"#,
        ),
        ("status", r#"[{"at":["status","replicas"],"is":"many"}]"#),
    ];
    for (name, annotation) in annotations {
        let mut boat = object("v2", name, new_spec());
        boat["metadata"]["annotations"] = json!({"example.com/conversion-v1": annotation});
        let boat = serde_json::from_value(boat)?;
        cluster.boats("v2").create(&PostParams::default(), &boat).await?;
        let found = cluster.get("v1", name).await?;
        let mut expected = old_spec();
        expected["memory"] = json!("1073741824");
        expected.as_object_mut().unwrap().remove("note");
        assert_eq!(found["spec"], expected, "{name}");
        assert_eq!(found["metadata"]["name"], name);
        assert_eq!(found["status"], Value::Null, "{name}");
    }
    for version in VERSIONS {
        let list = cluster.boats(version).list(&ListParams::default()).await?;
        assert_eq!(list.items.len(), annotations.len(), "{version}");
    }
    // A forged value that fits its schema is a note, and nothing else.
    let mut boat = object("v2", "forged", new_spec());
    boat["metadata"]["annotations"] =
        json!({"example.com/conversion-v1": r#"[{"at":["spec","note"],"is":"forged"}]"#});
    let boat = serde_json::from_value(boat)?;
    cluster.boats("v2").create(&PostParams::default(), &boat).await?;
    assert_eq!(cluster.get("v1", "forged").await?["spec"]["note"], "forged");
    cluster.stop(server).await
}

pub async fn a_translation_that_panics_keeps_its_sources() -> Outcome {
    let (cluster, server) = Cluster::start(CRD.to_owned()).await?;
    let mut spec = old_spec();
    spec["memory"] = json!("panic");
    cluster.create("v1", "a", spec.clone()).await?;
    assert_eq!(cluster.get("v1", "a").await?["spec"], spec);
    let found = cluster.get("v2", "a").await?;
    assert_eq!(found["spec"]["memoryBytes"], Value::Null);
    assert_eq!(found["spec"]["replicas"], 3);
    cluster
        .merge("v2", "a", json!({"spec": {"memoryBytes": 5}}))
        .await?;
    assert_eq!(cluster.get("v1", "a").await?["spec"]["memory"], "5");
    let metrics = cluster.metrics();
    let counted = metrics
        .lines()
        .any(|line| line.starts_with("kgen_conversion_untranslated_total{") && !line.ends_with(" 0"));
    assert!(counted, "{metrics}");
    cluster.stop(server).await
}

pub async fn an_invalid_object_makes_nothing_unreadable() -> Outcome {
    let builder = ControlPlane::builder().with(Component::ControllerManager);
    let strict = ["format: int32", "maximum: 65535", "minimum: 0", "type: integer"]
        .map(|line| format!("                {line}\n"));
    let loose = CRD.replace(
        &strict.concat(),
        "                x-kubernetes-int-or-string: true\n",
    );
    assert_ne!(loose, CRD, "the schema of `port` has another form");
    let (cluster, server) = Cluster::start_with(builder, loose).await?;
    let namespaces: Api<Namespace> = Api::all(cluster.client.clone());
    let namespace = serde_json::from_value(json!({"metadata": {"name": "harbor"}}))?;
    namespaces.create(&PostParams::default(), &namespace).await?;
    for number in 0..1_000 {
        let mut spec = new_spec();
        if number == 42 {
            spec["port"] = json!("not a number");
        }
        let boat = serde_json::from_value(object("v2", &format!("boat-{number}"), spec))?;
        let boats = cluster.boats_in("harbor", "v2");
        boats.create(&PostParams::default(), &boat).await?;
    }
    cluster
        .redefine(|spec| {
            for version in spec["versions"].as_array_mut().unwrap() {
                let port = "/schema/openAPIV3Schema/properties/spec/properties/port";
                if let Some(port) = version.pointer_mut(port) {
                    *port = json!({"type": "integer", "format": "int32", "minimum": 0, "maximum": 65535});
                }
            }
        })
        .await?;
    let mut invalid = object("v2", "invalid", new_spec());
    invalid["spec"]["port"] = json!("not a number");
    let invalid = serde_json::from_value(invalid)?;
    let trial = PostParams {
        dry_run: true,
        ..PostParams::default()
    };
    until_rejected(async || cluster.boats("v2").create(&trial, &invalid).await).await?;
    for version in VERSIONS {
        let list = cluster
            .boats_in("harbor", version)
            .list(&ListParams::default())
            .await?;
        assert_eq!(list.items.len(), 1_000, "{version}");
        cluster.boats_in("harbor", version).get("boat-42").await?;
    }
    namespaces.delete("harbor", &DeleteParams::default()).await?;
    while namespaces.get_opt("harbor").await?.is_some() {}
    cluster.stop(server).await
}
