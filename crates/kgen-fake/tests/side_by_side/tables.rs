//! Compares the tables of built-in kinds in `src/kind/data` with the documents of a server, and writes them anew with
//! `KGEN_RECORD=tables`.
//!
//! | file | from |
//! |---|---|
//! | `discovery.json` | the aggregated discovery documents |
//! | `schemas.json` | the OpenAPI documents, without descriptions |
//! | `columns.json` | an empty list of each kind, as a table |

use std::collections::BTreeMap;
use std::path::Path;

use http::Request;
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use serde_json::{Map, Value, json};

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

/// Returns the files that differ from what the server says. Writes them if `is_recording`.
pub async fn differences(client: &Client, is_recording: bool) -> Vec<String> {
    let discovery = discovery(client).await;
    let files = [
        ("columns.json", columns(client, &discovery).await),
        ("schemas.json", schemas(client, &discovery).await),
        ("discovery.json", discovery),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/kind/data");
    let mut different = Vec::new();
    for (name, found) in files {
        let file = folder.join(name);
        let text = lines(&found);
        if std::fs::read_to_string(&file).unwrap_or_default() == text {
            continue;
        }
        if is_recording {
            std::fs::write(&file, text).unwrap();
        } else {
            different.push(name.to_owned());
        }
    }
    different
}

/// Writes one line per entry of the two outer levels.
fn lines(value: &Value) -> String {
    let Value::Object(entries) = value else {
        return format!("{value}\n");
    };
    let parts = entries.iter().map(|(key, value)| {
        let key = Value::from(key.as_str());
        match value {
            Value::Object(inner) => {
                let inner = inner
                    .iter()
                    .map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())));
                format!("{key}:{{\n{}\n}}", inner.collect::<Vec<_>>().join(",\n"))
            }
            Value::Array(items) => {
                let items = items.iter().map(Value::to_string).collect::<Vec<_>>();
                format!("{key}:[\n{}\n]", items.join(",\n"))
            }
            other => format!("{key}:{other}"),
        }
    });
    format!("{{\n{}\n}}\n", parts.collect::<Vec<_>>().join(",\n"))
}

async fn get(client: &Client, path: &str, accept: &str) -> Value {
    let request = Request::get(path)
        .header("Accept", accept)
        .body(Body::empty())
        .unwrap();
    let response = client.send(request).await.unwrap();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the groups with their stable versions.
async fn discovery(client: &Client) -> Value {
    let mut groups = Vec::new();
    for path in ["/api", "/apis"] {
        let document = get(client, path, AGGREGATED).await;
        for group in document["items"].as_array().unwrap() {
            let versions = group["versions"].as_array().unwrap().iter();
            let versions: Vec<Value> = versions
                .filter(|version| version["version"].as_str().unwrap().len() == 2)
                .map(|version| json!({"version": version["version"], "resources": version["resources"]}))
                .collect();
            if !versions.is_empty() {
                let name = group["metadata"]["name"].as_str().unwrap_or_default();
                groups.push(json!({"name": name, "versions": versions}));
            }
        }
    }
    json!({"groups": groups})
}

/// Calls `visit` with the group, version and description of each resource.
fn each_resource(discovery: &Value, mut visit: impl FnMut(&str, &str, &Value)) {
    for group in discovery["groups"].as_array().unwrap() {
        let name = group["name"].as_str().unwrap();
        for version in group["versions"].as_array().unwrap() {
            for resource in version["resources"].as_array().into_iter().flatten() {
                visit(name, version["version"].as_str().unwrap(), resource);
            }
        }
    }
}

async fn columns(client: &Client, discovery: &Value) -> Value {
    let mut paths = BTreeMap::new();
    each_resource(discovery, |group, version, resource| {
        if resource["verbs"]
            .as_array()
            .unwrap()
            .iter()
            .any(|verb| verb == "list")
        {
            let root = if group.is_empty() {
                "/api".to_owned()
            } else {
                format!("/apis/{group}")
            };
            let kind = resource["responseKind"]["kind"].as_str().unwrap();
            let key = if group.is_empty() {
                kind.to_owned()
            } else {
                format!("{kind}.{group}")
            };
            let path = format!(
                "{root}/{version}/{}?labelSelector=none%3Dnone",
                resource["resource"].as_str().unwrap()
            );
            paths.entry(key).or_insert(path);
        }
    });
    let mut columns = Map::new();
    for (key, path) in paths {
        let table = get(client, &path, TABLE).await;
        columns.insert(key, table["columnDefinitions"].clone());
    }
    Value::Object(columns)
}

/// Returns the schemas of all kinds, and the schemas that they refer to.
async fn schemas(client: &Client, discovery: &Value) -> Value {
    let mut wanted = BTreeMap::new();
    each_resource(discovery, |group, version, resource| {
        let kind = resource["responseKind"]["kind"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        wanted
            .entry((group.to_owned(), version.to_owned()))
            .or_insert_with(Vec::new)
            .push(kind);
    });
    let (mut kinds, mut all) = (Map::new(), Map::new());
    for ((group, version), names) in &wanted {
        let place = if group.is_empty() {
            format!("api/{version}")
        } else {
            format!("apis/{group}/{version}")
        };
        let document = get(client, &format!("/openapi/v3/{place}"), "application/json").await;
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            let types = schema["x-kubernetes-group-version-kind"].as_array();
            for found in types.into_iter().flatten() {
                let kind = found["kind"].as_str().unwrap().to_owned();
                let is_own = found["group"].as_str().unwrap_or_default() == group
                    && found["version"] == version.as_str();
                if is_own && names.contains(&kind) {
                    let api_version = if group.is_empty() {
                        version.clone()
                    } else {
                        format!("{group}/{version}")
                    };
                    kinds.insert(format!("{api_version}/{kind}"), json!(name));
                }
            }
            // The schema of schemas is recursive.
            let is_recursive = name.ends_with(".JSONSchemaProps");
            let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
            all.insert(name.clone(), if is_recursive { any } else { reduced(schema) });
        }
    }
    let mut used = Map::new();
    let mut rest: Vec<String> = kinds
        .values()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    while let Some(name) = rest.pop() {
        if !used.contains_key(&name) {
            let schema = all[&name].clone();
            references(&schema, &mut rest);
            used.insert(name, schema);
        }
    }
    json!({"kinds": kinds, "schemas": used})
}

fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(entries) => {
            if let Some(Value::String(name)) = entries.get("$ref") {
                found.push(name.clone());
            }
            entries.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// Returns the keywords of a schema that the fake uses.
fn reduced(schema: &Value) -> Value {
    let mut result = Map::new();
    if schema["oneOf"].is_array() && schema.get("type").is_none() {
        // An integer or a text.
        return json!({"x-kubernetes-int-or-string": true});
    }
    if let Some(parts) = schema["allOf"].as_array()
        && let [only] = parts.as_slice()
    {
        let name = only["$ref"].as_str().unwrap();
        result.insert(
            "$ref".to_owned(),
            json!(name.trim_start_matches("#/components/schemas/")),
        );
    }
    for (key, value) in schema.as_object().into_iter().flatten() {
        match key.as_str() {
            "properties" => {
                let properties = value.as_object().unwrap().iter();
                let properties: Map<String, Value> = properties
                    .map(|(name, value)| (name.clone(), reduced(value)))
                    .collect();
                result.insert(key.clone(), Value::Object(properties));
            }
            "items" | "additionalProperties" if value.is_object() => {
                result.insert(key.clone(), reduced(value));
            }
            "$ref" => {
                let name = value
                    .as_str()
                    .unwrap()
                    .trim_start_matches("#/components/schemas/");
                result.insert(key.clone(), json!(name));
            }
            // Texts can be keys of lists, and empty objects are values that always exist.
            "default" if value.as_str().is_some_and(|text| !text.is_empty()) || value == &json!({}) => {
                result.insert(key.clone(), value.clone());
            }
            "type" | "format" | "required" | "additionalProperties" => {
                result.insert(key.clone(), value.clone());
            }
            "x-kubernetes-group-version-kind" | "x-kubernetes-unions" => {}
            key if key.starts_with("x-kubernetes-") => {
                result.insert(key.to_owned(), value.clone());
            }
            _ => {}
        }
    }
    if schema["type"] == "object"
        && !["properties", "additionalProperties"]
            .iter()
            .any(|key| result.contains_key(*key))
    {
        result.insert("x-kubernetes-preserve-unknown-fields".to_owned(), json!(true));
    }
    Value::Object(result)
}
