//! One run of `kgen crd` on a crate, and what it says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde_json::Value;

use super::list::Listed;

/// How a crate is read.
#[derive(Clone, Copy)]
pub enum Mode {
    /// With the conventions of kube-derive.
    Compat,
    /// With those of controller-gen.
    Usual,
}

/// The result of one run.
pub struct Outcome {
    /// The number of CRDs that were written.
    pub kinds: usize,
    /// The codes of the errors.
    pub errors: BTreeSet<String>,
    /// Whether kgen itself failed: it has a code for everything else.
    pub has_crashed: bool,
}

impl Outcome {
    /// Returns the words of the table.
    pub fn words(&self) -> String {
        if self.has_crashed {
            return "stopped".to_owned();
        }
        if self.errors.is_empty() {
            return "written".to_owned();
        }
        let codes: Vec<_> = self.errors.iter().map(|code| format!("`{code}`")).collect();
        codes.join(", ")
    }

    /// Returns whether every kind was written.
    pub fn is_written(&self) -> bool {
        self.errors.is_empty() && !self.has_crashed
    }
}

/// Runs kgen on a crate.
///
/// # Errors
/// Returns an error if kgen cannot be started.
pub fn of(kgen: &Path, package: &Path, listed: &Listed, mode: Mode) -> Result<Outcome> {
    let manifests = package.join("kgen-output");
    let compat: &[&str] = match mode {
        Mode::Compat => &["--compat", "kube-derive"],
        Mode::Usual => &[],
    };
    let output = Command::new(kgen)
        .arg("crd")
        .args(compat)
        .args(listed.features.arguments())
        .args(["--message-format", "json", "--out"])
        .arg(&manifests)
        .current_dir(package)
        .stdin(Stdio::null())
        .output()
        .context("cannot start kgen")?;
    let kinds = fs::read_dir(&manifests).map_or(0, Iterator::count);
    if manifests.exists() {
        fs::remove_dir_all(&manifests)?;
    }
    let errors = errors_in(&String::from_utf8_lossy(&output.stdout));
    let has_crashed = !output.status.success() && errors.is_empty();
    Ok(Outcome {
        kinds,
        errors,
        has_crashed,
    })
}

/// Returns the codes of the errors among the messages, one JSON object per line.
fn errors_in(messages: &str) -> BTreeSet<String> {
    let problems = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    problems
        .filter(|problem| problem["severity"] == "error")
        .filter_map(|problem| Some(problem["code"].as_str()?.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_errors_count() {
        let messages = r#"{"code":"dead-file","severity":"warning"}
{"code":"opaque-type","severity":"error"}
{"code":"opaque-type","severity":"error"}
{"summary":{}}"#;
        let errors = errors_in(messages);
        assert_eq!(errors.into_iter().collect::<Vec<_>>(), ["opaque-type"]);
    }
}
