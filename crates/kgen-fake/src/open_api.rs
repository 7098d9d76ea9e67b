//! The OpenAPI documents, as far as kubectl needs them: `kubectl explain` reads the schemas, and `kubectl apply` looks for
//! the parameters of patches.
//!
//! Schemas of built-in kinds have no descriptions, because `kind/data/schemas.json` has none.

use serde_json::{Map, Value, json};

use crate::kind::{built_in_schemas, served};
use crate::state::State;

/// Returns the list of all documents.
pub(crate) fn index(state: &State) -> Value {
    let mut paths = Map::new();
    let mut add = |group: &str, version: &str, hash: u64| {
        let path = if group.is_empty() {
            format!("api/{version}")
        } else {
            format!("apis/{group}/{version}")
        };
        let url = format!("/openapi/v3/{path}?hash={hash}");
        paths.insert(path, json!({"serverRelativeURL": url}));
    };
    for served in served::all() {
        add(&served.group, &served.version, 0);
    }
    for kind in state.kinds.all().filter(|kind| kind.is_custom()) {
        for version in kind.versions.iter().filter(|version| version.is_served) {
            add(&kind.group, &version.name, kind.epoch);
        }
    }
    json!({"paths": paths})
}

/// Returns the document of a group and version, `None` if there is none.
pub(crate) fn document(state: &State, group: &str, version: &str) -> Option<Value> {
    let mut schemas = Map::new();
    let mut paths = Map::new();
    let of_group = served::all().filter(|served| served.group == group && served.version == version);
    for served in of_group {
        let kind = Described {
            group,
            version,
            plural: &served.plural,
            kind: &served.kind,
            is_namespaced: served.is_namespaced,
        };
        if let Some(name) = built_in_schemas(&served.type_name(), &mut schemas) {
            kind.add(&name, &mut schemas, &mut paths);
        }
    }
    let custom = state
        .kinds
        .all()
        .filter(|kind| kind.is_custom() && kind.group == group);
    for kind in custom {
        let Some(served) = kind.served(version) else {
            continue;
        };
        let described = Described {
            group,
            version,
            plural: &kind.plural,
            kind: &kind.kind,
            is_namespaced: kind.is_namespaced,
        };
        let reversed: Vec<&str> = group.split('.').rev().collect();
        let name = format!("{}.{version}.{}", reversed.join("."), kind.kind);
        let mut schema = served.schema.clone();
        if schema.is_object() {
            let text = json!({"type": "string"});
            for (field, property) in [
                ("apiVersion", text.clone()),
                ("kind", text),
                ("metadata", json!({"type": "object"})),
            ] {
                schema["properties"][field] = property;
            }
        }
        schemas.insert(name.clone(), schema);
        described.add(&name, &mut schemas, &mut paths);
    }
    if schemas.is_empty() {
        return None;
    }
    Some(json!({
        "openapi": "3.0.0", "info": {"title": "kgen-fake", "version": "v1.36.4"},
        "paths": paths, "components": {"schemas": schemas},
    }))
}

/// A resource of a document.
struct Described<'d> {
    group: &'d str,
    version: &'d str,
    plural: &'d str,
    kind: &'d str,
    is_namespaced: bool,
}

impl Described<'_> {
    /// Adds the paths of the resource, and its type to the schema of this name.
    fn add(&self, name: &str, schemas: &mut Map<String, Value>, paths: &mut Map<String, Value>) {
        let own = json!({"group": self.group, "version": self.version, "kind": self.kind});
        if let Some(Value::Object(schema)) = schemas.get_mut(name) {
            let types = schema.entry("x-kubernetes-group-version-kind");
            let types = types.or_insert_with(|| json!([]));
            if let Some(types) = types.as_array_mut()
                && !types.contains(&own)
            {
                types.push(own.clone());
            }
        }
        let root = if self.group.is_empty() {
            "/api".to_owned()
        } else {
            format!("/apis/{}", self.group)
        };
        let place = if self.is_namespaced {
            "/namespaces/{namespace}"
        } else {
            ""
        };
        let path = format!("{root}/{}{place}/{}", self.version, self.plural);
        let content =
            json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}});
        let responses = json!({"200": {"description": "OK", "content": content}});
        let parameter = |name: &str| json!({"name": name, "in": "query", "schema": {"type": "string", "uniqueItems": true}});
        let patch = json!({
            "parameters": [parameter("dryRun"), parameter("fieldManager"), parameter("fieldValidation"), parameter("force")],
            "responses": responses, "x-kubernetes-action": "patch", "x-kubernetes-group-version-kind": own,
        });
        let get = |action: &str| {
            json!({
                "responses": responses, "x-kubernetes-action": action, "x-kubernetes-group-version-kind": own,
            })
        };
        paths.insert(
            format!("{path}/{{name}}"),
            json!({"get": get("get"), "patch": patch}),
        );
        paths.insert(path, json!({"get": get("list")}));
    }
}
