//! Steps 3 and 4: a copy of the crate without anything generated, and with the `kgen.toml` of the README.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kgen_build::{FILE_NAME, Verdict, read_project_file};
use kgen_testenv::suite::Outcome;

use crate::{block, package};

/// The output of kgen.
const GENERATED: [&str; 3] = ["src/generated", "config/crd", "config/rbac"];

pub async fn is_what_is_committed() -> Outcome {
    // The command is a thin layer over what is called here.
    assert_eq!(block(4).text, "cargo run -p kgen-cli -- generate\n");
    let workspace = tempfile::tempdir()?;
    let root = package().join("../..");
    for file in ["Cargo.toml", "Cargo.lock"] {
        fs::copy(root.join(file), workspace.path().join(file))?;
    }
    let copy = workspace.path().join("crates/foo-operator");
    for (name, text) in files(&package(), &["src", "config", "Cargo.toml"]) {
        if !is_generated(&name) {
            let path = copy.join(name);
            fs::create_dir_all(path.parent().unwrap())?;
            fs::write(path, text)?;
        }
    }
    fs::write(copy.join(FILE_NAME), block(3).text)?;

    let configuration = read_project_file(Path::new(FILE_NAME), &copy)
        .map_err(|findings| format!("{:?}", findings.problems))?;
    let report = kgen_build::run(&configuration);
    assert_eq!(report.verdict(), Verdict::Fine, "{:?}", report.findings);

    let [expected, found] = [&package(), &copy].map(|folder| {
        let mut files = files(folder, &GENERATED);
        files.retain(|name, _| is_generated(name));
        files
    });
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        expected.keys().collect::<Vec<_>>(),
        "other files are written"
    );
    for (name, text) in expected {
        assert_eq!(found[&name], text, "{name} is another one");
    }
    Ok(())
}

/// Returns whether kgen writes the file. The list of resources for kustomize is written by hand.
fn is_generated(name: &str) -> bool {
    let is_inside = |folder: &&str| name.starts_with(&format!("{folder}/"));
    GENERATED.iter().any(is_inside) && !name.ends_with("/kustomization.yaml")
}

/// Returns the files at or below some paths, by their names in the folder.
fn files(folder: &Path, paths: &[&str]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting: Vec<_> = paths.iter().map(|path| folder.join(path)).collect();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            waiting.extend(entries.map(|entry| entry.unwrap().path()));
        } else {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            found.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
    found
}
