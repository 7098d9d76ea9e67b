//! Every type of every k8s-openapi on this machine is read, as far as it has a schema at all.
//!
//! `cargo fetch` in a crate that depends on k8s-openapi downloads one; without any, the tests report that and check
//! nothing.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use kgen_frontend::{FeatureChoice, Input, Options, Outcome, read};
use kgen_model::{JsonType, ListType, MapType, Schema};

/// Returns the folders of all k8s-openapi that cargo has unpacked, with their versions.
fn on_disk() -> Vec<(PathBuf, String)> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let registries = home
        .into_iter()
        .filter_map(|home| fs::read_dir(home.join("registry/src")).ok())
        .flatten();
    let packages = registries
        .flatten()
        .filter_map(|registry| fs::read_dir(registry.path()).ok())
        .flatten();
    let mut found: Vec<_> = packages
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some((entry.path(), name.strip_prefix("k8s-openapi-")?.to_owned()))
        })
        .filter(|(_, version)| version.starts_with("0."))
        .collect();
    found.sort();
    if found.is_empty() {
        eprintln!("skipped: there is no k8s-openapi in the cargo home");
    }
    found
}

/// Returns the newest version module of a k8s-openapi.
fn newest_module(package: &Path) -> PathBuf {
    let folders = fs::read_dir(package.join("src"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    folders.filter(|path| path.is_dir()).max().unwrap()
}

/// The types below a module by their public paths, each with the types that its declaration names.
type Types = BTreeMap<String, BTreeSet<String>>;

fn types_below(folder: &Path, path: &str, found: &mut Types) {
    let text = fs::read_to_string(folder.join("mod.rs")).unwrap();
    for line in text.lines() {
        if let Some(name) = line
            .strip_prefix("pub use self::")
            .and_then(|rest| rest.strip_suffix(';'))
        {
            let (file, name) = name.split_once("::").unwrap();
            let text = fs::read_to_string(folder.join(format!("{file}.rs"))).unwrap();
            let declaration = text.split("\n}").next().unwrap();
            let code = declaration
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            let named = code.flat_map(|line| line.split("crate::").skip(1)).map(|rest| {
                let end = rest
                    .find(|c: char| !c.is_ascii_alphanumeric() && c != ':' && c != '_')
                    .unwrap_or(rest.len());
                format!("k8s_openapi::{}", &rest[..end])
            });
            found.insert(format!("{path}::{name}"), named.collect());
        } else if let Some(module) = line
            .strip_prefix("pub mod ")
            .and_then(|rest| rest.strip_suffix(';'))
        {
            types_below(&folder.join(module), &format!("{path}::{module}"), found);
        }
    }
}

/// Returns the types that contain themselves, and those that contain such a type.
fn recursive(types: &Types) -> BTreeSet<String> {
    let mut left: BTreeSet<_> = types.keys().cloned().collect();
    loop {
        let leads_on: BTreeSet<_> = left
            .iter()
            .filter(|path| types[*path].iter().any(|named| left.contains(named)))
            .cloned()
            .collect();
        if leads_on.len() == left.len() {
            return left;
        }
        left = leads_on;
    }
}

/// Reads a crate with one kind, whose spec has these fields, against a version of k8s-openapi on disk.
fn described(version: &str, features: &str, fields: &str) -> Outcome {
    described_from(version, features, fields, "", None)
}

/// Reads a crate with one kind, whose spec has these fields, against a version of k8s-openapi. `checksum` is a line of the lock file,
/// which selects source that ships with kgen, and `cargo_home` has other source.
fn described_from(
    version: &str,
    features: &str,
    fields: &str,
    checksum: &str,
    cargo_home: Option<PathBuf>,
) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n\n\
             [dependencies]\nk8s-openapi = {{ version = \"{version}\", features = [{features}] }}\n"
        ),
    );
    write(
        "Cargo.lock",
        &format!(
            "version = 4\n\n[[package]]\nname = \"demo\"\nversion = \"0.1.0\"\ndependencies = [\"k8s-openapi\"]\n\n\
             [[package]]\nname = \"k8s-openapi\"\nversion = \"{version}\"\n\
             source = \"registry+https://github.com/rust-lang/crates.io-index\"\n{checksum}"
        ),
    );
    write(
        "src/lib.rs",
        &format!(
            "//! +groupName=example.com\n//! +versionName=v1\n\n\
             // +kubebuilder:object:root=true\n\
             pub struct Kind {{\n\
             pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,\npub spec: KindSpec,\n}}\n\n\
             #[derive(Serialize, Deserialize)]\npub struct KindSpec {{\n{fields}}}\n"
        ),
    );
    read(&Input {
        working_folder: folder.path().to_owned(),
        paths: Vec::new(),
        features: FeatureChoice::default(),
        kinds: true,
        options: Options::default(),
        foreign_markers: Default::default(),
        unsaved: Default::default(),
        tree: None,
        cargo_home,
        deprecations: false,
        kinds_apart: false,
        lowerings: None,
        exclude: Vec::new(),
    })
}

fn spec(outcome: &Outcome) -> &Schema {
    let renderer = kgen_diagnostics::Renderer::default();
    assert!(
        !outcome.problems.has_errors(),
        "{}",
        renderer.render_all(&outcome.problems, &outcome.files)
    );
    &outcome.api.resources[0].versions[0].schema.properties["spec"]
}

#[test]
fn every_type_of_every_version() {
    for (package, version) in on_disk() {
        let module = newest_module(&package);
        let mut types = Types::new();
        types_below(&module, "k8s_openapi", &mut types);
        // A patch is made for requests and does not have a fixed shape; types with a parameter contain whatever they
        // are given.
        types.retain(|path, _| {
            path.matches("::").count() > 1
                && !["::Patch", "::WatchEvent"]
                    .iter()
                    .any(|name| path.ends_with(name))
        });
        let recursive = recursive(&types);
        let described_types: Vec<_> = types.keys().filter(|path| !recursive.contains(*path)).collect();
        let numbered = described_types.iter().enumerate();
        let fields: String = numbered
            .map(|(index, path)| format!("pub field_{index}: Option<{path}>,\n"))
            .collect();
        let outcome = described(&version, "", &fields);
        assert_eq!(spec(&outcome).properties.len(), described_types.len());
        eprintln!(
            "k8s-openapi {version}, {}: {} of {} types are read, {} contain themselves",
            module.file_name().unwrap().to_string_lossy(),
            described_types.len(),
            types.len(),
            recursive.len()
        );
        for path in recursive {
            let outcome = described(&version, "", &format!("pub field: Option<{path}>,\n"));
            let codes: BTreeSet<_> = outcome.problems.iter().map(|problem| problem.code).collect();
            assert_eq!(
                codes.into_iter().collect::<Vec<_>>(),
                [kgen_diagnostics::Code::RecursiveType],
                "{path}"
            );
        }
    }
}

/// Returns the version whose source ships with kgen, and the line of `Cargo.lock` that identifies it.
fn shipped() -> (String, String) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let names = fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path());
    let mut files = names.filter(|path| path.extension().is_some_and(|extension| extension == "source"));
    let file = fs::read(files.next().unwrap()).unwrap();
    assert!(files.next().is_none(), "more than one package ships");
    let first = file.split(|byte| *byte == b'\n').next().unwrap();
    let (before, checksum) = std::str::from_utf8(first).unwrap().rsplit_once(' ').unwrap();
    let (_, version) = before.rsplit_once(' ').unwrap();
    (version.to_owned(), format!("checksum = \"{checksum}\"\n"))
}

#[test]
fn source_that_ships_with_kgen_gives_the_same_as_that_on_disk() {
    let nowhere = tempfile::tempdir().unwrap();
    let (version, checksum) = shipped();
    for minor in 33..=37 {
        let features = format!("\"v1_{minor}\"");
        let fields = "pub template: k8s_openapi::api::core::v1::PodTemplateSpec,\n\
                      pub claim: Option<k8s_openapi::api::core::v1::PersistentVolumeClaim>,\n\
                      pub selector: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector>,\n";
        let home = Some(nowhere.path().to_owned());
        let ours = described_from(&version, &features, fields, &checksum, home);
        assert!(!ours.problems.has_errors(), "1.{minor}");
        // The manifest and the lock file can change; what ships cannot.
        let names = ours.files_read.iter().filter_map(|path| path.file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["Cargo.lock", "Cargo.toml", "lib.rs"]);
        if !on_disk().iter().any(|(_, found)| *found == version) {
            eprintln!("skipped: k8s-openapi {version} is not in the cargo home");
            continue;
        }
        let theirs = described(&version, &features, fields);
        assert!(theirs.files_read.len() > 100);
        // Places are compared as well.
        let api = |outcome: &Outcome| format!("{:#?}", outcome.api.resources);
        assert!(api(&ours) == api(&theirs), "1.{minor}");
    }
}

#[test]
fn source_with_another_checksum_is_read_from_disk() {
    let nowhere = tempfile::tempdir().unwrap();
    let (version, checksum) = shipped();
    let other: String = checksum.chars().rev().collect();
    let field = "pub port: Option<k8s_openapi::api::core::v1::ContainerPort>,\n";
    let home = Some(nowhere.path().to_owned());
    let outcome = described_from(&version, "\"v1_37\"", field, &other, home);
    assert!(outcome.problems.has_errors());
}

#[test]
fn a_pod_template_as_kubernetes_means_it() {
    let Some((_, version)) = on_disk()
        .into_iter()
        .find(|(_, version)| version.starts_with("0.29."))
    else {
        eprintln!("skipped: there is no k8s-openapi 0.29 in the cargo home");
        return;
    };
    let outcome = described(
        &version,
        "\"v1_36\"",
        "pub template: k8s_openapi::api::core::v1::PodTemplateSpec,\n",
    );
    let read: BTreeSet<_> = outcome
        .files_read
        .iter()
        .filter(|path| path.to_string_lossy().contains("/v1_"))
        .collect();
    assert!(
        read.iter().all(|path| path.to_string_lossy().contains("/v1_36/")),
        "{read:#?}"
    );
    assert!(read.len() < 150, "{} files were read", read.len());
    let pod = &spec(&outcome).properties["template"].properties["spec"];
    assert_eq!(pod.required.iter().collect::<Vec<_>>(), ["containers"]);
    assert!(
        pod.properties["hostPID"]
            .description
            .as_deref()
            .unwrap()
            .starts_with("Use the host's pid namespace.")
    );
    let container = pod.properties["containers"].items.as_deref().unwrap();
    let port = container.properties["ports"].items.as_deref().unwrap();
    assert_eq!(port.properties["hostIP"].json_type, Some(JsonType::String));
    assert_eq!(port.properties["containerPort"].format(), Some("int32"));
    let limits = container.properties["resources"].properties["limits"]
        .additional_properties
        .as_deref()
        .unwrap();
    assert!(limits.int_or_string);
}

/// Returns the one pod template of a crate that selects a version of Kubernetes.
fn pod_template(features: &str) -> Option<Outcome> {
    let found = on_disk()
        .into_iter()
        .find(|(_, version)| version.starts_with("0.29."));
    let Some((_, version)) = found else {
        eprintln!("skipped: there is no k8s-openapi 0.29 in the cargo home");
        return None;
    };
    let field = "pub template: k8s_openapi::api::core::v1::PodTemplateSpec,\n";
    Some(described(&version, features, field))
}

#[test]
fn what_the_source_has_lost_is_known_for_every_minor() {
    for minor in 33..=37 {
        let Some(outcome) = pod_template(&format!("\"v1_{minor}\"")) else {
            return;
        };
        let pod = &spec(&outcome).properties["template"].properties["spec"];
        let containers = &pod.properties["containers"];
        assert_eq!(containers.list_type, Some(ListType::Map), "1.{minor}");
        assert_eq!(*containers.list_map_keys, ["name"]);
        let container = containers.items.as_deref().unwrap();
        assert_eq!(container.properties["args"].list_type, Some(ListType::Atomic));
        let ports = &container.properties["ports"];
        assert_eq!(*ports.list_map_keys, ["containerPort", "protocol"]);
        let port = ports.items.as_deref().unwrap();
        assert_eq!(port.properties["protocol"].default, Some("TCP".into()));
        assert!(!port.required.contains("protocol"));
        // Go's zero value of a required field is not a default.
        assert_eq!(port.properties["containerPort"].default, None);
        assert_eq!(pod.properties["nodeSelector"].map_type, Some(MapType::Atomic));
        // k8s-openapi has it as a `String`, which is empty when it is absent.
        let secret = pod.properties["imagePullSecrets"].items.as_deref().unwrap();
        assert_eq!(secret.map_type, Some(MapType::Atomic));
        assert_eq!(secret.properties["name"].default, Some("".into()));
        assert!(secret.required.is_empty());
    }
}

/// Returns every list that merges by keys, from a schema inwards.
fn keyed_lists<'s>(schema: &'s Schema, found: &mut Vec<&'s Schema>) {
    if schema.list_type == Some(ListType::Map) {
        found.push(schema);
    }
    let inner = schema.items.iter().chain(&schema.additional_properties);
    for schema in schema.properties.values().chain(inner) {
        keyed_lists(schema, found);
    }
}

#[test]
fn the_keys_of_every_list_are_always_there() {
    for features in ["\"earliest\"", "\"latest\""] {
        let Some(outcome) = pod_template(features) else {
            return;
        };
        let mut lists = Vec::new();
        keyed_lists(spec(&outcome), &mut lists);
        assert!(lists.len() > 20, "{}", lists.len());
        for list in lists {
            let items = list.items.as_deref().unwrap();
            for key in list.list_map_keys.iter() {
                let property = &items.properties[key];
                assert!(
                    items.required.contains(key) || property.default.is_some(),
                    "{key}"
                );
            }
        }
    }
}
