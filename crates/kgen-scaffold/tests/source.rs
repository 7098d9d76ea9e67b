//! New projects name a source of `kgen-runtime` that works, in `Cargo.toml`, the Dockerfile and the workflow.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kgen_scaffold::{InitOptions, KgenSource, Style};

/// Writes a project with the given source, and returns the folder that holds it.
fn project(source: KgenSource) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let options = InitOptions {
        folder: "shop".into(),
        domain: "example.com".to_owned(),
        name: None,
        style: Style::Kgen,
        source,
        license: None,
        force: Vec::new(),
    };
    let scaffold = kgen_scaffold::init(&options, folder.path()).unwrap_or_else(|findings| {
        panic!("{:?}", findings.problems);
    });
    scaffold.plan.carry_out().unwrap_or_else(|findings| {
        panic!("{:?}", findings.problems);
    });
    folder
}

fn text(folder: &tempfile::TempDir, file: &str) -> String {
    fs::read_to_string(folder.path().join("shop").join(file)).unwrap()
}

fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    crates.parent().unwrap().to_owned()
}

#[test]
fn the_registry_needs_nothing_else() {
    let folder = project(KgenSource::Registry);
    let version = env!("CARGO_PKG_VERSION");
    assert!(text(&folder, "Cargo.toml").contains(&format!("kgen-runtime = {{ version = \"{version}\"")));
    assert!(!text(&folder, "Dockerfile").contains("kgen"));
    let install = format!(" --locked kgen-cli --version {version}\n");
    assert!(text(&folder, "Makefile").contains(&install));
}

#[test]
fn a_repository_is_used_for_the_command_too() {
    let folder = project(KgenSource::Git("https://example.com/kgen".to_owned()));
    assert!(text(&folder, "Cargo.toml").contains("kgen-runtime = { git = \"https://example.com/kgen\""));
    assert!(!text(&folder, "Dockerfile").contains("kgen"));
    let makefile = text(&folder, "Makefile");
    assert!(
        makefile.contains(" --locked --git https://example.com/kgen kgen-cli\n"),
        "{makefile}"
    );
}

#[test]
fn a_folder_that_is_not_a_checkout_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let options = InitOptions {
        folder: "shop".into(),
        domain: "example.com".to_owned(),
        name: None,
        style: Style::Kgen,
        source: KgenSource::Path("/nonexistent".into()),
        license: None,
        force: Vec::new(),
    };
    let findings = kgen_scaffold::init(&options, folder.path()).err().unwrap();
    let messages: Vec<_> = findings
        .problems
        .iter()
        .map(|problem| problem.message.clone())
        .collect();
    assert_eq!(
        messages,
        ["`/nonexistent` is not a checkout of kgen: it has no `crates/kgen-runtime/Cargo.toml`"]
    );
}

/// Does the work of the image's `COPY --from=kgen` lines, and asks cargo whether the dependencies can be resolved.
#[test]
fn the_image_has_all_that_the_checkout_provides() {
    let folder = project(KgenSource::Path(root()));
    let dockerfile = text(&folder, "Dockerfile");
    let advice = format!("#   docker build --build-context kgen={} ", root().display());
    assert!(dockerfile.contains(&advice), "{dockerfile}");
    assert!(text(&folder, "Makefile").contains(&format!("--build-context kgen={} ", root().display())));
    check_installation(&text(&folder, "Makefile"));

    let image = folder.path().join("image");
    for line in dockerfile.lines() {
        let words: Vec<_> = line.split(' ').collect();
        if let ["COPY", "--from=kgen", from, to] = words.as_slice() {
            copy(&root().join(from), &image.join(to.trim_start_matches('/')));
        }
    }
    let shop = folder.path().join("shop");
    let inside = image.join(root().strip_prefix("/").unwrap());
    let manifest =
        text(&folder, "Cargo.toml").replace(&root().display().to_string(), &inside.display().to_string());
    fs::write(shop.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root().join("Cargo.lock"), shop.join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--depth", "1"])
        .current_dir(&shop)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let packages = String::from_utf8(output.stdout).unwrap();
    let runtime = inside.join("crates/kgen-runtime");
    assert!(
        packages.contains(&format!("({})", runtime.display())),
        "{packages}"
    );
}

/// Checks that `make` installs the commands of the checkout, and that these folders have their packages.
fn check_installation(makefile: &str) {
    for (folder, package) in [("kgen", "kgen-cli"), ("kgen-testenv", "kgen-testenv")] {
        let path = root().join("crates").join(folder);
        let arguments = format!(" --locked --path {}\n", path.display());
        assert!(makefile.contains(&arguments), "{arguments}{makefile}");
        let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains(&format!("name = \"{package}\"\n")),
            "{manifest}"
        );
    }
    assert!(!makefile.contains("--git"), "{makefile}");
}

/// Copies a file, or the manifests and sources of a folder.
fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
        return;
    }
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        let is_wanted = name != "target" && name != "testdata" && name != "data";
        if is_wanted && (path.is_dir() || path.extension().is_some_and(|end| end == "rs" || end == "toml")) {
            copy(&path, &to.join(name));
        }
    }
}
