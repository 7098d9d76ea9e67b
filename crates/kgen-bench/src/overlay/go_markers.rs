//! Which fields of the Go types have a default by a marker.
//!
//! The documents of an API server state a default for almost every field that is not a pointer: Go's zero value.
//! controller-gen writes only the defaults of markers, and only these are facts about the API. Like controller-gen,
//! this leaves out defaults that name a constant (`ref(…)`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Names of fields in JSON that have a default, by the full name of their type in the documents.
pub type Stated = BTreeMap<String, BTreeSet<String>>;

/// Looks through all types of the module `k8s.io/api`.
pub fn stated_defaults(module: &Path) -> Result<Stated> {
    let mut stated = Stated::new();
    for group in folders(module)? {
        for version in folders(&group)? {
            let Ok(text) = fs::read_to_string(version.join("types.go")) else {
                continue;
            };
            let name = |path: &Path| {
                path.file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned()
            };
            let package = format!("io.k8s.api.{}.{}", name(&group), name(&version));
            let types = read(&text);
            for name in types.keys() {
                let fields = types.defaults_of(name);
                if !fields.is_empty() {
                    stated.insert(format!("{package}.{name}"), fields);
                }
            }
        }
    }
    Ok(stated)
}

fn folders(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    Ok(found)
}

/// The structs of a file.
#[derive(Default)]
struct Types(BTreeMap<String, Struct>);

#[derive(Default)]
struct Struct {
    defaults: BTreeSet<String>,
    /// Structs of the same package whose fields are embedded.
    embedded: Vec<String>,
}

impl Types {
    fn keys(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// Returns the defaults of a struct and of what it embeds. Go allows no struct that embeds itself.
    fn defaults_of(&self, name: &str) -> BTreeSet<String> {
        let Some(found) = self.0.get(name) else {
            return BTreeSet::new();
        };
        let embedded = found.embedded.iter().flat_map(|name| self.defaults_of(name));
        found.defaults.iter().cloned().chain(embedded).collect()
    }
}

/// Reads the structs of a formatted Go file: one field per line, its markers above it.
fn read(text: &str) -> Types {
    let mut types = Types::default();
    let mut current: Option<(String, Struct)> = None;
    let mut has_default = false;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("type ")
            && let Some(name) = rest.strip_suffix(" struct {")
        {
            current = Some((name.to_owned(), Struct::default()));
        } else if line == "}" {
            types.0.extend(current.take());
        } else if let Some((_, found)) = &mut current {
            let line = line.trim();
            if let Some(comment) = line.strip_prefix("//") {
                has_default |= is_default(comment.trim_start());
                continue;
            }
            if let Some(name) = json_name(line) {
                match (name, line.split_whitespace().next()) {
                    ("", Some(embedded)) => found.embedded.push(embedded.trim_start_matches('*').to_owned()),
                    _ if has_default => {
                        found.defaults.insert(name.to_owned());
                    }
                    _ => {}
                }
            }
            has_default = false;
        }
    }
    types
}

/// Returns whether a comment is a marker with a default that is not a reference.
fn is_default(comment: &str) -> bool {
    ["+default=", "+kubebuilder:default="]
        .iter()
        .filter_map(|marker| comment.strip_prefix(marker))
        .any(|value| !value.starts_with("ref("))
}

/// Returns the name of a field in its tag; empty for an embedded struct.
fn json_name(line: &str) -> Option<&str> {
    let (_, tag) = line.split_once("json:\"")?;
    let end = tag.find([',', '"'])?;
    tag.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
type Reference struct {
	// The name.
	// +default=""
	// More about it.
	Name string `json:"name,omitempty"`
	// +default=ref(Constant)
	Kind *string `json:"kind"`
}

// Selects a key.
type Selector struct {
	Reference `json:",inline"`
	// +kubebuilder:default=1
	Count int `json:"count"`
	Key string `json:"key"`
}
"#;

    #[test]
    fn markers_belong_to_the_field_below_them() {
        let types = read(FILE);
        let names = |name: &str| types.defaults_of(name).into_iter().collect::<Vec<_>>();
        assert_eq!(names("Reference"), ["name"]);
        assert_eq!(names("Selector"), ["count", "name"]);
        assert!(names("Missing").is_empty());
    }
}
