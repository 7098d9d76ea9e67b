//! The cases in `testdata/cases`: a folder has a schema, objects, and the verdicts of a real API server on them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

pub const GROUP: &str = "schema.example.com";

/// One folder.
pub struct Case {
    pub name: String,
    pub folder: PathBuf,
    /// `schema`, and perhaps `scope` and `scale`.
    pub definition: Value,
    /// Parts of objects: `metadata`, `spec` and others. `old` has the parts of the object before an update.
    pub objects: Vec<Value>,
}

pub fn all() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases");
    let mut folders: Vec<_> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    let case = |folder: PathBuf| {
        let read =
            |file: &str| serde_json::from_str(&fs::read_to_string(folder.join(file)).unwrap()).unwrap();
        Case {
            name: folder.file_name().unwrap().to_string_lossy().into_owned(),
            definition: read("definition.json"),
            objects: serde_json::from_value(read("objects.json")).unwrap(),
            folder: folder.clone(),
        }
    };
    folders.into_iter().map(case).collect()
}

impl Case {
    pub fn verdicts_file(&self) -> PathBuf {
        self.folder.join("verdicts.json")
    }

    pub fn kind(&self) -> String {
        let word = |word: &str| word[..1].to_uppercase() + &word[1..];
        self.name.split('-').map(word).collect()
    }

    pub fn plural(&self) -> String {
        self.kind().to_lowercase() + "s"
    }

    pub fn is_namespaced(&self) -> bool {
        self.definition["scope"] != "Cluster"
    }

    /// Returns the whole CRD with a schema.
    pub fn crd(&self, schema: &Value) -> Value {
        let mut subresources = json!({});
        if let Some(scale) = self.definition.get("scale") {
            subresources["scale"] = scale.clone();
        }
        let scope = if self.is_namespaced() {
            "Namespaced"
        } else {
            "Cluster"
        };
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("{}.{GROUP}", self.plural())},
            "spec": {
                "group": GROUP,
                "scope": scope,
                "names": {"kind": self.kind(), "plural": self.plural(), "singular": self.kind().to_lowercase()},
                "versions": [{
                    "name": "v1", "served": true, "storage": true,
                    "schema": {"openAPIV3Schema": schema},
                    "subresources": subresources,
                }],
            },
        })
    }

    /// Returns the whole object for some parts.
    pub fn object(&self, parts: &Value, name: &str) -> Value {
        let mut object = Map::new();
        object.insert("apiVersion".to_owned(), json!(format!("{GROUP}/v1")));
        object.insert("kind".to_owned(), json!(self.kind()));
        object.insert("metadata".to_owned(), json!({}));
        for (key, value) in parts.as_object().unwrap() {
            if key != "old" {
                object.insert(key.clone(), value.clone());
            }
        }
        let metadata = &mut object["metadata"];
        if let Some(metadata) = metadata.as_object_mut() {
            if !metadata.contains_key("generateName") {
                metadata.entry("name").or_insert_with(|| json!(name));
            }
            if self.is_namespaced() {
                metadata.entry("namespace").or_insert_with(|| json!("default"));
            }
        }
        Value::Object(object)
    }

    /// Returns the object of an update: the metadata of the stored object, with the parts of the case.
    pub fn changed(&self, parts: &Value, stored: &Value) -> Value {
        let mut object = self.object(parts, "x");
        let mut metadata = stored["metadata"].clone();
        for (key, value) in parts["metadata"].as_object().into_iter().flatten() {
            metadata[key] = value.clone();
        }
        object["metadata"] = metadata;
        object
    }
}
