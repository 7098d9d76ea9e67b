//! Objects as the API server admits them. `kgen-schema` reads the CRDs that kgen writes, and prunes, defaults and validates
//! objects with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kgen_schema::{Definition, read_numbers};
use serde_json::{Value, json};

const MANIFEST: &str = r#"[package]
name = "promise"
version = "0.1.0"
edition = "2024"

[dependencies]
chrono = { version = "0.4", features = ["serde"] }
jiff = { version = "0.2", features = ["serde"] }
k8s-openapi = { version = "0.29", features = ["v1_37"] }
serde = { version = "1", features = ["derive"] }
kube = "5"
serde_json = "1"
serde_repr = "0.1"
"#;

/// Writes a package with modules for kgen, given by their names and texts.
pub fn write_package<'a>(folder: &Path, modules: impl Iterator<Item = (&'a str, &'a str)>) {
    let _ = fs::remove_dir_all(folder.join("src"));
    fs::create_dir_all(folder.join("src")).unwrap();
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    fs::copy(lock, folder.join("Cargo.lock")).unwrap();
    fs::write(folder.join("Cargo.toml"), MANIFEST).unwrap();
    let mut library = String::new();
    for (name, source) in modules {
        library.push_str(&format!("pub mod {name};\n"));
        fs::write(folder.join(format!("src/{name}.rs")), source).unwrap();
    }
    fs::write(folder.join("src/lib.rs"), library).unwrap();
}

/// The CRDs of all accepted kinds.
pub struct Admission {
    definitions: BTreeMap<String, Definition>,
}

impl Admission {
    /// Generates the CRDs of a package in its folder `crd`, and reads them.
    pub fn of_package(folder: &Path) -> Self {
        let report = kgen_build::configure()
            .path(folder.join("src"))
            .crd(folder.join("crd"))
            .option("crd", "allowDangerousTypes", "true")
            .run();
        assert!(report.written, "{:#?}", report.findings);
        let mut definitions = BTreeMap::new();
        for entry in fs::read_dir(folder.join("crd")).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            let definition = Definition::from_yaml(&text).unwrap();
            definitions.insert(definition.kind().to_lowercase(), definition);
        }
        Self { definitions }
    }

    /// Returns a spec of a kind, given in lower case, as the API server stores it: with defaults, and without the fields that it prunes.
    ///
    /// # Errors
    /// Why the API server refuses it.
    pub fn admit(&self, kind: &str, spec: &Value) -> Result<Value, String> {
        let definition = self.definitions.get(kind).expect("the kind is accepted");
        let version = definition.version("v1").expect("all kinds have this version");
        let mut object = json!({
            "apiVersion": "promise.example.org/v1",
            "kind": definition.kind(),
            "metadata": { "name": "object", "namespace": "default" },
            "spec": spec,
        });
        read_numbers(&mut object);
        version.prune(&mut object).map_err(|error| error.to_string())?;
        version.default(&mut object);
        let report = version.validate(&object);
        assert_eq!(
            report.undecided,
            [],
            "kgen-cel evaluates every rule that kgen writes"
        );
        if report.errors.is_empty() {
            Ok(object.get_mut("spec").map(Value::take).unwrap_or_default())
        } else {
            Err(report.message())
        }
    }
}
