//! APIs of any size to measure with: the same kinds, types, fields, docs and markers in Rust and in Go.
//!
//! [`Api::of_size`] decides what there is, from the size alone; `rust` and `go` only write it down. Ten kinds make a
//! group, every group is a module with a version module in it, and every kind has a file of its own.

mod go;
mod names;
mod rust;
mod workload;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub use go::files as go_files;
pub use rust::files as rust_files;

/// How many kinds share an API group.
const KINDS_PER_GROUP: usize = 10;

/// Versions, by turns: most APIs are not `v1` yet.
const VERSIONS: &[&str] = &["v1", "v1beta1", "v1alpha1", "v2"];

/// A whole API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Api {
    groups: Vec<Group>,
}

/// An API group with its only version.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    number: usize,
    version: &'static str,
    kinds: Vec<Kind>,
}

/// A kind: its own type comes first, then the types of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kind {
    name: String,
    types: Vec<Type>,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Type {
    name: String,
    comment: Comment,
    body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Body {
    /// The kind itself, which has metadata beside its fields.
    Kind(Vec<Field>),
    /// A struct.
    Struct(Vec<Field>),
    /// Texts, of which one is chosen.
    Choice(Vec<String>),
}

/// A field. Its name is kept as words, which the languages join in their own way.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    words: String,
    comment: Comment,
    value: Value,
    optional: bool,
}

/// The comment above a type or field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Comment {
    docs: Vec<String>,
    markers: Vec<String>,
}

impl Comment {
    /// Writes the comment as source text; the two languages differ only in the start of a line.
    fn write(&self, start: &str, text: &mut String) {
        for line in &self.docs {
            *text += &format!("{start} {line}\n");
        }
        for marker in &self.markers {
            *text += &format!("{start} +{marker}\n");
        }
    }
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Text,
    Texts,
    TextMap,
    Int32,
    Int64,
    Bool,
    Quantity,
    IntOrString,
    Time,
    /// A type of the same kind, by its name.
    One(String),
    /// A list of that.
    Many(String),
}

impl Api {
    /// Returns the API with so many kinds; always the same one for a size.
    pub fn of_size(kinds: usize) -> Result<Self> {
        let mut api = Self { groups: Vec::new() };
        for index in 0..kinds {
            if index % KINDS_PER_GROUP == 0 {
                let number = api.groups.len();
                let version = VERSIONS.get(number % VERSIONS.len()).copied().unwrap_or("v1");
                api.groups.push(Group {
                    number,
                    version,
                    kinds: Vec::new(),
                });
            }
            let kind = workload::kind(index)?;
            api.groups
                .last_mut()
                .context("there is no group")?
                .kinds
                .push(kind);
        }
        Ok(api)
    }
}

impl Group {
    /// Returns the full name of the group.
    fn name(&self) -> String {
        format!("group-{:03}.example.org", self.number)
    }
}

/// A file to write, relative to the folder of the API.
pub type File = (String, String);

/// Writes files below a folder.
pub fn write(folder: &Path, files: &[File]) -> Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn kinds(api: &Api) -> Vec<&Kind> {
        api.groups.iter().flat_map(|group| &group.kinds).collect()
    }

    fn fields(kind: &Kind) -> usize {
        let own = kind.types.iter().map(|declared| match &declared.body {
            Body::Kind(fields) => fields.len() + 1,
            Body::Struct(fields) => fields.len(),
            Body::Choice(_) => 0,
        });
        own.sum()
    }

    #[test]
    fn every_kind_has_ten_types_and_eighty_fields() {
        for kind in kinds(&Api::of_size(20).unwrap()) {
            assert_eq!((kind.types.len(), fields(kind)), (10, 80), "{}", kind.name);
        }
    }

    #[test]
    fn the_same_size_gives_the_same_api_and_smaller_ones_are_its_beginning() {
        let api = Api::of_size(30).unwrap();
        assert_eq!(api, Api::of_size(30).unwrap());
        assert_eq!(rust_files(&api), rust_files(&Api::of_size(30).unwrap()));
        assert_eq!(go_files(&api), go_files(&Api::of_size(30).unwrap()));
        assert_eq!(api.groups[..1], Api::of_size(10).unwrap().groups);
    }

    #[test]
    fn names_are_unique_and_groups_have_ten_kinds() {
        let api = Api::of_size(1_025).unwrap();
        let names: BTreeSet<_> = kinds(&api).iter().map(|kind| kind.name.clone()).collect();
        assert_eq!(names.len(), 1_025);
        let types = |group: &Group| group.kinds.iter().flat_map(|kind| kind.types.clone()).count();
        assert_eq!(api.groups.len(), 103);
        assert_eq!((types(&api.groups[0]), types(&api.groups[102])), (100, 50));
        for group in &api.groups {
            let names: BTreeSet<_> = group
                .kinds
                .iter()
                .flat_map(|kind| &kind.types)
                .map(|found| &found.name)
                .collect();
            assert_eq!(names.len(), types(group));
        }
    }

    #[test]
    fn every_type_that_a_field_names_exists_and_no_template_is_left() {
        for kind in kinds(&Api::of_size(3).unwrap()) {
            let names: Vec<_> = kind.types.iter().map(|declared| declared.name.as_str()).collect();
            for declared in &kind.types {
                let (Body::Kind(fields) | Body::Struct(fields)) = &declared.body else {
                    continue;
                };
                for field in fields {
                    if let Value::One(name) | Value::Many(name) = &field.value {
                        assert!(names.contains(&name.as_str()), "{name}");
                    }
                    assert!(!format!("{field:?}").contains("{n}"), "{field:?}");
                }
            }
        }
    }
}
