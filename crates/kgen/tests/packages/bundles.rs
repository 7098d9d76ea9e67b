//! The bundles of the cases, of projects and of operators.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{folders, root};
use crate::{made, printed, run};

/// Returns the folder of each bundle, and the manifests from which kgen made it.
pub fn bundles() -> Vec<(PathBuf, String)> {
    let cases = folders(&root().join("testdata/cases")).into_iter();
    let mut found: Vec<_> = cases
        .filter(|case| case.join("expected/metadata/annotations.yaml").is_file())
        .map(|case| {
            let manifests = fs::read_to_string(case.join("all.yaml")).unwrap();
            (case.join("expected"), manifests)
        })
        .collect();
    assert!(found.len() >= 2, "{found:?}");
    let session = root().join("testdata/cli/packages");
    let manifests = fs::read_to_string(session.join("input/all.yaml")).unwrap();
    found.push((session.join("files/bundle"), manifests));
    let made = made::all().iter();
    found.extend(made.map(|made| (made.bundle.clone(), made.manifests.clone())));
    found
}

/// operator-verify ends with 0 even if there are errors, so its output counts.
pub fn verify(tool: &Path) {
    for (bundle, _) in bundles() {
        let folder = bundle.join("manifests").display().to_string();
        let output = run(
            tool,
            &[
                "manifests",
                "--object_validate",
                "--operatorhub_validate",
                &folder,
            ],
        );
        let text = printed(&output);
        let remarks: Vec<&str> = text
            .lines()
            // A remark about the option, not about the bundle.
            .filter(|line| !line.contains("validator is deprecated"))
            .filter(|line| {
                let line = line.to_lowercase();
                line.contains("error") || line.contains("warn") || line.contains("invalid")
            })
            .collect();
        println!(
            "operator-verify: {} has {} remarks",
            bundle.display(),
            remarks.len()
        );
        assert!(output.status.success() && remarks.is_empty(), "{folder}\n{text}");
    }
}

pub fn validate(tool: &Path) {
    for (bundle, _) in bundles() {
        let folder = bundle.display().to_string();
        let output = run(
            tool,
            &[
                "bundle",
                "validate",
                "--select-optional",
                "suite=operatorframework",
                &folder,
            ],
        );
        let text = printed(&output);
        let is_remark = |line: &&str| line.contains("level=warning") || line.contains("level=error");
        assert_eq!(text.lines().find(is_remark), None, "{folder}\n{text}");
        assert!(output.status.success(), "{folder}\n{text}");
    }
}
