//! A package that uses kgen in its build script, built by cargo itself: its manifests are written, a changed type makes
//! the script run once, and after that it does not run again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The example, copied to a folder of its own, so that the test can change it.
struct Example {
    folder: tempfile::TempDir,
}

impl Example {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .canonicalize()
            .unwrap();
        let source = workspace.join("testdata/build-script");
        for file in ["build.rs", "src/lib.rs", "src/api/v1.rs"] {
            let target = folder.path().join(file);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(source.join(file), target).unwrap();
        }
        let manifest = fs::read_to_string(source.join("Cargo.toml")).unwrap();
        let kgen_build = workspace.join("crates/kgen-build");
        let manifest = manifest.replace(
            "kgen-build.workspace = true",
            &format!(
                "kgen-build = {{ path = '{}' }}\n\n[workspace]",
                kgen_build.display()
            ),
        );
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        fs::copy(workspace.join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
        Self { folder }
    }

    /// Builds the example; true if its build script ran.
    fn build(&self) -> (bool, Output) {
        let output = Command::new(env!("CARGO"))
            .args(["build", "--offline", "--verbose"])
            .current_dir(self.folder.path())
            .env(
                "CARGO_TARGET_DIR",
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("build-script"),
            )
            .env_remove("RUSTFLAGS")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let ran = said
            .lines()
            .any(|line| line.contains("Running") && line.contains("build-script-build"));
        (ran, output)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn change(&self, from: &str, to: &str) {
        let path = self.folder.path().join("src/api/v1.rs");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from));
        fs::write(path, text.replace(from, to)).unwrap();
    }
}

#[test]
fn the_script_runs_once_for_each_change() {
    let example = Example::new();
    let (ran, output) = example.build();
    assert!(output.status.success() && ran, "{output:?}");
    let manifest = "config/crd/garden.example.com_beds.yaml";
    assert!(example.read(manifest).contains("minimum: 1\n"));
    assert!(example.read("config/rbac/role.yaml").contains("- beds\n"));

    assert!(!example.build().0, "nothing changed, and the script ran");

    example.change("Minimum=1", "Minimum=2");
    assert!(example.build().0, "a type changed, and the script did not run");
    assert!(example.read(manifest).contains("minimum: 2\n"));
    assert!(!example.build().0, "what the script wrote made it run again");

    example.change("Minimum=2", "Minimun=2");
    let (_, output) = example.build();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(
        said.contains("src/api/v1.rs:19") && said.contains("Minimum"),
        "{said}"
    );
    assert!(
        example.read(manifest).contains("minimum: 2\n"),
        "a problem must leave the manifest alone"
    );
}
