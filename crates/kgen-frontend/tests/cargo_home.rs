//! Where the source of other crates may be: a cargo home that links to another folder, below a workspace of someone else.

#![cfg(unix)]
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use kgen_frontend::{FeatureChoice, Input, Options, read};

const LOCK: &str = r#"version = 4

[[package]]
name = "clay"
version = "1.0.0"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "k8s-openapi"
version = "0.29.0"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "pottery"
version = "0.1.0"
dependencies = ["clay", "k8s-openapi"]
"#;

const KILN: &str = "//! +groupName=example.com
//! +versionName=v1

// +kubebuilder:object:root=true
pub struct Kiln {
    pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Serialize, Deserialize)]
pub struct KilnSpec {
    pub clay: clay::kinds::Clay,
}
";

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Writes a registry with the crate `clay` to `folder`.
fn registry(folder: &Path) {
    let package = folder.join("src/index/clay-1.0.0");
    write(
        &package,
        "Cargo.toml",
        "[package]\nname = \"clay\"\nversion = \"1.0.0\"\n",
    );
    write(&package, "src/lib.rs", "pub mod kinds;\n");
    write(
        &package,
        "src/kinds.rs",
        "use serde::{Deserialize, Serialize};\n#[derive(Serialize, Deserialize)]\npub struct Clay { pub color: String }\n",
    );
}

/// Returns the rendered problems of a project in `folder` whose cargo home is `home`.
fn problems(folder: &Path, home: &Path) -> String {
    write(
        folder,
        "Cargo.toml",
        "[package]\nname = \"pottery\"\nversion = \"0.1.0\"\n\n[dependencies]\nclay = \"1\"\nk8s-openapi = \"0.29\"\n",
    );
    write(folder, "Cargo.lock", LOCK);
    write(folder, "src/lib.rs", KILN);
    let outcome = read(&Input {
        working_folder: folder.to_owned(),
        paths: Vec::new(),
        features: FeatureChoice::default(),
        kinds: true,
        options: Options::default(),
        foreign_markers: Default::default(),
        unsaved: Default::default(),
        tree: None,
        cargo_home: Some(home.to_owned()),
        deprecations: false,
        kinds_apart: false,
        lowerings: None,
        exclude: Vec::new(),
    });
    kgen_diagnostics::Renderer::default().render_all(&outcome.problems, &outcome.files)
}

#[test]
fn a_linked_registry_below_another_workspace_is_read() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    registry(&root.join("elsewhere/registry"));
    write(root, "other/Cargo.toml", "[workspace]\nmembers = []\n");
    let home = root.join("other/target/home");
    fs::create_dir_all(&home).unwrap();
    symlink(root.join("elsewhere/registry"), home.join("registry")).unwrap();
    assert_eq!(problems(&root.join("other/target/pottery"), &home), "");
    assert_eq!(problems(&root.join("pottery"), &home), "");
}

#[test]
fn a_linked_cargo_home_is_read() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    registry(&root.join("elsewhere/home/registry"));
    write(root, "elsewhere/Cargo.toml", "[workspace]\nmembers = []\n");
    write(root, "other/Cargo.toml", "[workspace]\nmembers = []\n");
    symlink(root.join("elsewhere/home"), root.join("other/home")).unwrap();
    assert_eq!(
        problems(&root.join("other/pottery"), &root.join("other/home")),
        ""
    );
}

#[test]
fn a_linked_package_is_read() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    registry(&root.join("elsewhere"));
    write(root, "other/Cargo.toml", "[workspace]\nmembers = []\n");
    let index = root.join("other/home/registry/src/index");
    fs::create_dir_all(&index).unwrap();
    symlink(
        root.join("elsewhere/src/index/clay-1.0.0"),
        index.join("clay-1.0.0"),
    )
    .unwrap();
    assert_eq!(
        problems(&root.join("other/pottery"), &root.join("other/home")),
        ""
    );
}
