//! The workflows, the image and the scripts of new projects and of this repository.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::{kgen, root};
use crate::tools::Judge;
use crate::wheels::SHELLCHECK;
use crate::{printed, run};

/// Creates a project of each style, with each source of kgen's crates.
fn projects() -> Vec<TempDir> {
    let checkout = format!("path={}", root().display());
    let mut projects = Vec::new();
    for style in ["kgen", "kube"] {
        for source in ["registry", "git=https://example.com/kgen.git", &checkout] {
            let folder = tempfile::tempdir().unwrap();
            let output = kgen(folder.path())
                .args(["init", "--quiet", "--domain=example.com", "--name=shop"])
                .arg(format!("--style={style}"))
                .arg(format!("--kgen-source={source}"))
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", printed(&output));
            projects.push(folder);
        }
    }
    projects
}

/// Runs a tool on files, which it must accept without a remark.
fn accepts(tool: &Path, options: &[&str], files: &[PathBuf]) {
    assert!(!files.is_empty());
    let files = files.iter().map(|file| file.to_str().unwrap());
    let arguments: Vec<&str> = options.iter().copied().chain(files).collect();
    let output = run(tool, &arguments);
    let text = printed(&output);
    assert!(
        output.status.success() && text.is_empty(),
        "{arguments:?}:\n{text}"
    );
}

fn workflows_in(folder: &Path) -> Vec<PathBuf> {
    let folder = folder.join(".github/workflows");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    files
}

/// The workflows have no errors, and neither do their scripts, if there is a tool that knows.
pub fn workflows(actionlint: &Path) {
    let mut options = vec!["-no-color".to_owned(), "-pyflakes=".to_owned()];
    options.push(match SHELLCHECK.reason_to_skip() {
        None => format!("-shellcheck={}", SHELLCHECK.path().unwrap().display()),
        Some(reason) => {
            println!("SKIPPED: the scripts in the workflows: {reason}");
            "-shellcheck=".to_owned()
        }
    });
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    for project in projects() {
        let files = workflows_in(project.path());
        assert_eq!(files.len(), 4, "{files:?}");
        accepts(actionlint, &options, &files);
    }
    accepts(actionlint, &options, &workflows_in(&root()));
}

/// A wrong workflow is refused: the tool really reads the files.
pub fn wrong_workflow(actionlint: &Path) {
    let project = projects().remove(0);
    let file = project.path().join(".github/workflows/test.yml");
    let text = fs::read_to_string(&file).unwrap();
    let wrong = text.replace("github.job", "github.jobb");
    assert_ne!(text, wrong);
    fs::write(&file, wrong).unwrap();
    let output = run(actionlint, &["-no-color", "-shellcheck=", file.to_str().unwrap()]);
    assert!(printed(&output).contains("\"jobb\""), "{}", printed(&output));
}

/// The images have no mistakes.
pub fn dockerfiles(hadolint: &Path) {
    let projects = projects();
    let mut files: Vec<PathBuf> = projects
        .iter()
        .map(|project| project.path().join("Dockerfile"))
        .collect();
    for operator in ["foo-operator", "memcached-operator"] {
        files.push(root().join("crates").join(operator).join("Dockerfile"));
    }
    accepts(hadolint, &["--no-color"], &files);
}

/// The scripts have no mistakes.
pub fn scripts(shellcheck: &Path) {
    let project = projects().remove(0);
    let files = [
        project.path().join("hack/test-e2e.sh"),
        root().join("xtask/newcomer.sh"),
    ];
    accepts(shellcheck, &["--color=never"], &files);
}
