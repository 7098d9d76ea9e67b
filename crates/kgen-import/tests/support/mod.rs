//! Imports CRDs, runs `kgen crd` on the result, and compares.

use std::fs;
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Files, Policy, Problems, SourceFile};
use kgen_frontend::{FeatureChoice, ForeignMarkers, Input, Options as FrontEndOptions};
use kgen_generators::crd::CrdOptions;
use kgen_import::{Options, Source};
use serde_json::{Map, Value};

/// Returns all YAML files below a folder, sorted.
pub fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "yaml" || extension == "yml")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Problems as text.
pub fn shown(problems: &Problems, files: &Files) -> String {
    problems
        .iter()
        .map(|problem| {
            let place = problem.span.and_then(|span| {
                let file = files.get(span.file)?;
                let position = file.position(span.start);
                Some(format!("{}:{}:{}", file.name(), position.line, position.column))
            });
            format!(
                "{} [{}] {} {:?}\n",
                problem.severity.word(),
                problem.code,
                problem.message,
                place
            )
        })
        .collect()
}

/// A text with its CRDs, imported and written below a folder.
pub struct Imported {
    pub original: Vec<Value>,
    pub outcome: kgen_import::Outcome,
    pub files: Files,
}

/// Imports a text.
pub fn import(name: &str, text: &str, options: &Options) -> Imported {
    let mut files = Files::default();
    let file = files.add(SourceFile::new(name, text));
    let text = files.get(file).unwrap().text().to_owned();
    let outcome = kgen_import::import(&[Source { text: &text, file }], options);
    let original = kgen_manifests::yaml::read(&text, file).unwrap_or_default();
    Imported {
        original: original.iter().map(kgen_manifests::yaml::Node::to_json).collect(),
        outcome,
        files,
    }
}

/// Writes the files of an import as a crate.
pub fn write(outcome: &kgen_import::Outcome, folder: &Path) {
    for file in &outcome.files {
        let path = folder.join("src/api").join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.text).unwrap();
    }
    fs::write(folder.join("src/lib.rs"), "//! Imported.\n\npub mod api;\n").unwrap();
    let k8s_openapi = locked_k8s_openapi();
    let lock = format!(
        "version = 4\n\n[[package]]\nname = \"imported\"\nversion = \"0.0.0\"\ndependencies = [\"k8s-openapi\"]\n\n[[package]]\nname = \"k8s-openapi\"\nversion = \"{k8s_openapi}\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n"
    );
    fs::write(folder.join("Cargo.lock"), lock).unwrap();
    let manifest = "[package]\nname = \"imported\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nk8s-openapi = { version = \"0.29\", features = [\"latest\"] }\nkube = \"5\"\nserde = \"1\"\nserde_json = \"1\"\n\n[workspace]\n";
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
}

/// Returns the version of k8s-openapi that cargo has downloaded for this workspace.
pub fn locked_k8s_openapi() -> String {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = fs::read_to_string(lock).unwrap();
    let (_, rest) = lock.split_once("name = \"k8s-openapi\"\nversion = \"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

/// Compares an original CRD with the generated one. Structs of Kubernetes have descriptions of their own, so results with
/// some are compared without descriptions.
pub fn compare(original: &Value, generated: &Value, outcome: &kgen_import::Outcome, found: &mut Vec<String>) {
    let (mut original, mut generated) = (normal(original), normal(generated));
    if outcome.kubernetes_types > 0 {
        original = without_descriptions(&original);
        generated = without_descriptions(&generated);
    }
    differences(&original, &generated, "", found);
}

/// Returns a CRD without descriptions.
fn without_descriptions(value: &Value) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .filter(|(key, value)| !(key.as_str() == "description" && value.is_string()))
            .map(|(key, value)| (key.clone(), without_descriptions(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_descriptions).collect(),
        other => other.clone(),
    }
}

/// Runs `kgen crd` on a crate. Returns its CRDs, or its problems.
pub fn generate(folder: &Path) -> Result<Vec<Value>, String> {
    let mut outcome = kgen_frontend::read(&Input {
        working_folder: folder.to_owned(),
        paths: vec![folder.join("src")],
        kinds: true,
        options: FrontEndOptions {
            generate_embedded_object_meta: true,
            ..FrontEndOptions::default()
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
    outcome.problems.settle(Policy::STRICT, &outcome.api.allowances);
    if outcome.problems.has_errors() {
        return Err(shown(&outcome.problems, &outcome.files));
    }
    let mut problems = Problems::new();
    let checked = kgen_check::check(&outcome.api, &[], Policy::STRICT, &mut problems);
    let Some(checked) = checked else {
        return Err(shown(&problems, &outcome.files));
    };
    let resources = &checked.api().resources;
    let options = CrdOptions::default();
    Ok(resources
        .iter()
        .map(|resource| kgen_generators::crd::definition(resource, &options, None))
        .collect())
}

/// Returns a CRD without the parts that have no meaning, so that equal ones are equal.
fn normal(crd: &Value) -> Value {
    let mut spec = crd["spec"].clone();
    let map = spec.as_object_mut().unwrap();
    map.remove("conversion");
    map.remove("preserveUnknownFields");
    let kind = map["names"]["kind"].as_str().unwrap_or_default().to_owned();
    let names = map["names"].as_object_mut().unwrap();
    names
        .entry("singular")
        .or_insert_with(|| kind.to_lowercase().into());
    names
        .entry("listKind")
        .or_insert_with(|| format!("{kind}List").into());
    if names["singular"] == "" {
        names.insert("singular".to_owned(), kind.to_lowercase().into());
    }
    if let Some(Value::Array(versions)) = map.get_mut("versions") {
        versions.sort_by_key(|version| version["name"].to_string());
        for version in versions {
            let version = version.as_object_mut().unwrap();
            if version.get("deprecated") == Some(&Value::Bool(false)) {
                version.remove("deprecated");
            }
            for column in version
                .get_mut("additionalPrinterColumns")
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                if column["priority"] == 0 {
                    column.as_object_mut().unwrap().remove("priority");
                }
            }
            if let Some(schema) = version
                .get_mut("schema")
                .and_then(|schema| schema.get_mut("openAPIV3Schema"))
            {
                root(schema);
                *schema = self::schema(schema);
            }
        }
    }
    let mut metadata = Map::new();
    for key in ["annotations", "labels"] {
        let mut entries = crd["metadata"][key].as_object().cloned().unwrap_or_default();
        entries.retain(|key, _| {
            key != "controller-gen.kubebuilder.io/version"
                && key != "kubectl.kubernetes.io/last-applied-configuration"
        });
        metadata.insert(key.to_owned(), entries.into());
    }
    let mut result = Map::new();
    result.insert("name".to_owned(), crd["metadata"]["name"].clone());
    result.insert("metadata".to_owned(), metadata.into());
    result.insert("spec".to_owned(), without_empty(&spec));
    Value::Object(result)
}

/// Removes what a schema says about fields that every object has.
fn root(schema: &mut Value) {
    let Some(map) = schema.as_object_mut() else { return };
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.remove("apiVersion");
        properties.remove("kind");
        if properties
            .get("metadata")
            .is_some_and(|metadata| metadata.get("properties").is_none())
        {
            properties.remove("metadata");
        } else if let Some(Value::Object(metadata)) = properties.get_mut("metadata") {
            metadata.remove("description");
        }
    }
    if let Some(Value::Array(required)) = map.get_mut("required") {
        required.retain(|name| !matches!(name.as_str(), Some("apiVersion" | "kind" | "metadata")));
    }
}

/// Moves required properties that a combination states to the others, and removes keywords without an effect.
fn simple(map: &Map<String, Value>) -> Map<String, Value> {
    let mut map = map.clone();
    let is_required = |part: &Value| {
        part.as_object()
            .is_some_and(|part| part.len() == 1 && part.contains_key("required"))
    };
    if let Some(Value::Array(parts)) = map.get("allOf").cloned() {
        let (required, rest): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_required);
        let names = required
            .iter()
            .flat_map(|part| part["required"].as_array().cloned().unwrap_or_default());
        let names: Vec<_> = names.collect();
        if !names.is_empty() {
            let known = map.entry("required").or_insert_with(|| Value::Array(Vec::new()));
            known.as_array_mut().unwrap().extend(names);
        }
        map.insert("allOf".to_owned(), rest.into());
    }
    if map
        .get("allOf")
        .is_some_and(|parts| parts == &Value::Array(Vec::new()))
    {
        map.remove("allOf");
    }
    let Some(json_type) = map.get("type").and_then(Value::as_str).map(str::to_owned) else {
        return map;
    };
    if map.contains_key("x-kubernetes-int-or-string") {
        return map;
    }
    let of: [(&str, &[&str]); 12] = [
        ("format", &["string", "integer", "number"]),
        ("pattern", &["string"]),
        ("minLength", &["string"]),
        ("maxLength", &["string"]),
        ("minimum", &["integer", "number"]),
        ("maximum", &["integer", "number"]),
        ("multipleOf", &["integer", "number"]),
        ("minItems", &["array"]),
        ("maxItems", &["array"]),
        ("minProperties", &["object"]),
        ("maxProperties", &["object"]),
        ("required", &["object"]),
    ];
    for (key, types) in of {
        if !types.contains(&json_type.as_str()) && !map.get(key).is_some_and(Value::is_object) {
            map.remove(key);
        }
    }
    map
}

fn schema(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut result = Map::new();
            for (key, value) in &simple(map) {
                let value = match key.as_str() {
                    "required" => {
                        let mut names: Vec<_> = value.as_array().cloned().unwrap_or_default();
                        names.sort_by_key(ToString::to_string);
                        names.dedup();
                        names.into()
                    }
                    "enum" => {
                        let mut values: Vec<Value> = Vec::new();
                        for value in value.as_array().into_iter().flatten() {
                            if !values.contains(value) {
                                values.push(value.clone());
                            }
                        }
                        values.into()
                    }
                    "default" | "example" => {
                        result.insert(key.clone(), numbers(value));
                        continue;
                    }
                    "minimum" | "maximum" | "multipleOf" => number(value),
                    _ => schema(value),
                };
                let is_default = matches!(value, Value::Bool(false) | Value::Null) || value == "";
                if !is_default {
                    result.insert(key.clone(), value);
                }
            }
            result.into()
        }
        Value::Array(items) => items.iter().map(schema).collect(),
        other => other.clone(),
    }
}

fn number(value: &Value) -> Value {
    value.as_f64().map_or_else(|| value.clone(), Value::from)
}

fn numbers(value: &Value) -> Value {
    match value {
        Value::Number(_) => number(value),
        Value::Array(items) => items.iter().map(numbers).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), numbers(value)))
            .collect(),
        other => other.clone(),
    }
}

fn without_empty(value: &Value) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .filter(|(key, value)| {
                let is_empty = value.as_array().is_some_and(Vec::is_empty) || value.is_null();
                !is_empty || key.as_str() == "default"
            })
            .map(|(key, value)| {
                let value = if matches!(key.as_str(), "default" | "example") {
                    value.clone()
                } else {
                    without_empty(value)
                };
                (key.clone(), value)
            })
            .filter(|(key, value)| {
                !(matches!(key.as_str(), "properties" | "subresources")
                    && value.as_object().is_some_and(Map::is_empty))
            })
            .collect(),
        Value::Array(items) => items.iter().map(without_empty).collect(),
        other => other.clone(),
    }
}

/// Returns the first differences between two values.
fn differences(left: &Value, right: &Value, path: &str, found: &mut Vec<String>) {
    if found.len() > 12 || left == right {
        return;
    }
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => {
            let mut keys: Vec<&String> = left.keys().chain(right.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let path = format!("{path}.{key}");
                match (left.get(key), right.get(key)) {
                    (Some(left), Some(right)) => differences(left, right, &path, found),
                    (Some(left), None) => found.push(format!("{path}: lost {}", short(left))),
                    (None, Some(right)) => found.push(format!("{path}: added {}", short(right))),
                    (None, None) => {}
                }
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                differences(left, right, &format!("{path}[{index}]"), found);
            }
        }
        _ => found.push(format!("{path}: {} is now {}", short(left), short(right))),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    text.chars().take(120).collect()
}
