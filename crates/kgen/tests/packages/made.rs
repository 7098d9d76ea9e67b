//! Packages that this test target makes: of new projects, of the operators of this repository, and of a session.
//!
//! kgen runs `kubectl kustomize` for them, so they need kubectl.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::project::Project;
use crate::support::{kgen, root};
use crate::{printed, run};

/// A package of each sort, and the manifests from which kgen made it.
pub struct Made {
    pub bundle: PathBuf,
    pub chart: PathBuf,
    pub manifests: String,
}

/// Returns all packages, which are made once. Without kubectl, there are none.
pub fn all() -> &'static [Made] {
    static ALL: OnceLock<Vec<Made>> = OnceLock::new();
    ALL.get_or_init(|| {
        if Command::new("kubectl")
            .arg("version")
            .arg("--client")
            .output()
            .is_err()
        {
            println!("SKIPPED: the packages of projects, because there is no kubectl");
            return Vec::new();
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let crates = root().join("crates");
        let guestbook = "create api --group webapp --version v1 --kind Guestbook";
        let begun = project("kgen", &[guestbook]);
        let with_webhooks = project(
            "kube",
            &[
                guestbook,
                "create webhook --group webapp --version v1 --kind Guestbook --defaulting --validation",
            ],
        );
        let with_versions = project(
            "kgen",
            &[
                guestbook,
                "create api --group webapp --version v2 --kind Guestbook",
                "create api --group webapp --version v1 --kind Visitor --cluster",
                "create api --group webapp --version v2 --kind Visitor",
                "create webhook --group webapp --version v2 --kind Visitor --validation",
            ],
        );
        let make = |name, source: &Path, manifests: &str| make(&folder, name, source, manifests);
        vec![
            make("new", begun.path(), "config/default"),
            make("webhooks", with_webhooks.path(), "config/default"),
            make("versions", with_versions.path(), "config/default"),
            make(
                "foo-operator",
                &crates.join("foo-operator"),
                "config/with-conversion",
            ),
            make(
                "memcached-operator",
                &crates.join("memcached-operator"),
                "config/with-webhooks",
            ),
        ]
    })
}

/// Returns a new project after commands.
fn project(style: &str, steps: &[&str]) -> Project {
    let project = Project::begin(style).unwrap();
    for step in steps {
        project.kgen(step).unwrap();
    }
    project
}

/// Makes the packages of a project, with everything that catalogs require.
fn make(folder: &Path, name: &str, source: &Path, manifests: &str) -> Made {
    let folder = folder.join(name);
    let root = root();
    let root = root.display();
    let (bundle, chart) = (folder.join("bundle"), folder.join("chart"));
    let output = kgen(source)
        .arg("paths=src")
        .arg(format!(
            "bundle:manifests={manifests},icon={root}/testdata/cases/bundle/icon.svg,description={root}/README.md,\
             provider=\"Example <https://example.com>\",maintainers=\"A <a@example.com>\""
        ))
        .arg(format!("helm:manifests={manifests}"))
        .arg(format!("output:bundle:dir={}", bundle.display()))
        .arg(format!("output:helm:dir={}", chart.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {}", printed(&output));
    let folder = source.join(manifests).display().to_string();
    let rendered = run(Path::new("kubectl"), &["kustomize", &folder]);
    assert!(rendered.status.success(), "{name}: {}", printed(&rendered));
    Made {
        bundle,
        chart,
        manifests: String::from_utf8(rendered.stdout).unwrap(),
    }
}
