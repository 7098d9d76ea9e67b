//! The table of Kubernetes' own types is the one that kgen's front end reads from the source of k8s-openapi.
//!
//! With `INSTA_UPDATE=always`, the table is written.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use kgen_frontend::{FeatureChoice, ForeignMarkers, Input, Options};
use kgen_golden::Goldens;
use kgen_import::kubernetes_key;
use kgen_model::Schema;
use serde_json::{Value, json};

/// The folders of k8s-openapi whose types CRDs embed.
const FOLDERS: &[&str] = &[
    "api/admissionregistration/v1",
    "api/apps/v1",
    "api/autoscaling/v1",
    "api/autoscaling/v2",
    "api/batch/v1",
    "api/core/v1",
    "api/discovery/v1",
    "api/networking/v1",
    "api/policy/v1",
    "api/rbac/v1",
    "api/storage/v1",
    "apimachinery/pkg/apis/meta/v1",
];

/// A type with its schema at one minor version.
struct Found {
    path: String,
    key: String,
    schema: Schema,
}

/// Returns the version of k8s-openapi in `Cargo.lock`, and the folder of its source.
fn k8s_openapi() -> (String, PathBuf) {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = fs::read_to_string(lock).unwrap();
    let (_, rest) = lock.split_once("name = \"k8s-openapi\"\nversion = \"").unwrap();
    let version = rest.split('"').next().unwrap().to_owned();
    let home = std::env::var_os("CARGO_HOME").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cargo"),
        PathBuf::from,
    );
    let registries = fs::read_dir(home.join("registry/src")).unwrap();
    let folder = registries
        .map(|registry| {
            registry
                .unwrap()
                .path()
                .join(format!("k8s-openapi-{version}/src"))
        })
        .find(|folder| folder.is_dir())
        .unwrap();
    (version, folder)
}

/// Returns whether objects have the schema of a type although they mean something else: the status and the conditions of kinds,
/// and the resources of volumes, which those of containers once were.
fn is_common(name: &str) -> bool {
    name.ends_with("Status")
        || name.ends_with("Condition") && name != "Condition"
        || name == "VolumeResourceRequirements"
}

/// Returns the types of a minor version, by their paths.
fn names(source: &Path, minor: &str) -> Vec<String> {
    let mut names = Vec::new();
    for folder in FOLDERS {
        let text = fs::read_to_string(source.join(minor).join(folder).join("mod.rs")).unwrap();
        for line in text.lines() {
            let path = line
                .strip_prefix("pub use self::")
                .and_then(|line| line.strip_suffix(';'));
            let Some((_, name)) = path.and_then(|path| path.split_once("::")) else {
                continue;
            };
            if name.starts_with(char::is_uppercase) && !is_common(name) {
                names.push(format!("k8s_openapi::{}::{name}", folder.replace('/', "::")));
            }
        }
    }
    names
}

/// Returns the schemas of types, each in a kind of its own.
fn schemas(paths: &[String], version: &str, minor: &str) -> Vec<Found> {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), format!("[package]\nname = \"types\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nk8s-openapi = {{ version = \"{version}\", features = [\"{minor}\"] }}\n")).unwrap();
    fs::write(folder.path().join("Cargo.lock"), format!("version = 4\n\n[[package]]\nname = \"types\"\nversion = \"0.1.0\"\ndependencies = [\"k8s-openapi\"]\n\n[[package]]\nname = \"k8s-openapi\"\nversion = \"{version}\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n")).unwrap();
    let mut text = "//! +groupName=types.example.org\n//! +versionName=v1\n\nuse k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\n".to_owned();
    for (index, path) in paths.iter().enumerate() {
        write!(
            text,
            "\npub struct Kind{index} {{\n    pub metadata: ObjectMeta,\n    pub spec: {path},\n}}\n"
        )
        .unwrap();
    }
    fs::write(folder.path().join("src/lib.rs"), text).unwrap();
    let outcome = kgen_frontend::read(&Input {
        working_folder: folder.path().to_owned(),
        paths: vec![folder.path().join("src")],
        kinds: true,
        options: Options {
            generate_embedded_object_meta: true,
            ..Options::default()
        },
        features: FeatureChoice::default(),
        foreign_markers: ForeignMarkers::default(),
        exclude: Vec::new(),
        unsaved: kgen_frontend::Overlay::default(),
        tree: None,
        cargo_home: None,
        deprecations: false,
        kinds_apart: false,
        lowerings: None,
    });
    let mut found = Vec::new();
    for resource in &outcome.api.resources {
        let index: usize = resource.kind.strip_prefix("Kind").unwrap().parse().unwrap();
        let version = resource.versions.first().unwrap();
        let Some(schema) = version.schema.properties.get("spec") else {
            continue;
        };
        let has = |name: &str| schema.properties.contains_key(name);
        // A kind of Kubernetes is not a part of another object.
        if schema.properties.is_empty() || has("apiVersion") && has("kind") && has("metadata") {
            continue;
        }
        if let Some(key) = kubernetes_key(schema) {
            found.push(Found {
                path: paths[index].clone(),
                key,
                schema: Schema::clone(schema),
            });
        }
    }
    found
}

/// Returns a schema without descriptions. Other types in it are named.
fn shallow(schema: &Schema, paths: &BTreeMap<String, String>) -> Value {
    let mut value = Value::Object(schema.to_json(&|_| None));
    let children: Vec<_> = schema
        .properties
        .iter()
        .map(|(name, child)| (name.as_str(), child))
        .collect();
    for (name, child) in children {
        value["properties"][name] = named(child, paths);
    }
    value
}

fn named(schema: &Schema, paths: &BTreeMap<String, String>) -> Value {
    if let Some(path) = kubernetes_key(schema).and_then(|key| paths.get(&key)) {
        return json!({"$type": path});
    }
    let mut value = shallow(schema, paths);
    if let Some(items) = &schema.items {
        value["items"] = named(items, paths);
    }
    if let Some(values) = &schema.additional_properties {
        value["additionalProperties"] = named(values, paths);
    }
    value
}

#[test]
fn the_table_has_the_types_of_k8s_openapi() {
    let (version, source) = k8s_openapi();
    let mut minors: Vec<u32> = fs::read_dir(&source)
        .unwrap()
        .filter_map(|entry| {
            entry
                .unwrap()
                .file_name()
                .to_str()?
                .strip_prefix("v1_")?
                .parse()
                .ok()
        })
        .collect();
    minors.sort_unstable();
    // By path and key: the minor versions, and the schema of the newest one.
    let mut table: BTreeMap<(String, String), (u32, u32, Option<Schema>)> = BTreeMap::new();
    for minor in &minors {
        let feature = format!("v1_{minor}");
        for found in schemas(&names(&source, &feature), &version, &feature) {
            let entry = table
                .entry((found.path, found.key))
                .or_insert((*minor, *minor, None));
            entry.1 = *minor;
            entry.2 = Some(found.schema);
        }
    }
    let newest = minors.last().copied().unwrap();
    let current = table.iter().filter(|(_, (_, last, _))| *last == newest);
    let paths: BTreeMap<String, String> = current
        .map(|((path, key), _)| (key.clone(), path.clone()))
        .collect();
    let mut text = String::new();
    for ((path, key), (first, last, schema)) in &table {
        let schema = schema.as_ref().filter(|_| *last == newest);
        let schema = schema.map_or_else(|| "-".to_owned(), |schema| shallow(schema, &paths).to_string());
        writeln!(text, "{path} {first} {last} {key} {schema}").unwrap();
    }
    assert!(table.len() > 250, "{}", table.len());
    let mut goldens = Goldens::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let files = BTreeMap::from([("kubernetes-types.txt".to_owned(), text.into_bytes())]);
    goldens.compare(&folder, &files).unwrap();
    goldens
        .finish()
        .unwrap_or_else(|differences| panic!("{differences}"));
}
