//! The API server accepts the CRDs that kgen generates from imported types, and is itself a source of CRDs.

use std::fs;
use std::path::Path;
use std::process::Command;

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Outcome;

use super::{MANIFEST, root, run};

fn kgen(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kgen"));
    command.args(arguments).current_dir(folder);
    command
}

/// Writes a crate, imports a CRD into it, and returns the folder with the CRD that kgen generates from the result.
fn generated(crd: &Path, options: &Path, folder: &Path) -> Vec<std::path::PathBuf> {
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!("{MANIFEST}kube = \"5\"\nserde_json = \"1\"\n");
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    fs::write(folder.join("src/lib.rs"), "//! Imported.\n\npub mod api;\n").unwrap();
    let mut import = kgen(folder, &["import"]);
    import.arg(crd);
    let options = fs::read_to_string(options).unwrap_or_default();
    for (name, value) in options.lines().filter_map(|line| line.split_once('=')) {
        import.args([format!("--{name}"), value.to_owned()]);
    }
    for mut command in [import, kgen(folder, &["crd", "paths=src", "output:dir=out"])] {
        let (succeeded, text) = run(&mut command);
        assert!(succeeded, "{}: {text}", crd.display());
    }
    let out = fs::read_dir(folder.join("out")).unwrap();
    out.map(|entry| entry.unwrap().path()).collect()
}

pub async fn their_definitions_are_accepted() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let folder = control_plane.folder().join("imported");
    let mut kubectl = control_plane.kubectl();
    kubectl.args(["create", "--dry-run=server", "--validate=strict"]);
    let mut count = 0;
    for case in fs::read_dir(root().join("testdata/import"))? {
        let case = case?.path();
        let name = case.file_name().unwrap_or_default();
        for path in generated(&case.join("crd.yaml"), &case.join("options"), &folder.join(name)) {
            kubectl.arg("--filename").arg(path);
            count += 1;
        }
    }
    assert!(count > 20, "only {count} definitions were generated");
    let (accepted, text) = run(&mut kubectl);
    let refused: Vec<_> = text.lines().filter(|line| !line.contains(" created ")).collect();
    assert!(accepted, "{}", refused.join("\n"));
    control_plane.stop().await?;
    Ok(())
}

pub async fn a_cluster_is_imported_and_compared() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let folder = control_plane.folder().join("cluster");
    let pair = root().join("testdata/conformance/diff/field-added-required");
    let (succeeded, text) = run(&mut kgen(&pair, &["crd", "paths=old", "output:stdout"]));
    assert!(succeeded, "{text}");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("old.yaml"), text)?;
    let (succeeded, text) = run(control_plane
        .kubectl()
        .args(["create", "--filename"])
        .arg(folder.join("old.yaml")));
    assert!(succeeded, "{text}");
    let configuration = control_plane.kubeconfig_path();
    let mut diff = kgen(&pair, &["diff", "cluster:", "new"]);
    let (succeeded, text) = run(diff.env("KUBECONFIG", &configuration));
    assert!(
        !succeeded && text.contains("error[required-added]: `.spec.color` is now required in Ladle v1"),
        "{text}"
    );
    let mut same = kgen(&pair, &["diff", "cluster:", "old"]);
    let (succeeded, text) = run(same.env("KUBECONFIG", &configuration));
    assert!(succeeded, "{text}");
    let mut import = kgen(
        &folder,
        &[
            "import",
            "--out",
            "-",
            "--cluster",
            "ladles.tea.example.org",
            "--kubeconfig",
        ],
    );
    let (succeeded, text) = run(import.arg(&configuration));
    assert!(succeeded && text.contains("pub struct Ladle {"), "{text}");
    let mut missing = kgen(
        &folder,
        &["import", "--cluster", "spoons.tea.example.org", "--kubeconfig"],
    );
    let (succeeded, text) = run(missing.arg(&configuration));
    assert!(
        !succeeded && text.contains("cannot read the CRDs of the cluster"),
        "{text}"
    );
    control_plane.stop().await?;
    Ok(())
}
