//! Projects that are created by the commands of a user, and checked by cargo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::Outcome;

/// The items that are created after `kgen init`: both scopes, two versions, two groups, names that are difficult for
/// Rust or long.
const STEPS: &[&str] = &[
    "create api --group webapp --version v1 --kind Guestbook --short gb",
    "create webhook --group webapp --version v1 --kind Guestbook --defaulting --validation",
    "create api --group webapp --version v2 --kind Guestbook",
    "create api --group my-group --version v1beta1 --kind Type --cluster --plural sorts",
    "create webhook --group my-group --version v1beta1 --kind Type --defaulting",
    "create api --group my-group --version v1beta1 --kind HTTPRoute",
    "create webhook --group my-group --version v1beta1 --kind HTTPRoute --validation",
    "create api --group webapp --version v1 --kind KindWhoseNameIsSoLongThatItFillsEveryLine",
    "create webhook --group webapp --version v1 --kind KindWhoseNameIsSoLongThatItFillsEveryLine --validation",
    "create api --external k8s_openapi::api::apps::v1::Deployment",
    "create webhook --group networking --version v1 --kind Ingress --defaulting --validation",
];

/// Webhooks for a kind of another project, whose types `kgen import` writes.
const FOREIGN: &[&str] = &[
    "create webhook --group cert-manager --external-domain io --version v1 --kind Certificate --defaulting --validation \
     --external crate::external::cert_manager_io::v1::Certificate",
];

/// The conversion between two versions that differ.
const CONVERSION: &str = "create webhook --group webapp --version v2 --kind Guestbook --conversion";

/// A project in its own folder.
pub struct Project {
    folder: TempDir,
    name: String,
}

impl Project {
    /// Returns a project that has just begun.
    pub fn begin(style: &str) -> Outcome<Self> {
        let project = Self {
            folder: tempfile::tempdir()?,
            name: format!("shop-{style}"),
        };
        let (root, name) = (root(), project.name.clone());
        project.kgen(&format!(
            "init --domain example.com --name {name} --style {style} --kgen-source path={}",
            root.display()
        ))?;
        project.take_lock_file()?;
        Ok(project)
    }

    /// Returns a project with the kinds and the manifests of a project in Go.
    pub fn of_go(style: &str) -> Outcome<Self> {
        let project = Self {
            folder: tempfile::tempdir()?,
            name: format!("harbor-{style}"),
        };
        let (root, name) = (root(), project.name.clone());
        let root = root.display();
        project.kgen(&format!(
            "init --from {root}/testdata/cli/init-from/input/harbor --name {name} --style {style} \
             --kgen-source path={root}"
        ))?;
        project.take_lock_file()?;
        Ok(project)
    }

    /// Copies the versions that this repository is tested with, so that nothing has to be downloaded.
    fn take_lock_file(&self) -> Outcome {
        fs::copy(root().join("Cargo.lock"), self.path().join("Cargo.lock"))?;
        Ok(())
    }

    /// Returns a project with everything that the commands can create.
    pub fn whole(style: &str) -> Outcome<Self> {
        let project = Self::begin(style)?;
        for step in STEPS {
            project.kgen(step)?;
        }
        project.change_version()?;
        project.kgen(CONVERSION)?;
        project.import_foreign(style)?;
        for step in FOREIGN {
            project.kgen(step)?;
        }
        Ok(project)
    }

    /// Imports the types of a kind of another project, as the book says.
    fn import_foreign(&self, style: &str) -> Outcome {
        let definition = root().join("testdata/cli/create-foreign/input/certificates.yaml");
        let definition = definition.display();
        self.kgen(&format!("import {definition} --style kube --out src/external"))?;
        let derive = (
            "Cargo.toml",
            r#"["client", "ring""#,
            r#"["client", "derive", "ring""#,
        );
        for (file, old, new) in [
            (
                "src/lib.rs",
                "pub mod conversion;\n",
                "pub mod conversion;\npub mod external;\n",
            ),
            (
                "kgen.toml",
                "[project]\n",
                "exclude = [\"Certificate\"]\n\n[project]\n",
            ),
        ]
        .into_iter()
        .chain((style == "kgen").then_some(derive))
        {
            self.edit(file, old, new)?;
        }
        Ok(())
    }

    fn edit(&self, file: &str, old: &str, new: &str) -> Outcome {
        let path = self.path().join(file);
        let text = fs::read_to_string(&path)?;
        assert!(text.contains(old), "{text}");
        Ok(fs::write(&path, text.replace(old, new))?)
    }

    /// Renames a field in the second version, as its author would.
    fn change_version(&self) -> Outcome {
        for (file, old, new) in [
            (
                "src/api/webapp/v2/guestbook.rs",
                "pub size:",
                "// +kgen:conversion:from=size\n    pub replicas:",
            ),
            ("config/samples/webapp_v2_guestbook.yaml", "size:", "replicas:"),
        ] {
            self.edit(file, old, new)?;
        }
        Ok(())
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs kgen, and returns its output.
    pub fn kgen(&self, arguments: &str) -> Outcome<String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kgen"));
        command.args(arguments.split(' ')).current_dir(self.path());
        finish(command)
    }

    /// Runs cargo like the author of the project, with one target folder for all projects.
    pub fn cargo(&self, arguments: &[&str]) -> Outcome<String> {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(self.path());
        as_author(&mut command);
        finish(command)
    }

    /// Builds the operator and returns its program.
    pub fn build(&self) -> Outcome<PathBuf> {
        self.cargo(&["build", "--offline"])?;
        Ok(target().join("debug").join(&self.name))
    }
}

/// A project is valid, from the start.
pub async fn is_sound(style: &str) -> Outcome {
    let empty = Project::begin(style)?;
    for check in [
        &["fmt", "--check"] as &[&str],
        &["clippy", "--offline", "--all-targets", "--", "-D", "warnings"],
    ] {
        empty.cargo(check)?;
    }
    let reused = Project::of_go(style)?;
    reused.cargo(&["clippy", "--offline", "--all-targets", "--", "-D", "warnings"])?;
    reused.kgen("verify")?;
    let project = Project::whole(style)?;
    // The output does not depend on whether cargo has run.
    fs::remove_file(project.path().join("Cargo.lock"))?;
    project.kgen("verify")?;
    project.take_lock_file()?;
    let files = files(project.path())?;
    for check in [
        &["fmt", "--check"] as &[&str],
        &["clippy", "--offline", "--all-targets", "--", "-D", "warnings"],
    ] {
        project.cargo(check)?;
    }
    let tests = project.cargo(&["test", "--offline"])?;
    let passed = tests.matches("... ok").count();
    assert!(passed >= 30, "{passed} tests:\n{tests}");
    project.kgen("verify")?;
    for step in STEPS.iter().chain([&CONVERSION]).chain(FOREIGN) {
        project.kgen(step)?;
    }
    assert_eq!(
        self::files(project.path())?,
        files,
        "running all commands again changes nothing"
    );
    Ok(())
}

/// Returns all files of the project except the lock file, with their contents.
fn files(folder: &Path) -> Outcome<Vec<(PathBuf, Vec<u8>)>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.file_name().is_some_and(|name| name != "Cargo.lock") {
                let bytes = fs::read(&path)?;
                found.push((path, bytes));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Gives a command the environment that the author of a project has, with one target folder for all projects.
pub fn as_author(command: &mut Command) {
    // The variables that cargo and this repository's configuration set for the tests of this repository.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG")
            || text.starts_with("CARGO_MANIFEST")
            || text.starts_with("K8S_OPENAPI")
        {
            command.env_remove(&name);
        }
    }
    command
        .env("CARGO_TARGET_DIR", target())
        // Debug information is not needed, and a smaller build is faster.
        .env("CARGO_PROFILE_DEV_DEBUG", "0");
}

/// Returns the folder of this repository.
pub fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// Returns the folder in which all projects are built.
pub fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("scaffold")
}

/// Runs a command. Returns its output, or an error if it failed.
pub fn finish(mut command: Command) -> Outcome<String> {
    let output = command.output()?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("{command:?} failed:\n{text}").into())
    }
}
