//! `kgen diff` against revisions: nothing is checked out, and the old state is read as it was.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::pairs::{Compared, compare, compare_with};

const TYPES: &str = "//! +groupName=tea.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A kettle.
pub struct Kettle {
    pub metadata: ObjectMeta,
    pub spec: KettleSpec,
}

/// What is wanted.
#[derive(Serialize, Deserialize)]
pub struct KettleSpec {
    /// How many.
    pub size: i32,
}
";

fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args([
            "-c",
            "user.name=tester",
            "-c",
            "user.email=tester@example.org",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn with_color(types: &str) -> String {
    types.replace(
        "    pub size: i32,\n",
        "    pub size: i32,\n    /// Its color.\n    pub color: String,\n",
    )
}

/// Returns a repository with one commit and the tag `v1.0.0`.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("src/api")).unwrap();
    fs::write(root.join("src/api/v1.rs"), TYPES).unwrap();
    git(root, &["init", "--quiet"]);
    commit(root, "first");
    git(root, &["tag", "v1.0.0"]);
    folder
}

fn commit(root: &Path, message: &str) {
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "--message", message]);
}

fn codes(compared: &Compared) -> Vec<String> {
    let code = |finding: &serde_json::Value| finding["code"].as_str().unwrap().to_owned();
    compared.findings.iter().map(code).collect()
}

#[test]
fn a_dirty_tree_is_compared_with_a_tag_and_left_alone() {
    let folder = repository();
    let root = folder.path();
    fs::write(root.join("src/api/v1.rs"), with_color(TYPES)).unwrap();
    let found = compare(root, &["diff", "v1.0.0"]);
    assert_eq!(
        (codes(&found), found.exit),
        (vec!["required-added".to_owned()], 1),
        "{}",
        found.errors
    );
    assert_eq!(found.findings[0]["file"], "src/api/v1.rs");
    assert_eq!(
        fs::read_to_string(root.join("src/api/v1.rs")).unwrap(),
        with_color(TYPES)
    );
    let found = compare(root, &["diff", "v1.0.0", "HEAD"]);
    assert_eq!((codes(&found), found.exit), (vec![], 0), "{}", found.errors);
    // Without arguments, the default branch is the old state.
    assert_eq!(codes(&compare(root, &["diff"])), ["required-added"]);
}

#[test]
fn a_removed_field_names_its_revision() {
    let folder = repository();
    let root = folder.path();
    fs::write(root.join("src/api/v1.rs"), with_color(TYPES)).unwrap();
    commit(root, "add a color");
    fs::write(root.join("src/api/v1.rs"), TYPES).unwrap();
    let found = compare(root, &["diff", "HEAD"]);
    assert_eq!(codes(&found), ["field-removed"], "{}", found.errors);
    assert_eq!(
        (&found.findings[0]["rev"], &found.findings[0]["line"]),
        (&"HEAD".into(), &19.into())
    );
}

#[test]
fn a_moved_module_is_the_same_api() {
    let folder = repository();
    let root = folder.path();
    fs::create_dir_all(root.join("src/types")).unwrap();
    fs::rename(root.join("src/api/v1.rs"), root.join("src/types/kettle.rs")).unwrap();
    let found = compare(root, &["diff", "v1.0.0"]);
    assert_eq!((codes(&found), found.exit), (vec![], 0), "{}", found.errors);
}

#[test]
fn the_configuration_of_the_old_state_decides_about_its_paths() {
    let folder = repository();
    let root = folder.path();
    fs::write(root.join("kgen.toml"), "paths = [\"src/api\"]\n[crd]\n").unwrap();
    commit(root, "configure");
    fs::create_dir_all(root.join("src/types")).unwrap();
    fs::rename(root.join("src/api/v1.rs"), root.join("src/types/v1.rs")).unwrap();
    fs::write(root.join("kgen.toml"), "paths = [\"src/types\"]\n[crd]\n").unwrap();
    let found = compare(root, &["diff", "HEAD"]);
    assert_eq!((codes(&found), found.exit), (vec![], 0), "{}", found.errors);
}

#[test]
fn a_file_that_was_not_rust_is_a_warning_if_the_kinds_can_be_read() {
    let folder = repository();
    let root = folder.path();
    fs::write(root.join("src/api/broken.rs"), "/// A cup.\npub struct Cup {").unwrap();
    commit(root, "break");
    fs::remove_file(root.join("src/api/broken.rs")).unwrap();
    let found = compare(root, &["diff", "HEAD"]);
    assert_eq!(found.exit, 0, "{}", found.errors);
    // In the new state, it is an error.
    git(root, &["checkout", "--quiet", "."]);
    let found = compare(root, &["diff", "v1.0.0"]);
    assert_eq!(found.exit, 1, "{}", found.errors);
    assert!(found.errors.contains("in the working tree"), "{}", found.errors);
}

#[test]
fn a_worktree_and_a_shallow_clone_have_the_same_revisions() {
    let folder = repository();
    let root = folder.path();
    fs::write(root.join("src/api/v1.rs"), with_color(TYPES)).unwrap();
    commit(root, "add a color");
    let other = tempfile::tempdir().unwrap();
    let tree = other.path().join("tree");
    git(
        root,
        &["worktree", "add", "--quiet", "--detach", tree.to_str().unwrap()],
    );
    assert_eq!(codes(&compare(&tree, &["diff", "v1.0.0"])), ["required-added"]);
    let clone = other.path().join("clone");
    let url = format!("file://{}", root.display());
    git(
        root,
        &["clone", "--quiet", "--depth", "1", &url, clone.to_str().unwrap()],
    );
    let found = compare(&clone, &["diff", "v1.0.0"]);
    assert_eq!(found.exit, 2);
    assert!(found.errors.contains("shallow"), "{}", found.errors);
    assert_eq!(compare(&clone, &["diff", "HEAD"]).exit, 0);
}

#[test]
fn names_that_mean_nothing_or_two_things_are_usage_errors() {
    let folder = repository();
    let root = folder.path();
    let found = compare(root, &["diff", "v1.0.1"]);
    assert_eq!(found.exit, 2);
    assert!(
        found.errors.contains("did you mean `v1.0.0`?"),
        "{}",
        found.errors
    );
    git(root, &["branch", "src"]);
    let found = compare(root, &["diff", "src"]);
    assert_eq!(found.exit, 2);
    assert!(
        found.errors.contains("./src") && found.errors.contains("rev:src"),
        "{}",
        found.errors
    );
    assert_eq!(compare(root, &["diff", "rev:src", "./src"]).exit, 0);
    fs::create_dir_all(root.join("empty")).unwrap();
    let found = compare(root, &["diff", "empty/", "src/"]);
    assert!(found.errors.contains("nothing-found"), "{}", found.errors);
    let outside = tempfile::tempdir().unwrap();
    assert_eq!(compare(outside.path(), &["diff"]).exit, 2);
}

#[test]
fn an_entry_allows_a_change_until_it_is_stale() {
    let folder = repository();
    let root = folder.path();
    let entry = "[crd]\n[[diff.allow]]\ncode = \"required-added\"\nkind = \"Kettle\"\npath = \".spec.color\"\nsince = \"v1.0.0\"\nreason = \"nobody uses it\"\n";
    fs::write(root.join("kgen.toml"), format!("paths = [\"src\"]\n{entry}")).unwrap();
    fs::write(root.join("src/api/v1.rs"), with_color(TYPES)).unwrap();
    let found = compare(root, &["diff", "v1.0.0"]);
    assert_eq!(found.exit, 0, "{}", found.errors);
    assert_eq!(found.findings[0]["reason"], "nobody uses it");
    assert_eq!(found.findings[0]["severity"], "note");
    commit(root, "add a color");
    let found = compare(root, &["diff", "HEAD"]);
    assert_eq!(found.exit, 0);
    assert!(found.errors.contains("is stale"), "{}", found.errors);
}

#[test]
fn rbac_rules_are_compared_on_request() {
    let folder = repository();
    let root = folder.path();
    let rule = "//! +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list\n";
    fs::write(root.join("src/api/v1.rs"), format!("{rule}{TYPES}")).unwrap();
    commit(root, "read deployments");
    let more = rule.replace("get;list", "get;delete");
    fs::write(root.join("src/api/v1.rs"), format!("{more}{TYPES}")).unwrap();
    let found = compare(root, &["diff", "rbac", "HEAD"]);
    assert_eq!(codes(&found), ["access-added"], "{}", found.errors);
    // A rule with a wildcard covers the others.
    let wide = "//! +kubebuilder:rbac:groups=apps,resources=*/scale,verbs=get\n//! +kubebuilder:rbac:urls=/metrics/*,verbs=get\n";
    let narrow = wide
        .replace("*/scale", "deployments/scale")
        .replace("/metrics/*", "/metrics/all");
    for (old, new, expected) in [(wide, &*narrow, 0), (&*narrow, wide, 2)] {
        fs::create_dir_all(root.join("old")).unwrap();
        fs::write(root.join("old/v1.rs"), format!("{old}{TYPES}")).unwrap();
        fs::write(root.join("src/api/v1.rs"), format!("{new}{TYPES}")).unwrap();
        let found = compare(root, &["diff", "rbac", "old/", "src/"]);
        assert_eq!(codes(&found).len(), expected, "{}", found.errors);
    }
    fs::remove_dir_all(root.join("old")).unwrap();
    let fewer = rule.replace("get;list", "get");
    fs::write(root.join("src/api/v1.rs"), format!("{fewer}{TYPES}")).unwrap();
    assert_eq!(
        codes(&compare(root, &["diff", "rbac", "HEAD"])),
        Vec::<String>::new()
    );
}

#[test]
fn witnesses_are_written_to_files() {
    let folder = repository();
    let root = folder.path();
    fs::write(root.join("src/api/v1.rs"), with_color(TYPES)).unwrap();
    compare(root, &["diff", "v1.0.0", "--witness", "witnesses"]);
    let text = fs::read_to_string(root.join("witnesses/kettle-v1-required-added-spec-color.yaml")).unwrap();
    assert!(
        text.contains("kind: Kettle") && text.contains("size: 0"),
        "{text}"
    );
}

/// A type of another crate is read at the version in the old `Cargo.lock`, as long as that version is on disk.
#[test]
fn types_of_other_crates_are_those_of_the_old_lock_file() {
    let folder = repository();
    let root = folder.path();
    let home = tempfile::tempdir().unwrap();
    let crate_of = |version: &str, field: &str| {
        let package = home
            .path()
            .join(format!("registry/src/index.example/pots-{version}"));
        fs::create_dir_all(package.join("src")).unwrap();
        fs::write(
            package.join("Cargo.toml"),
            format!("[package]\nname = \"pots\"\nversion = \"{version}\"\nedition = \"2024\"\n"),
        )
        .unwrap();
        fs::write(
            package.join("src/lib.rs"),
            format!(
                "use serde::{{Deserialize, Serialize}};\n/// A pot.\n#[derive(Serialize, Deserialize)]\npub struct Pot {{\n    /// A value.\n    pub {field}: i32,\n}}\n"
            ),
        )
        .unwrap();
    };
    let lock = |version: &str| {
        format!(
            "version = 4\n\n[[package]]\nname = \"pots\"\nversion = \"{version}\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n[[package]]\nname = \"tea\"\nversion = \"0.1.0\"\ndependencies = [\"pots\"]\n"
        )
    };
    crate_of("1.0.0", "size");
    crate_of("1.1.0", "volume");
    let types = TYPES.replace("    pub size: i32,", "    pub pot: pots::Pot,");
    fs::write(root.join("src/api/v1.rs"), types).unwrap();
    fs::write(
        root.join("src/lib.rs"),
        "//! Tea.\n\npub mod api {\n    pub mod v1;\n}\n",
    )
    .unwrap();
    fs::write(
        root.join("Cargo.toml"),
        "[package]\nname = \"tea\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nk8s-openapi = \"0.29\"\npots = \"1\"\nserde = \"1\"\n",
    )
    .unwrap();
    fs::write(root.join("Cargo.lock"), lock("1.0.0")).unwrap();
    commit(root, "use pots");
    fs::write(root.join("Cargo.lock"), lock("1.1.0")).unwrap();
    let compared = || compare_with(root, &["diff", "HEAD"], &[("CARGO_HOME", home.path())]);
    let found = compared();
    let paths: Vec<_> = found
        .findings
        .iter()
        .map(|finding| finding["path"].as_str().unwrap())
        .collect();
    assert_eq!(
        (codes(&found), paths),
        (
            vec!["field-removed".to_owned(), "required-added".to_owned()],
            vec![".spec.pot.size", ".spec.pot.volume"]
        ),
        "{}",
        found.errors
    );
    // Without the old version on disk, a note says which types are compared.
    fs::remove_dir_all(home.path().join("registry/src/index.example/pots-1.0.0")).unwrap();
    let found = compared();
    assert_eq!((codes(&found), found.exit), (vec![], 0), "{}", found.errors);
    assert!(
        found
            .errors
            .contains("types of other crates were taken from the new state"),
        "{}",
        found.errors
    );
}

/// A CRD from a cluster lists the versions of its stored objects.
#[test]
fn versions_that_a_cluster_still_stores_are_reported() {
    let folder = repository();
    let root = folder.path();
    let types = TYPES.replace("v1\n", "v2\n").replace(
        "/// A kettle.\n",
        "/// A kettle.\n// +kubebuilder:storageversion\n",
    );
    fs::write(root.join("src/api/v2.rs"), types).unwrap();
    let schema = "{type: object, required: [spec], properties: {spec: {type: object, required: [size], properties: {size: {type: integer, format: int32}}}}}";
    let crd = |stored: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: kettles.tea.example.org}}\nspec:\n  group: tea.example.org\n  scope: Namespaced\n  names: {{kind: Kettle, plural: kettles}}\n  versions:\n  - {{name: v0, served: false, storage: false, schema: {{openAPIV3Schema: {schema}}}}}\n  - {{name: v1, served: true, storage: false, schema: {{openAPIV3Schema: {schema}}}}}\n  - {{name: v2, served: true, storage: true, schema: {{openAPIV3Schema: {schema}}}}}\nstatus: {{storedVersions: [{stored}]}}\n"
        )
    };
    let found = |stored: &str| {
        fs::write(root.join("crds.yaml"), crd(stored)).unwrap();
        let found = compare(root, &["diff", "crds.yaml", "src/"]);
        let key = |finding: &serde_json::Value| {
            let text = |key: &str| finding[key].as_str().unwrap().to_owned();
            (text("code"), text("level"), text("version"))
        };
        let found: Vec<_> = found.findings.iter().map(key).collect();
        found
    };
    let finding =
        |code: &str, level: &str, version: &str| (code.to_owned(), level.to_owned(), version.to_owned());
    assert_eq!(found("v2"), [finding("version-removed", "compatible", "v0")]);
    assert_eq!(found("v0, v2"), [finding("version-removed", "breaking", "v0")]);
    assert_eq!(
        found("v1, v2"),
        [
            finding("version-removed", "compatible", "v0"),
            finding("storage-changed", "risky", "v2")
        ]
    );
}

#[test]
fn two_crds_with_one_name_are_an_error_on_both_sides() {
    let folder = repository();
    let root = folder.path();
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: kettles.tea.example.org}\nspec:\n  group: tea.example.org\n  scope: Namespaced\n  names: {kind: Kettle, plural: kettles}\n  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n";
    fs::write(root.join("one.yaml"), crd).unwrap();
    fs::write(root.join("two.yaml"), format!("{crd}---\n{crd}")).unwrap();
    for states in [["two.yaml", "one.yaml"], ["one.yaml", "two.yaml"]] {
        let found = compare(root, &["diff", states[0], states[1]]);
        assert_eq!((found.exit, found.findings.len()), (1, 0), "{}", found.errors);
        assert!(found.errors.contains("is given twice"), "{}", found.errors);
    }
}

#[test]
fn a_kind_that_neither_state_has_is_a_usage_error() {
    let folder = repository();
    let found = compare(folder.path(), &["diff", "v1.0.0", "--kind", "Kettl"]);
    assert_eq!(found.exit, 2);
    assert!(
        found.errors.contains("did you mean `Kettle`?"),
        "{}",
        found.errors
    );
}
