//! The GitHub action and the recipes of `docs/book/src/ci.md` name things that exist, and the action runs the commands that it should.
//! `cargo xtask newcomer` tries the hooks with pre-commit itself.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn yaml(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn action() -> Value {
    yaml(&fs::read_to_string(root().join("action.yml")).unwrap())
}

/// Replaces `${{ inputs.NAME }}` by what the user gives, or by the default.
fn filled_in(text: &str, given: &[(&str, &str)]) -> String {
    let action = action();
    let inputs = action["inputs"].as_object().unwrap();
    let filled = inputs.iter().fold(text.to_owned(), |text, (name, input)| {
        let value = given.iter().find(|(known, _)| known == name);
        let value = value.map_or_else(|| input["default"].as_str().unwrap(), |(_, value)| value);
        text.replace(&format!("${{{{ inputs.{name} }}}}"), value)
    });
    assert!(!filled.contains("${{"), "an input is not declared: {filled}");
    filled
}

/// Runs the steps of the action as a runner would, and returns the commands that it runs.
fn commands(given: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().join("programs");
    let log = folder.path().join("log");
    fs::create_dir(&programs).unwrap();
    fs::create_dir(folder.path().join("operator")).unwrap();
    for name in ["cargo", "kgen"] {
        let program = programs.join(name);
        let text = format!(
            "#!/bin/sh\necho \"$(basename \"$PWD\"): {name} $*\" >> '{}'\n",
            log.display()
        );
        fs::write(&program, text).unwrap();
        let made = Command::new("chmod").arg("+x").arg(&program).status().unwrap();
        assert!(made.success());
    }
    let action = action();
    assert_eq!(action["runs"]["using"], "composite");
    for step in action["runs"]["steps"].as_array().unwrap() {
        assert_eq!(
            step["shell"], "bash",
            "a step of a composite action needs a shell"
        );
        let place = filled_in(step["working-directory"].as_str().unwrap_or("."), given);
        let mut command = Command::new("bash");
        command
            .args(["-e", "-c", &filled_in(step["run"].as_str().unwrap(), given)])
            .current_dir(folder.path().join(place))
            .env("GITHUB_ACTION_PATH", "/actions/kgen")
            .env(
                "PATH",
                format!("{}:{}", programs.display(), std::env::var("PATH").unwrap()),
            );
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            command.env(name, filled_in(value.as_str().unwrap(), given));
        }
        assert!(command.status().unwrap().success(), "{step}");
    }
    let base = folder.path().file_name().unwrap().to_string_lossy().into_owned();
    let log = fs::read_to_string(log).unwrap();
    log.lines()
        .map(|line| line.replace(&format!("{base}: "), ""))
        .collect()
}

#[test]
fn the_action_builds_kgen_from_its_own_revision() {
    assert_eq!(
        commands(&[]),
        [
            "cargo install --locked --path /actions/kgen/crates/kgen",
            "cargo fetch",
            "kgen verify --message-format github",
        ]
    );
    assert!(root().join("crates/kgen/Cargo.toml").is_file());
}

#[test]
fn the_inputs_of_the_action_count() {
    let given = [
        ("version", "0.1.0"),
        ("working-directory", "operator"),
        ("arguments", "crd paths=src/api"),
    ];
    assert_eq!(
        commands(&given),
        [
            "cargo install --locked kgen-cli --version 0.1.0",
            "operator: cargo fetch",
            "operator: kgen verify --message-format github crd paths=src/api",
        ]
    );
}

#[test]
fn the_recipes_name_what_exists() {
    let page = fs::read_to_string(root().join("docs/book/src/ci.md")).unwrap();
    let blocks: Vec<&str> = page
        .split("```yaml\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert_eq!(blocks.len(), 4);
    let read: Vec<Value> = blocks.iter().map(|block| yaml(block)).collect();
    let hooks = yaml(&fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap());
    let known: Vec<&Value> = hooks.as_array().unwrap().iter().map(|hook| &hook["id"]).collect();
    let used = read.iter().find(|block| !block["repos"].is_null()).unwrap();
    for hook in used["repos"][0]["hooks"].as_array().unwrap() {
        assert!(known.contains(&&hook["id"]), "{hook}");
    }
    for input in action()["inputs"].as_object().unwrap().keys() {
        assert!(
            page.contains(&format!("| `{input}` |")),
            "`{input}` is not on the page"
        );
    }
}
