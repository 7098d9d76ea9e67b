//! The same API in Go and in Rust: one kind per type, whose spec has one field of the type.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub use super::types::Type;
use crate::bench::controller_gen;
use crate::overlay;
use crate::workspace::Workspace;

/// The API group of the kinds.
pub const GROUP: &str = "types.example.org";

/// The versions of the types that belong together.
pub struct Release {
    /// Of the Go modules, such as `v0.36.4`.
    go: String,
    /// The feature of k8s-openapi, such as `v1_36`.
    feature: String,
    /// Of k8s-openapi itself.
    k8s_openapi: String,
    /// The checksum of that.
    checksum: String,
}

impl Release {
    /// Returns the versions that go with one of Kubernetes, such as `v1.36.4`.
    pub fn of(workspace: &Workspace, version: &str) -> Result<Self> {
        // Cargo has downloaded the version that this workspace is locked to.
        let (k8s_openapi, checksum) = overlay::locked_source(workspace)?;
        Ok(Self {
            go: overlay::go_version(version),
            feature: format!("v{}", overlay::minor_of(version)?.replace('.', "_")),
            k8s_openapi,
            checksum,
        })
    }
}

/// A type that everybody embeds.
pub const POD_TEMPLATE: Type = Type {
    package: "core/v1",
    name: "PodTemplateSpec",
};

/// Writes the API as a Go module, with everything that it needs downloaded.
pub fn write_go(folder: &Path, types: &[Type], release: &Release) -> Result<()> {
    let version = &release.go;
    let manifest = format!(
        "module example.org/types\n\ngo 1.24.0\n\nrequire (\n\tk8s.io/api {version}\n\tk8s.io/apimachinery {version}\n)\n"
    );
    write(&folder.join("go.mod"), &manifest)?;
    write(&folder.join("api/v1/types.go"), &go_source(types))?;
    controller_gen::tidy(folder)
}

fn go_source(types: &[Type]) -> String {
    let mut imports: BTreeMap<String, String> = types
        .iter()
        .map(|each| (each.go_package(), each.go_alias()))
        .collect();
    imports.insert(
        "k8s.io/apimachinery/pkg/apis/meta/v1".to_owned(),
        "metav1".to_owned(),
    );
    let mut text = format!(
        "// Package v1 has a kind for every type.\n//\n// +groupName={GROUP}\npackage v1\n\nimport (\n"
    );
    // Writing to a string cannot fail.
    for (package, alias) in &imports {
        let _ = writeln!(text, "\t{alias} \"{package}\"");
    }
    text.push_str(")\n");
    for each in types {
        let (kind, alias, name) = (each.kind(), each.go_alias(), each.name);
        let _ = write!(
            text,
            "\ntype {kind} struct {{\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta \
             `json:\"metadata,omitempty\"`\n\tSpec {kind}Spec `json:\"spec\"`\n}}\n\n\
             type {kind}Spec struct {{\n\tValue {alias}.{name} `json:\"value\"`\n}}\n"
        );
    }
    text
}

/// Writes the API as a crate whose dependency cargo has downloaded already.
pub fn write_rust(folder: &Path, types: &[Type], release: &Release) -> Result<()> {
    let Release {
        feature,
        k8s_openapi,
        checksum,
        ..
    } = release;
    let manifest = format!(
        "[package]\nname = \"types\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         k8s-openapi = {{ version = \"{k8s_openapi}\", features = [\"{feature}\"] }}\n"
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    let lock = format!(
        "version = 4\n\n[[package]]\nname = \"types\"\nversion = \"0.1.0\"\ndependencies = [\"k8s-openapi\"]\n\n\
         [[package]]\nname = \"k8s-openapi\"\nversion = \"{k8s_openapi}\"\n\
         source = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"{checksum}\"\n"
    );
    write(&folder.join("Cargo.lock"), &lock)?;
    write(&folder.join("src/lib.rs"), &rust_source(types))
}

fn rust_source(types: &[Type]) -> String {
    let mut text = format!(
        "//! A kind for every type.\n//!\n//! +groupName={GROUP}\n//! +versionName=v1\n\n\
         use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\nuse serde::{{Deserialize, Serialize}};\n"
    );
    for each in types {
        let (kind, path) = (each.kind(), each.rust_path());
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n// +kubebuilder:object:root=true\npub struct {kind} {{\n    pub metadata: ObjectMeta,\n    \
             pub spec: {kind}Spec,\n}}\n\n#[derive(Serialize, Deserialize)]\npub struct {kind}Spec {{\n    \
             pub value: {path},\n}}\n"
        );
    }
    text
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_hold_the_same_type() {
        let go = go_source(&[POD_TEMPLATE]);
        assert!(go.contains("\tcorev1 \"k8s.io/api/core/v1\"\n"));
        assert!(go.contains("\tValue corev1.PodTemplateSpec `json:\"value\"`\n"));
        let rust = rust_source(&[POD_TEMPLATE]);
        assert!(rust.contains("    pub value: k8s_openapi::api::core::v1::PodTemplateSpec,\n"));
    }

    #[test]
    fn the_locked_version_is_known() {
        let (version, _) = overlay::locked_source(&Workspace::find().unwrap()).unwrap();
        assert!(version.starts_with("0."), "{version}");
    }
}
