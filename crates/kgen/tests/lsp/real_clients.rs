//! The same script with the clients of others: headless Neovim, pytest-lsp, and the library of the VS Code extension.
//!
//! Each opens a project, waits for the diagnostic of `Minimun`, finds its code action, and completes a marker. A client that is
//! not installed is skipped, and its test says so; `KGEN_CLIENTS=required` makes that a failure.

use std::path::Path;
use std::process::Command;

use crate::requests::{Project, SOURCE};
use crate::support::root;

fn project() -> Project {
    Project::new(&SOURCE.replace("Minimum=1", "Minimun=1"))
}

fn run(what: &str, command: &mut Command, project: &Project) {
    let output = command
        .env("KGEN", env!("CARGO_BIN_EXE_kgen"))
        .env("KGEN_PROJECT", &project.root)
        .env("KGEN_FILE", &project.file)
        .current_dir(&project.root)
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && text.contains("kgen: all steps are done"),
        "{what}:\n{text}"
    );
}

fn is_installed(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

fn script(name: &str) -> std::path::PathBuf {
    root().join("crates/kgen/tests/lsp/clients").join(name)
}

/// Says that a client is not installed.
#[allow(clippy::print_stderr, reason = "a skipped test says why")]
fn skip(reason: &str) {
    let is_required = std::env::var("KGEN_CLIENTS").is_ok_and(|value| value == "required");
    assert!(!is_required, "{reason}");
    eprintln!("skipped: {reason}");
}

#[test]
fn neovim() {
    if !is_installed("nvim", &["--version"]) {
        return skip("nvim is not installed");
    }
    let project = project();
    let snippet = root().join("editors/neovim.lua");
    let mut command = Command::new("nvim");
    command
        .args(["--headless", "--clean", "-n"])
        .env("KGEN_SNIPPET", snippet)
        .arg("-c")
        .arg(format!("luafile {}", script("neovim.lua").display()));
    run("Neovim", &mut command, &project);
}

#[test]
fn pytest_lsp() {
    let python = std::env::var("KGEN_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !is_installed(&python, &["-c", "import pytest_lsp"]) {
        return skip(&format!("pytest-lsp is not installed for {python}"));
    }
    let project = project();
    let mut command = Command::new(python);
    command.arg(script("pytest_client.py"));
    run("pytest-lsp", &mut command, &project);
}

#[test]
fn the_client_of_the_extension() {
    let modules = root().join("editors/vscode/node_modules/vscode-languageserver-protocol");
    if !is_installed("node", &["--version"]) || !Path::new(&modules).is_dir() {
        return skip("run `npm ci` in editors/vscode first");
    }
    let project = project();
    let mut command = Command::new("node");
    command.arg(root().join("editors/vscode/test/protocol.mjs"));
    run("the client of the extension", &mut command, &project);
}
