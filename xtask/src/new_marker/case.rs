//! The folder of a marker's test case: an API with the marker, ready for `cargo xtask accept`.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::{Change, NewMarker, Target};
use crate::workspace::Workspace;

/// Where the cases are.
const FOLDER: &str = "testdata/cases";

/// Returns the source of the case; `cargo xtask accept` writes the expected output.
pub fn source(workspace: &Workspace, marker: &NewMarker<'_>) -> Result<Change> {
    let folder = PathBuf::from(FOLDER).join(folder_name(marker.name));
    if workspace.path(&folder).exists() {
        bail!("{} exists already", folder.display());
    }
    let text = api(marker);
    Ok(Change {
        path: folder.join("api/v1.rs"),
        shown: text.clone(),
        text,
    })
}

/// Returns the name of a case: `marker-kubebuilder-validation-max-length` for `kubebuilder:validation:MaxLength`.
fn folder_name(name: &str) -> String {
    let mut folder = String::from("marker-");
    let mut after_small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && after_small {
            folder.push('-');
        }
        after_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        folder.push(if letter.is_ascii_alphanumeric() {
            letter.to_ascii_lowercase()
        } else {
            '-'
        });
    }
    folder
}

/// Returns a small API with the marker in its place.
fn api(marker: &NewMarker<'_>) -> String {
    let line = |target: Target, comment: &str| {
        if marker.target == target {
            format!("{comment}+{}=value\n", marker.name)
        } else {
            String::new()
        }
    };
    format!(
        "//! What `+{name}` does.
//!
//! +groupName=example.com
{module}
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{{Deserialize, Serialize}};

/// Example shows the marker.
{kind}#[derive(Clone, Debug)]
pub struct Example {{
    pub metadata: ObjectMeta,
    pub spec: ExampleSpec,
}}

/// ExampleSpec is what the user wants.
{ty}#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExampleSpec {{
    /// Name of the thing.
{field}    pub name: String,
}}
",
        name = marker.name,
        module = line(Target::Module, "//! "),
        kind = line(Target::Kind, "/// "),
        ty = line(Target::Type, "/// "),
        field = line(Target::Field, "    /// "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_after_the_marker() {
        assert_eq!(
            folder_name("kubebuilder:validation:MaxLength"),
            "marker-kubebuilder-validation-max-length"
        );
        assert_eq!(folder_name("k8s:listType"), "marker-k8s-list-type");
        assert_eq!(folder_name("nullable"), "marker-nullable");
    }

    #[test]
    fn the_marker_stands_where_it_belongs() {
        let api = |target| {
            api(&NewMarker {
                name: "kgen:new",
                family: "x",
                target,
            })
        };
        assert!(api(Target::Module).contains("//! +groupName=example.com\n//! +kgen:new=value\n\nuse "));
        assert!(
            api(Target::Kind).contains("/// +kgen:new=value\n#[derive(Clone, Debug)]\npub struct Example {")
        );
        assert!(
            api(Target::Type)
                .contains("/// +kgen:new=value\n#[derive(Clone, Debug, Serialize, Deserialize)]")
        );
        assert!(api(Target::Field).contains("    /// +kgen:new=value\n    pub name: String,"));
        assert_eq!(api(Target::Field).matches("+kgen:new=value").count(), 1);
    }
}
