//! Cases: sequences of requests with the answers of a real API server.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Returns the folder of the test data.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/apply")
}

/// Returns the files of all cases.
pub fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder().join("cases")).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// Reads a JSON file.
pub fn read(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Reads the CRD of a case.
pub fn definition(case: &Value) -> Value {
    let name = case["definition"].as_str().unwrap();
    read(&folder().join(format!("definitions/{name}.json")))
}

/// Returns the versions of a CRD.
#[allow(dead_code, reason = "not every test target needs it")]
pub fn versions(crd: &Value) -> kgen_fake::apply::Kind {
    use kgen_fake::apply::{Kind, Schema, Version};
    let definition = kgen_schema::Definition::from_json(crd).unwrap();
    let mut kind = Kind::default();
    for version in crd["spec"]["versions"].as_array().unwrap() {
        let name = version["name"].as_str().unwrap();
        let schema = Schema::of_custom_resource(definition.version(name).unwrap().schema());
        let has_status = version.pointer("/subresources/status").is_some();
        let api_version = format!("{}/{name}", definition.group());
        kind.add_version(&api_version, Version::of_custom_resource(schema, has_status));
    }
    kind
}
