//! The pairs of `kgen diff`: folders with two states of an API and what the comparison must report.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Returns the folders with pairs, sorted: those that were tried on Kubernetes 1.36, and our own.
pub fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut found = Vec::new();
    for list in ["conformance/diff", "diff"] {
        for entry in fs::read_dir(root.join(list)).unwrap() {
            let path = entry.unwrap().path();
            if path.join("expect.json").is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 130, "only {} pairs were found", found.len());
    found
}

/// Returns the name of a pair.
pub fn name(folder: &Path) -> String {
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

/// The result of a comparison.
pub struct Compared {
    pub exit: i32,
    pub findings: Vec<Value>,
    pub verdict: String,
    pub errors: String,
}

/// Runs `kgen` in a folder.
pub fn compare(folder: &Path, arguments: &[&str]) -> Compared {
    compare_with(folder, arguments, &[])
}

/// Runs `kgen` in a folder with variables.
pub fn compare_with(folder: &Path, arguments: &[&str], variables: &[(&str, &Path)]) -> Compared {
    let output = Command::new(env!("CARGO_BIN_EXE_kgen"))
        .args(arguments)
        .envs(variables.iter().copied())
        .args(["--message-format", "json"])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let verdict = lines.iter().find_map(|line| line["summary"]["verdict"].as_str());
    Compared {
        exit: output.status.code().unwrap(),
        verdict: verdict.unwrap_or_default().to_owned(),
        findings: lines
            .iter()
            .filter(|line| line.get("level").is_some())
            .cloned()
            .collect(),
        errors: format!("{text}{}", String::from_utf8_lossy(&output.stderr)),
    }
}
