//! The documents that describe the API: groups, resources, version and health. `open_api.rs` has the schemas.

use http::Method;
use serde_json::{Value, json};

use crate::kind::{Kind, priority, served};
use crate::open_api;
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
        ["healthz" | "readyz" | "livez"] => Some(Document::Text("ok")),
        ["healthz" | "readyz" | "livez", "ping" | "etcd" | "log"] => Some(Document::Text("ok")),
        ["version"] => json(json!({
            "major": "1", "minor": "36", "emulationMajor": "1", "emulationMinor": "36",
            "minCompatibilityMajor": "1", "minCompatibilityMinor": "35",
            "gitVersion": "v1.36.4", "gitCommit": "$Format:%H$", "gitTreeState": "clean",
            "buildDate": "1970-01-01T00:00:00Z", "goVersion": "go1.26.8", "compiler": "gc", "platform": "linux/amd64",
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
            let (_, versions) = groups.iter().find(|(group, _)| group == name)?;
            let mut group = group(name, versions);
            group["kind"] = json!("APIGroup");
            group["apiVersion"] = json!("v1");
            json(group)
        }
        ["apis", group, version] => resources(state, group, version).map(Document::Json),
        ["openapi", "v3"] => json(open_api::index(state)),
        ["openapi", "v3", "api", version] => open_api::document(state, "", version).map(Document::Json),
        ["openapi", "v3", "apis", group, version] => {
            open_api::document(state, group, version).map(Document::Json)
        }
        _ => None,
    }
}

/// Returns whether a path is that of a document, and the request wants something else than to read it.
pub(crate) fn is_read_only(state: &State, method: &Method, path: &str) -> bool {
    let is_api = ["/api", "/version"].iter().any(|front| path.starts_with(front));
    *method != Method::GET
        && *method != Method::HEAD
        && is_api
        && document(state, &Method::GET, path, "").is_some()
}

/// Returns whether a path is of a version of a built-in group.
pub(crate) fn has_group(path: &str) -> bool {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    matches!(parts.as_slice(), ["apis", group, _] if served::all().any(|served| served.group == *group))
}

/// Returns the groups except the core group, with their versions in the order of preference. Built-in groups are first.
fn groups(state: &State) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let mut add = |group: &str, version: &str| {
        let position = groups.iter().position(|(name, _)| name == group);
        let position = position.unwrap_or_else(|| {
            groups.push((group.to_owned(), Vec::new()));
            groups.len() - 1
        });
        if let Some((_, versions)) = groups.get_mut(position)
            && !versions.iter().any(|known| known == version)
        {
            versions.push(version.to_owned());
        }
    };
    for served in served::all().filter(|served| !served.group.is_empty()) {
        add(&served.group, &served.version);
    }
    for kind in state.kinds.all().filter(|kind| kind.is_custom()) {
        for version in kind.versions.iter().filter(|version| version.is_served) {
            add(&kind.group, &version.name);
        }
    }
    for (_, versions) in &mut groups {
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

/// The verbs of custom kinds, in the order of the server.
const VERBS: [&str; 8] = [
    "delete",
    "deletecollection",
    "get",
    "list",
    "patch",
    "create",
    "update",
    "watch",
];
const SUBRESOURCE_VERBS: [&str; 3] = ["get", "patch", "update"];

/// Returns the resources of a group and version, as entries of the aggregated document.
fn entries(state: &State, group: &str, version: &str) -> Vec<Value> {
    let built_in = served::all().filter(|served| served.group == group && served.version == version);
    let mut entries: Vec<Value> = built_in.map(|served| served.entry.clone()).collect();
    let custom = state
        .kinds
        .all()
        .filter(|kind| kind.group == group && kind.is_custom());
    entries.extend(custom.filter_map(|kind| entry(kind, version)));
    entries
}

/// Returns the entry of a custom kind.
fn entry(kind: &Kind, version: &str) -> Option<Value> {
    let served = kind.served(version)?;
    let response = json!({"group": kind.group, "version": version, "kind": kind.kind});
    let mut entry = json!({
        "resource": kind.plural, "responseKind": response, "singularResource": kind.singular,
        "scope": if kind.is_namespaced { "Namespaced" } else { "Cluster" },
        "verbs": VERBS,
    });
    if !kind.short_names.is_empty() {
        entry["shortNames"] = json!(kind.short_names);
    }
    if !kind.categories.is_empty() {
        entry["categories"] = json!(kind.categories);
    }
    let mut subresources = Vec::new();
    if served.has_status {
        subresources
            .push(json!({"subresource": "status", "responseKind": response, "verbs": SUBRESOURCE_VERBS}));
    }
    if served.scale.is_some() {
        let scale = json!({"group": "autoscaling", "version": "v1", "kind": "Scale"});
        subresources.push(json!({"subresource": "scale", "responseKind": scale, "verbs": SUBRESOURCE_VERBS}));
    }
    if !subresources.is_empty() {
        entry["subresources"] = json!(subresources);
    }
    Some(entry)
}

/// Returns the resources of a group and version in a document of their own.
fn resources(state: &State, group: &str, version: &str) -> Option<Value> {
    let group_version = if group.is_empty() {
        version.to_owned()
    } else {
        format!("{group}/{version}")
    };
    let entries = entries(state, group, version);
    if entries.is_empty() {
        return None;
    }
    let mut resources = Vec::new();
    for entry in &entries {
        let plural = entry.get("resource").and_then(Value::as_str).unwrap_or_default();
        let is_namespaced = entry.get("scope").and_then(Value::as_str) == Some("Namespaced");
        let kind = state.kinds.get(group, plural);
        let resource = |name: String, singular: &Value, entry: &Value| {
            let response = entry.get("responseKind").cloned().unwrap_or_default();
            let mut resource = json!({
                "name": name, "singularName": singular, "namespaced": is_namespaced, "kind": response.get("kind"),
                "verbs": entry.get("verbs"),
            });
            let text = |key: &str| response.get(key).and_then(Value::as_str).unwrap_or_default();
            if (text("group"), text("version")) != (group, version) {
                for key in ["group", "version"] {
                    resource[key] = Value::from(text(key));
                }
            }
            for key in ["shortNames", "categories"] {
                if let Some(value) = entry.get(key) {
                    resource[key] = value.clone();
                }
            }
            resource
        };
        let singular = entry.get("singularResource").cloned().unwrap_or_default();
        let mut whole = resource(plural.to_owned(), &singular, entry);
        if let Some(kind) = kind.filter(|kind| kind.is_custom()) {
            let stored = format!("{}/{}/{}", kind.group, kind.stored, kind.kind);
            whole["storageVersionHash"] = Value::from(crate::sha256::start_in_base64(&stored));
        } else if let Some(stored) = stored_type(entry, group, version) {
            whole["storageVersionHash"] = Value::from(crate::sha256::start_in_base64(&stored));
        }
        resources.push(whole);
        let subresources = entry.get("subresources").and_then(Value::as_array);
        for part in subresources.into_iter().flatten() {
            let name = part
                .get("subresource")
                .and_then(Value::as_str)
                .unwrap_or_default();
            resources.push(resource(format!("{plural}/{name}"), &Value::from(""), part));
        }
    }
    let mut list = json!({"kind": "APIResourceList", "groupVersion": group_version, "resources": resources});
    // The document of the core group has no version of its own.
    if !group.is_empty() {
        list["apiVersion"] = json!("v1");
    }
    Some(list)
}

/// Returns the type in which a server stores a built-in resource, `None` if it stores nothing.
fn stored_type(entry: &Value, group: &str, version: &str) -> Option<String> {
    let verbs = entry.get("verbs").and_then(Value::as_array);
    if !verbs.is_some_and(|verbs| verbs.iter().any(|verb| verb == "watch")) {
        return None;
    }
    let kind = entry.pointer("/responseKind/kind").and_then(Value::as_str)?;
    let (group, version) = match (group, kind) {
        ("events.k8s.io", "Event") => ("", "v1"),
        ("autoscaling", _) => ("autoscaling", "v2"),
        ("apiextensions.k8s.io", _)
        | ("admissionregistration.k8s.io", "MutatingAdmissionPolicy" | "MutatingAdmissionPolicyBinding") => {
            (group, "v1beta1")
        }
        known => (known.0, version),
    };
    Some(format!("{group}/{version}/{kind}"))
}

/// Removes the group and version of built-in kinds where they are those of the document, as a server does.
fn shorten(entry: &mut Value, group: &str, version: &str) {
    let subresources = entry.get_mut("subresources").and_then(Value::as_array_mut);
    for subresource in subresources.into_iter().flatten() {
        shorten(subresource, group, version);
    }
    if let Some(kind) = entry.get_mut("responseKind")
        && kind.get("group").is_some_and(|found| found == group)
        && kind.get("version").is_some_and(|found| found == version)
    {
        kind["group"] = Value::from("");
        kind["version"] = Value::from("");
    }
}

/// Returns all groups with their resources in one document.
fn aggregated(state: &State, is_core: bool) -> Value {
    let groups = if is_core {
        vec![(String::new(), vec!["v1".to_owned()])]
    } else {
        groups(state)
    };
    let items = groups.iter().map(|(name, versions)| {
        let versions: Vec<Value> = versions
            .iter()
            .map(|version| {
                let mut resources = entries(state, name, version);
                if served::all().any(|served| served.group == *name) {
                    resources
                        .iter_mut()
                        .for_each(|entry| shorten(entry, name, version));
                }
                json!({"version": version, "freshness": "Current", "resources": resources})
            })
            .collect();
        let metadata = if name.is_empty() {
            json!({})
        } else {
            json!({"name": name})
        };
        json!({"metadata": metadata, "versions": versions})
    });
    json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {},
        "items": items.collect::<Vec<_>>(),
    })
}
