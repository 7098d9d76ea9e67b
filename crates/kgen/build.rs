//! Tells the command which commit it is built from: the one that cargo packaged, or the one that is checked out.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let packaged = Path::new(".cargo_vcs_info.json");
    let commit = if packaged.exists() {
        println!("cargo::rerun-if-changed={}", packaged.display());
        std::fs::read_to_string(packaged)
            .ok()
            .and_then(|text| packaged_commit(&text))
    } else {
        checked_out_commit()
    };
    if let Some(commit) = commit {
        println!("cargo::rustc-env=KGEN_COMMIT={commit}");
    }
}

/// Finds the value of `sha1` in the file that cargo adds to packages, and shortens it.
fn packaged_commit(text: &str) -> Option<String> {
    let (_, behind) = text.split_once("\"sha1\"")?;
    let value = behind.split('"').nth(1)?;
    let is_hash = value.len() >= LENGTH && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| value.get(..LENGTH).map(str::to_owned))?
}

/// Asks git. The answer changes with every commit, and so does the log of `HEAD`.
fn checked_out_commit() -> Option<String> {
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", &format!("--short={LENGTH}"), "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}

/// Digits of a commit that people can compare, and that no other commit shares.
const LENGTH: usize = 12;
