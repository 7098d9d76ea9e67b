//! Reads objects from YAML and JSON files, as kubectl does.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Reads all objects in a file, or in all files of a folder in the order of their names.
pub(crate) fn read(path: &Path) -> Result<Vec<Value>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if !path.is_dir() {
        return read_file(path);
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        files.push(entry.map_err(failed)?.path());
    }
    files.sort();
    let is_manifest = |file: &PathBuf| {
        let extension = file.extension().and_then(|extension| extension.to_str());
        file.is_file() && matches!(extension, Some("yaml" | "yml" | "json"))
    };
    let mut objects = Vec::new();
    for file in files.into_iter().filter(is_manifest) {
        objects.append(&mut read_file(&file)?);
    }
    Ok(objects)
}

fn read_file(path: &Path) -> Result<Vec<Value>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let documents: Vec<Value> = if path.extension().is_some_and(|extension| extension == "json") {
        let value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        vec![value]
    } else {
        let documents =
            crate::yaml::read_all(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        documents.into_iter().map(|document| document.value).collect()
    };
    let mut objects = Vec::new();
    for document in documents {
        if let Some(items) = document.get("items").and_then(Value::as_array)
            && document
                .get("kind")
                .and_then(Value::as_str)
                .is_some_and(|kind| kind.ends_with("List"))
        {
            objects.extend(items.iter().cloned());
        } else if document.is_object() {
            objects.push(document);
        }
    }
    Ok(objects)
}
