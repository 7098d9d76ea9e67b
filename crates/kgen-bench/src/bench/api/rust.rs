//! An API as a Rust crate, for kgen.

use std::fmt::Write;

use super::{Api, Body, Field, File, Group, Kind, Type, Value, names};

/// Returns the files of the crate.
pub fn files(api: &Api) -> Vec<File> {
    let mut files = vec![
        ("Cargo.toml".to_owned(), MANIFEST.to_owned()),
        (
            "src/lib.rs".to_owned(),
            "//! An operator of the benchmark.\n\npub mod api;\n".to_owned(),
        ),
        (
            "src/api/mod.rs".to_owned(),
            modules("//! All groups.\n", api.groups.iter().map(module)),
        ),
    ];
    for group in &api.groups {
        let folder = format!("src/api/{}", module(group));
        let head = format!(
            "//! One group of the benchmark.\n//!\n//! +groupName={}\n",
            group.name()
        );
        files.push((
            format!("{folder}/mod.rs"),
            modules(&head, [group.version.to_owned()]),
        ));
        let folder = format!("{folder}/{}", group.version);
        let kinds = group.kinds.iter().map(|kind| names::file(&kind.name));
        files.push((
            format!("{folder}/mod.rs"),
            modules("//! The kinds of this version.\n", kinds),
        ));
        files.extend(
            group
                .kinds
                .iter()
                .map(|kind| (format!("{folder}/{}.rs", names::file(&kind.name)), source(kind))),
        );
    }
    files
}

const MANIFEST: &str = r#"[package]
name = "bench-operator"
version = "0.1.0"
edition = "2024"

[dependencies]
k8s-openapi = { version = "0.29", features = ["latest"] }
serde = { version = "1", features = ["derive"] }

[workspace]
"#;

const IMPORTS: &str = "\
use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};
";

fn module(group: &Group) -> String {
    format!("group_{:03}", group.number)
}

fn modules(head: &str, names: impl IntoIterator<Item = String>) -> String {
    let lines: String = names
        .into_iter()
        .map(|name| format!("pub mod {name};\n"))
        .collect();
    format!("{head}\n{lines}")
}

fn source(kind: &Kind) -> String {
    let mut text = format!("//! {} and the types of its fields.\n\n{IMPORTS}", kind.name);
    for declared in &kind.types {
        declaration(declared, &mut text);
    }
    text
}

fn declaration(declared: &Type, text: &mut String) {
    text.push('\n');
    declared.comment.write("///", text);
    // Writing to a string cannot fail.
    let _ = match &declared.body {
        Body::Kind(_) => writeln!(text, "#[derive(Clone, Debug)]"),
        Body::Struct(_) => {
            writeln!(
                text,
                "#[derive(Clone, Debug, Serialize, Deserialize)]\n#[serde(rename_all = \"camelCase\")]"
            )
        }
        Body::Choice(_) => writeln!(text, "#[derive(Clone, Copy, Debug, Serialize, Deserialize)]"),
    };
    let keyword = if matches!(declared.body, Body::Choice(_)) {
        "enum"
    } else {
        "struct"
    };
    let _ = writeln!(text, "pub {keyword} {} {{", declared.name);
    match &declared.body {
        Body::Kind(list) => {
            text.push_str("    pub metadata: ObjectMeta,\n");
            list.iter().for_each(|each| field(each, false, text));
        }
        Body::Struct(list) => list.iter().for_each(|each| field(each, true, text)),
        Body::Choice(values) => values
            .iter()
            .for_each(|value| text.push_str(&format!("    {value},\n"))),
    }
    text.push_str("}\n");
}

fn field(field: &Field, with_serde: bool, text: &mut String) {
    text.push('\n');
    field.comment.write("    ///", text);
    let (inner, empty) = match &field.value {
        Value::Text => ("String".to_owned(), None),
        Value::Texts => ("Vec<String>".to_owned(), Some("Vec::is_empty")),
        Value::TextMap => ("BTreeMap<String, String>".to_owned(), Some("BTreeMap::is_empty")),
        Value::Int32 => ("i32".to_owned(), None),
        Value::Int64 => ("i64".to_owned(), None),
        Value::Bool => ("bool".to_owned(), None),
        Value::Quantity => ("Quantity".to_owned(), None),
        Value::IntOrString => ("IntOrString".to_owned(), None),
        Value::Time => ("Time".to_owned(), None),
        Value::One(name) => (name.clone(), None),
        Value::Many(name) => (format!("Vec<{name}>"), Some("Vec::is_empty")),
    };
    if field.optional && with_serde {
        let empty = empty.unwrap_or("Option::is_none");
        let _ = writeln!(text, "    #[serde(default, skip_serializing_if = \"{empty}\")]");
    }
    let value = if field.optional && empty.is_none() {
        format!("Option<{inner}>")
    } else {
        inner
    };
    let name = if field.words == "type" {
        "r#type".to_owned()
    } else {
        names::snake(&field.words)
    };
    let _ = writeln!(text, "    pub {name}: {value},");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_a_module_with_a_version_and_a_file_a_kind() {
        let files = files(&Api::of_size(11).unwrap());
        let paths: Vec<_> = files.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(
            paths[3..6],
            [
                "src/api/group_000/mod.rs",
                "src/api/group_000/v1/mod.rs",
                "src/api/group_000/v1/amber_anchor.rs"
            ]
        );
        assert_eq!(
            paths[15..],
            [
                "src/api/group_001/mod.rs",
                "src/api/group_001/v1beta1/mod.rs",
                "src/api/group_001/v1beta1/amber_kiln.rs"
            ]
        );
    }

    #[test]
    fn fields_have_docs_markers_serde_and_a_type() {
        let (_, text) = files(&Api::of_size(1).unwrap()).pop().unwrap();
        let expected = r#"
    /// When the image is fetched again.
    /// +kubebuilder:validation:Enum=Always;Never;IfNotPresent
    /// +kubebuilder:default=IfNotPresent
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_pull_policy: Option<String>,
"#;
        assert!(text.contains(expected), "{text}");
    }
}
