//! Server-side apply in several versions. For it, the API server converts objects without the fields of a manager.

use serde_json::{Value, json};

use crate::cluster::{CRD, Cluster, Outcome, new_spec, old_spec, until_accepted};
use crate::strict::StrictServer;

/// Returns the fields that a manager owns, as paths, and checks that no manager owns a kept value.
fn owned(object: &Value, manager: &str) -> Vec<String> {
    let entries = object["metadata"]["managedFields"].as_array().unwrap();
    let mut paths = Vec::new();
    for entry in entries {
        let mut found = Vec::new();
        leaves(&entry["fieldsV1"], "", &mut found);
        let kept = found.iter().find(|path| path.contains("conversion-"));
        assert_eq!(kept, None, "{entry}");
        if entry["manager"] == manager {
            paths.extend(found);
        }
    }
    paths.sort();
    paths
}

fn leaves(fields: &Value, path: &str, found: &mut Vec<String>) {
    let Some(entries) = fields.as_object().filter(|entries| !entries.is_empty()) else {
        found.push(path.to_owned());
        return;
    };
    for (name, inner) in entries.iter().filter(|(name, _)| *name != ".") {
        let name = name.strip_prefix("f:").unwrap_or(name);
        leaves(inner, &format!("{path}.{name}"), found);
    }
}

/// Asks for an object with its managed fields.
async fn get(cluster: &Cluster, version: &str) -> Outcome<Value> {
    Ok(cluster.get(version, "a").await?)
}

pub async fn managers_move_from_version_to_version() -> Outcome {
    let (cluster, server) = Cluster::start(CRD.to_owned()).await?;
    // One manager owns everything and moves.
    cluster.apply("v1", "all", "a", old_spec()).await?;
    let mut spec = new_spec();
    spec["replicas"] = json!(4);
    spec.as_object_mut().unwrap().remove("priority");
    cluster.apply("v2", "all", "a", spec).await?;
    let found = get(&cluster, "v2").await?;
    assert_eq!(found["spec"]["replicas"], 4);
    assert_eq!(
        owned(&found, "all"),
        [
            ".spec.host",
            ".spec.memoryBytes",
            ".spec.port",
            ".spec.ports.k:{\"name\":\"http\"}.name",
            ".spec.ports.k:{\"name\":\"http\"}.number",
            ".spec.replicas",
            ".spec.strategy",
        ]
    );

    // A manager of two fields moves while another one owns the rest: the API server converts an object without them.
    let two = json!({"strategy": "Recreate", "ports": [{"name": "metrics", "port": 9090}]});
    let applied = cluster.apply("v1", "two", "a", two.clone()).await;
    let conflict = applied.unwrap_err().to_string();
    assert!(conflict.contains(".spec.strategy"), "{conflict}");
    let two = json!({"note": "mine", "ports": [{"name": "metrics", "port": 9090}]});
    cluster.apply("v1", "two", "a", two).await?;
    let two = json!({"ports": [{"name": "metrics", "number": 9091, "protocol": "TCP"}]});
    cluster.apply("v2", "two", "a", two).await?;
    let found = get(&cluster, "v2").await?;
    let ports = json!([
        {"name": "http", "number": 80},
        {"name": "metrics", "number": 9091, "protocol": "TCP"},
    ]);
    assert_eq!(found["spec"]["ports"], ports);
    assert_eq!(found["spec"]["replicas"], 4);
    assert_eq!(
        owned(&found, "two"),
        [
            ".spec.ports.k:{\"name\":\"metrics\"}.name",
            ".spec.ports.k:{\"name\":\"metrics\"}.number",
            ".spec.ports.k:{\"name\":\"metrics\"}.protocol",
        ]
    );
    cluster.stop(server).await
}

pub async fn a_strict_webhook_fails_where_a_manager_moves() -> Outcome {
    let (cluster, server) = Cluster::start(CRD.to_owned()).await?;
    // Together, two managers own everything; one of them owns two required fields.
    cluster.apply("v1", "rest", "a", old_spec()).await?;
    let two = json!({"memory": "1Gi", "address": "localhost:8080"});
    cluster.apply("v1", "two", "a", two).await?;
    let mut rest = old_spec();
    for field in ["memory", "address"] {
        rest.as_object_mut().unwrap().remove(field);
    }
    cluster.apply("v1", "rest", "a", rest).await?;
    let moved = json!({"memoryBytes": 2_147_483_648_i64, "host": "localhost", "port": 8080});

    // The strict webhook converts the whole object, but not the object without the fields of the manager.
    server.stop().await?;
    let strict = StrictServer::start(cluster.webhooks.address(), cluster.webhooks.folder()).await?;
    let found = until_accepted(async || cluster.get("v1", "a").await).await?;
    assert_eq!(found["spec"], old_spec());
    assert_eq!(cluster.get("v3", "a").await?["spec"]["hostname"], "localhost");
    let refused = cluster.apply("v2", "two", "a", moved.clone()).await;
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("missing field"), "{error}");
    strict.stop().await;

    // The same request succeeds with the webhook that converts JSON.
    let server = cluster.serve().await?;
    until_accepted(async || cluster.get("v1", "a").await).await?;
    let applied = cluster.apply("v2", "two", "a", moved).await?;
    assert_eq!(applied["spec"]["memoryBytes"], 2_147_483_648_i64);
    assert_eq!(applied["spec"]["replicas"], 3);
    let found = get(&cluster, "v2").await?;
    assert_eq!(
        owned(&found, "two"),
        [".spec.host", ".spec.memoryBytes", ".spec.port"]
    );
    cluster.stop(server).await
}

pub async fn two_managers_use_two_versions() -> Outcome {
    let (cluster, server) = Cluster::start(CRD.to_owned()).await?;
    let old = json!({"size": 3, "memory": "1Gi", "address": "localhost:8080", "note": "hello"});
    let new = json!({"priority": 9, "ports": [{"name": "http", "number": 80, "protocol": "TCP"}]});
    for size in [3, 4] {
        let mut old = old.clone();
        old["size"] = json!(size);
        cluster.apply("v1", "old", "a", old.clone()).await?;
        cluster.apply("v2", "new", "a", new.clone()).await?;
        let found = get(&cluster, "v1").await?;
        assert_eq!(found["spec"]["size"], size);
        assert_eq!(found["spec"]["memory"], "1Gi");
        assert_eq!(found["spec"]["note"], "hello");
        assert_eq!(
            owned(&found, "old"),
            [".spec.address", ".spec.memory", ".spec.note", ".spec.size"]
        );
        let found = get(&cluster, "v2").await?;
        assert_eq!(found["spec"]["priority"], 9);
        assert_eq!(found["spec"]["ports"], new["ports"]);
        assert_eq!(
            owned(&found, "new"),
            [
                ".spec.ports.k:{\"name\":\"http\"}.name",
                ".spec.ports.k:{\"name\":\"http\"}.number",
                ".spec.ports.k:{\"name\":\"http\"}.protocol",
                ".spec.priority",
            ]
        );
    }
    cluster.stop(server).await
}
