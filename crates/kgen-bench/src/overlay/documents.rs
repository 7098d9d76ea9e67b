//! The OpenAPI documents of an API server: one for every group and version, which repeat the types they share.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;

use super::go_markers::Stated;

/// The types of all documents by their full names.
pub struct Documents(BTreeMap<String, Schema>);

/// The keywords of a schema that are read; k8s-openapi has the others.
#[derive(Deserialize)]
struct Schema {
    #[serde(default)]
    properties: BTreeMap<String, Schema>,
    #[serde(default)]
    required: Vec<String>,
    default: Option<Value>,
    #[serde(rename = "x-kubernetes-list-type")]
    list_type: Option<String>,
    #[serde(rename = "x-kubernetes-list-map-keys", default)]
    list_map_keys: Vec<String>,
    #[serde(rename = "x-kubernetes-map-type")]
    map_type: Option<String>,
}

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    components: Components,
}

#[derive(Default, Deserialize)]
struct Components {
    #[serde(default)]
    schemas: BTreeMap<String, Schema>,
}

/// The facts about a type.
#[derive(Debug, Default, PartialEq)]
pub struct TypeFacts {
    /// `x-kubernetes-map-type`.
    pub map_type: Option<String>,
    /// The facts about its fields.
    pub properties: BTreeMap<String, PropertyFacts>,
}

/// The facts about a field.
#[derive(Debug, Default, PartialEq)]
pub struct PropertyFacts {
    /// `x-kubernetes-list-type` and its keys.
    pub list: Option<(String, Vec<String>)>,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<String>,
    /// `default`, and whether the field is required all the same.
    pub default: Option<(Value, bool)>,
}

/// All facts, by package and type as k8s-openapi names its modules.
pub type Facts = BTreeMap<String, BTreeMap<String, TypeFacts>>;

impl Documents {
    /// Reads all documents in a folder.
    pub fn of_folder(folder: &Path) -> Result<Self> {
        let mut documents = Self(BTreeMap::new());
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                documents
                    .add(&text)
                    .with_context(|| format!("{} is not an OpenAPI document", path.display()))?;
            }
        }
        documents.not_empty()
    }

    /// Asks an API server for all its documents.
    pub fn of_server(address: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Index {
            paths: BTreeMap<String, Entry>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Entry {
            #[serde(rename = "serverRelativeURL")]
            server_relative_url: String,
        }
        let index: Index = serde_json::from_slice(&get(address, "/openapi/v3")?)?;
        let mut documents = Self(BTreeMap::new());
        for entry in index.paths.values() {
            documents.add(&get(address, &entry.server_relative_url)?)?;
        }
        documents.not_empty()
    }

    fn add(&mut self, text: &[u8]) -> Result<()> {
        let document: Document = serde_json::from_slice(text)?;
        self.0.extend(document.components.schemas);
        Ok(())
    }

    fn not_empty(self) -> Result<Self> {
        if self.0.is_empty() {
            bail!("the documents describe no types");
        }
        Ok(self)
    }

    /// Returns the facts that k8s-openapi has lost.
    pub fn facts(&self, stated: &Stated) -> Facts {
        let mut facts = Facts::new();
        for (name, schema) in &self.0 {
            let Some((package, short)) = module_of(name) else {
                continue;
            };
            let known = schema.facts(|field| stated.get(name).is_some_and(|fields| fields.contains(field)));
            if known != TypeFacts::default() {
                facts.entry(package).or_default().insert(short.to_owned(), known);
            }
        }
        facts
    }
}

impl Schema {
    fn facts(&self, is_stated: impl Fn(&str) -> bool) -> TypeFacts {
        let properties = self.properties.iter().map(|(name, property)| {
            let is_required = self.required.contains(name);
            let default = property.default.clone().filter(|_| is_stated(name));
            let known = PropertyFacts {
                list: property
                    .list_type
                    .clone()
                    .map(|list_type| (list_type, property.list_map_keys.clone())),
                map_type: property.map_type.clone(),
                default: default.map(|default| (default, is_required)),
            };
            (name.clone(), known)
        });
        TypeFacts {
            map_type: self.map_type.clone(),
            properties: properties
                .filter(|(_, known)| *known != PropertyFacts::default())
                .collect(),
        }
    }
}

/// Returns the module of a type in k8s-openapi, and its name there.
fn module_of(definition: &str) -> Option<(String, &str)> {
    let (package, name) = definition.strip_prefix("io.k8s.")?.rsplit_once('.')?;
    Some((package.replace('-', "_"), name))
}

/// Returns the version of a running API server.
pub fn server_version(address: &str) -> Result<String> {
    let answer: Value = serde_json::from_slice(&get(address, "/version")?)?;
    let version = answer.get("gitVersion").and_then(Value::as_str);
    version
        .map(str::to_owned)
        .context("the server does not say its version")
}

fn get(address: &str, path: &str) -> Result<Vec<u8>> {
    let url = format!("{}{path}", address.trim_end_matches('/'));
    let mut command = Command::new("curl");
    command.args(["--fail", "--silent", "--show-error", &url]);
    let output = command.output().context("cannot start curl")?;
    if !output.status.success() {
        bail!(
            "no answer from {url}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_was_lost_is_kept() {
        let mut documents = Documents(BTreeMap::new());
        let document = json!({"components": {"schemas": {
            "io.k8s.api.core.v1.Port": {
                "properties": {
                    "number": {"type": "integer", "default": 0},
                    "protocol": {"type": "string", "default": "TCP"},
                    "rules": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["b", "a"]},
                },
                "required": ["number"],
                "x-kubernetes-map-type": "atomic",
            },
            "io.k8s.kube-aggregator.pkg.apis.v1.Plain": {"properties": {"a": {"type": "string"}}},
        }}});
        documents.add(document.to_string().as_bytes()).unwrap();
        let stated = Stated::from([(
            "io.k8s.api.core.v1.Port".to_owned(),
            ["protocol".to_owned()].into(),
        )]);
        let facts = documents.facts(&stated);
        assert_eq!(facts.keys().collect::<Vec<_>>(), ["api.core.v1"]);
        let port = &facts["api.core.v1"]["Port"];
        assert_eq!(port.map_type.as_deref(), Some("atomic"));
        assert_eq!(port.properties.keys().collect::<Vec<_>>(), ["protocol", "rules"]);
        assert_eq!(port.properties["protocol"].default, Some((json!("TCP"), false)));
        let keys = vec!["b".to_owned(), "a".to_owned()];
        assert_eq!(port.properties["rules"].list, Some(("map".to_owned(), keys)));
    }

    #[test]
    fn modules_are_named_as_in_rust() {
        let found = module_of("io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService").unwrap();
        assert_eq!(
            found,
            (
                "kube_aggregator.pkg.apis.apiregistration.v1".to_owned(),
                "APIService"
            )
        );
        assert!(module_of("com.example.Thing").is_none());
    }
}
