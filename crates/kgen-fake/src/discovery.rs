//! The documents that describe the API: groups, resources, OpenAPI, version and health.

use std::collections::BTreeMap;

use http::Method;
use serde_json::{Value, json};

use crate::kind::{Kind, priority};
use crate::state::State;

/// An answer that is not about a resource.
pub(crate) enum Document {
    Json(Value),
    Text(&'static str),
}

/// Returns the document of a path, `None` if there is none.
pub(crate) fn document(state: &State, method: &Method, path: &str, accept: &str) -> Option<Document> {
    if *method != Method::GET && *method != Method::HEAD {
        return None;
    }
    let is_aggregated = accept.contains("as=APIGroupDiscoveryList");
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let json = |value: Value| Some(Document::Json(value));
    match parts.as_slice() {
        ["healthz" | "readyz" | "livez", ..] => Some(Document::Text("ok")),
        ["version"] => json(json!({
            "major": "1", "minor": "36", "gitVersion": "v1.36.4", "gitCommit": "", "gitTreeState": "clean",
            "buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "", "platform": "kgen-fake",
        })),
        ["api"] if is_aggregated => json(aggregated(state, true)),
        ["apis"] if is_aggregated => json(aggregated(state, false)),
        ["api"] => json(json!({
            "kind": "APIVersions", "versions": ["v1"],
            "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": "127.0.0.1"}],
        })),
        ["apis"] => {
            let groups: Vec<Value> = groups(state)
                .iter()
                .map(|(name, versions)| group(name, versions))
                .collect();
            json(json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}))
        }
        ["api", version] => resources(state, "", version).map(Document::Json),
        ["apis", name] => {
            let groups = groups(state);
            let versions = groups.get(*name)?;
            let mut group = group(name, versions);
            group["kind"] = json!("APIGroup");
            group["apiVersion"] = json!("v1");
            json(group)
        }
        ["apis", group, version] => resources(state, group, version).map(Document::Json),
        ["openapi", "v3"] => {
            let mut paths = serde_json::Map::new();
            for kind in state.kinds.all().filter(|kind| kind.is_custom()) {
                for version in kind.versions.iter().filter(|version| version.is_served) {
                    let path = format!("apis/{}/{}", kind.group, version.name);
                    let url = format!("/openapi/v3/{path}?hash={}", kind.epoch);
                    paths.insert(path, json!({"serverRelativeURL": url}));
                }
            }
            json(json!({"paths": paths}))
        }
        ["openapi", "v3", "apis", group, version] => open_api(state, group, version).map(Document::Json),
        _ => None,
    }
}

/// Returns the groups except the core group, with their versions in the order of preference.
fn groups(state: &State) -> BTreeMap<String, Vec<String>> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for kind in state.kinds.all().filter(|kind| !kind.group.is_empty()) {
        let versions = groups.entry(kind.group.clone()).or_default();
        for version in kind.versions.iter().filter(|version| version.is_served) {
            if !versions.contains(&version.name) {
                versions.push(version.name.clone());
            }
        }
    }
    for name in ["authorization.k8s.io", "authentication.k8s.io"] {
        groups.insert(name.to_owned(), vec!["v1".to_owned()]);
    }
    for versions in groups.values_mut() {
        versions.sort_by_key(|version| std::cmp::Reverse(priority(version)));
    }
    groups
}

fn group(name: &str, versions: &[String]) -> Value {
    let version = |version: &String| json!({"groupVersion": format!("{name}/{version}"), "version": version});
    json!({
        "name": name,
        "versions": versions.iter().map(version).collect::<Vec<_>>(),
        "preferredVersion": versions.first().map(version),
    })
}

/// The verbs of a kind, in the order of the server.
fn verbs(kind: &Kind) -> Vec<&'static str> {
    let all = [
        "delete",
        "deletecollection",
        "get",
        "list",
        "patch",
        "create",
        "update",
        "watch",
    ];
    if kind.is_custom() {
        return all.to_vec();
    }
    let mut verbs = vec![
        "create",
        "delete",
        "deletecollection",
        "get",
        "list",
        "patch",
        "update",
        "watch",
    ];
    if &*kind.resource == "namespaces" {
        verbs.retain(|verb| *verb != "deletecollection");
    }
    verbs
}

const SUBRESOURCE_VERBS: [&str; 3] = ["get", "patch", "update"];

fn resources(state: &State, group: &str, version: &str) -> Option<Value> {
    let group_version = if group.is_empty() {
        version.to_owned()
    } else {
        format!("{group}/{version}")
    };
    let mut resources = Vec::new();
    for kind in state.kinds.all().filter(|kind| kind.group == group) {
        let Some(served) = kind.served(version) else {
            continue;
        };
        let mut resource = json!({
            "name": kind.plural, "singularName": kind.singular, "namespaced": kind.is_namespaced, "kind": kind.kind,
            "verbs": verbs(kind),
        });
        if kind.is_custom() {
            let stored = format!("{}/{}/{}", kind.group, kind.stored, kind.kind);
            resource["storageVersionHash"] = Value::from(crate::sha256::start_in_base64(&stored));
        }
        if !kind.short_names.is_empty() {
            resource["shortNames"] = json!(kind.short_names);
        }
        if !kind.categories.is_empty() {
            resource["categories"] = json!(kind.categories);
        }
        resources.push(resource);
        if served.has_status {
            resources.push(json!({
                "name": format!("{}/status", kind.plural), "singularName": "", "namespaced": kind.is_namespaced,
                "kind": kind.kind, "verbs": SUBRESOURCE_VERBS,
            }));
        }
        if served.scale.is_some() {
            resources.push(json!({
                "name": format!("{}/scale", kind.plural), "singularName": "", "namespaced": kind.is_namespaced,
                "group": "autoscaling", "version": "v1", "kind": "Scale", "verbs": SUBRESOURCE_VERBS,
            }));
        }
    }
    if group == "authorization.k8s.io" && version == "v1" {
        for (name, kind) in [
            ("selfsubjectaccessreviews", "SelfSubjectAccessReview"),
            ("subjectaccessreviews", "SubjectAccessReview"),
        ] {
            resources.push(json!({
                "name": name, "singularName": kind.to_lowercase(), "namespaced": false, "kind": kind, "verbs": ["create"],
            }));
        }
    }
    if resources.is_empty() && group != "authentication.k8s.io" {
        return None;
    }
    Some(json!({
        "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": resources,
    }))
}

/// Returns all groups with their resources in one document.
fn aggregated(state: &State, is_core: bool) -> Value {
    let groups = if is_core {
        BTreeMap::from([(String::new(), vec!["v1".to_owned()])])
    } else {
        groups(state)
    };
    let items = groups.iter().map(|(name, versions)| {
        let versions: Vec<Value> = versions
            .iter()
            .map(|version| json!({
                "version": version, "freshness": "Current", "resources": aggregated_resources(state, name, version),
            }))
            .collect();
        let metadata = if name.is_empty() { json!({}) } else { json!({"name": name}) };
        json!({"metadata": metadata, "versions": versions})
    });
    json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {},
        "items": items.collect::<Vec<_>>(),
    })
}

fn aggregated_resources(state: &State, group: &str, version: &str) -> Vec<Value> {
    let mut resources = Vec::new();
    for kind in state.kinds.all().filter(|kind| kind.group == group) {
        let Some(served) = kind.served(version) else {
            continue;
        };
        let response = json!({"group": group, "version": version, "kind": kind.kind});
        let mut resource = json!({
            "resource": kind.plural, "responseKind": response, "singularResource": kind.singular,
            "scope": if kind.is_namespaced { "Namespaced" } else { "Cluster" },
            "verbs": verbs(kind),
        });
        if !kind.short_names.is_empty() {
            resource["shortNames"] = json!(kind.short_names);
        }
        if !kind.categories.is_empty() {
            resource["categories"] = json!(kind.categories);
        }
        let mut subresources = Vec::new();
        if served.has_status {
            subresources
                .push(json!({"subresource": "status", "responseKind": response, "verbs": SUBRESOURCE_VERBS}));
        }
        if served.scale.is_some() {
            let scale = json!({"group": "autoscaling", "version": "v1", "kind": "Scale"});
            subresources
                .push(json!({"subresource": "scale", "responseKind": scale, "verbs": SUBRESOURCE_VERBS}));
        }
        if !subresources.is_empty() {
            resource["subresources"] = json!(subresources);
        }
        resources.push(resource);
    }
    resources
}

/// Returns the OpenAPI document of the installed definitions of a group.
fn open_api(state: &State, group: &str, version: &str) -> Option<Value> {
    let mut schemas = serde_json::Map::new();
    let mut paths = serde_json::Map::new();
    let reversed: Vec<&str> = group.split('.').rev().collect();
    for kind in state
        .kinds
        .all()
        .filter(|kind| kind.group == group && kind.is_custom())
    {
        let Some(served) = kind.served(version) else {
            continue;
        };
        let mut schema = served.schema.clone();
        if schema.is_object() {
            schema["x-kubernetes-group-version-kind"] =
                json!([{"group": group, "version": version, "kind": kind.kind}]);
            let text = json!({"type": "string"});
            for (name, property) in [
                ("apiVersion", text.clone()),
                ("kind", text),
                ("metadata", json!({"type": "object"})),
            ] {
                schema["properties"][name] = property;
            }
        }
        let name = format!("{}.{version}.{}", reversed.join("."), kind.kind);
        let place = if kind.is_namespaced {
            "/namespaces/{namespace}"
        } else {
            ""
        };
        let content =
            json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}});
        let path = format!("/apis/{group}/{version}{place}/{}", kind.plural);
        paths.insert(
            path,
            json!({"get": {
                "responses": {"200": {"description": "OK", "content": content}},
                "x-kubernetes-action": "list",
                "x-kubernetes-group-version-kind": {"group": group, "version": version, "kind": kind.kind},
            }}),
        );
        schemas.insert(name, schema);
    }
    if schemas.is_empty() {
        return None;
    }
    Some(json!({
        "openapi": "3.0.0", "info": {"title": "kgen-fake", "version": "v1.36.4"},
        "paths": paths, "components": {"schemas": schemas},
    }))
}
