//! The parts that several test targets share: the command as tests run it, and its transcript.

#![allow(dead_code, reason = "each target uses a part of it")]

pub mod case;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the root of the workspace.
pub fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).unwrap().to_owned()
}

/// Returns the folders in a folder, sorted by name.
pub fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    let mut folders: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

/// Returns the last part of a path.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Returns the command, ready to run in a folder. Colors and widths do not depend on the caller's environment.
pub fn kgen(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kgen"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "COMPLETE"] {
        command.env_remove(name);
    }
    command.current_dir(folder);
    command
}

/// Returns the text of one call as a snapshot shows it: the line that was typed, the output, and the exit code.
pub fn transcript(line: &str, output: &Output) -> String {
    let mut text = format!("$ {line}\n");
    for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !bytes.is_empty() {
            let shown = masked(&String::from_utf8_lossy(bytes));
            writeln!(text, "[{name}]\n{}", shown.trim_end_matches('\n')).unwrap();
        }
    }
    match output.status.code() {
        Some(code) => writeln!(text, "[exit {code}]").unwrap(),
        None => text.push_str("[killed]\n"),
    }
    text
}

/// Returns the text with placeholders for version, commit and checkout, and with visible control characters.
fn masked(text: &str) -> String {
    let text = text
        .replace('\u{1b}', "^[")
        .replace('\r', "^M")
        .replace(&root().display().to_string(), "[CHECKOUT]")
        .replace(env!("CARGO_PKG_VERSION"), "[VERSION]");
    let text: String = text.split_inclusive('\n').map(without_time).collect();
    let Some((before, after)) = text.split_once("[VERSION] (") else {
        return text;
    };
    match after.split_once(')') {
        Some((commit, rest)) if commit.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            format!("{before}[VERSION] ([COMMIT]){rest}")
        }
        _ => text,
    }
}

/// Returns a line of the table of `--timings` with a placeholder for its time.
fn without_time(line: &str) -> String {
    let masked = line.split_once(" ms").and_then(|(before, behind)| {
        let name = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        (name.len() < before.len() && name.ends_with("  "))
            .then(|| format!("{:<24}{:>12}{behind}", name.trim_end(), "[TIME]"))
    });
    masked.unwrap_or_else(|| line.to_owned())
}
