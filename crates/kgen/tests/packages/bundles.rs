//! The bundles of the cases.

use std::path::{Path, PathBuf};

use crate::support::{folders, root};
use crate::{printed, run};

/// Returns the folder of each bundle.
fn bundles() -> Vec<PathBuf> {
    let cases = folders(&root().join("testdata/cases")).into_iter();
    let found: Vec<_> = cases
        .map(|case| case.join("expected"))
        .filter(|expected| expected.join("metadata/annotations.yaml").is_file())
        .collect();
    assert!(found.len() >= 2, "{found:?}");
    found
}

/// operator-verify ends with 0 even if there are errors, so its output counts.
pub fn verify(tool: &Path) {
    for bundle in bundles() {
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
    for bundle in bundles() {
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
