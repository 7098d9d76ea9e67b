//! The diagnostics of every case equal the messages of the command: code, severity, place, message, help and fixes.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::support::case::{self, Case, Order, in_copy};
use crate::support::name;

#[test]
fn the_diagnostics_of_every_case_equal_those_of_the_command() {
    let mut differences = String::new();
    for case in case::all() {
        let folder = case.copy(Order::Forward);
        // The names of temporary folders may be links.
        let root = fs::canonicalize(folder.path()).unwrap();
        let served = served(&case, &root);
        let printed = printed(&case, &root);
        if served != printed {
            let show = |list: &[Value]| list.iter().map(|one| format!("{one}\n")).collect::<String>();
            differences += &format!(
                "{}:\nthe server has\n{}the command has\n{}\n",
                name(&case.folder),
                show(&served),
                show(&printed)
            );
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// Returns the messages of the command, in terms of the protocol.
fn printed(case: &Case, root: &Path) -> Vec<Value> {
    let output = in_copy(root)
        .args(&case.arguments)
        .args(["output:dir=out", "--message-format", "json"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut list: Vec<Value> = text
        .lines()
        .map(|line| {
            let message: Value = serde_json::from_str(line).unwrap();
            // The arguments of the command are not a file.
            let file = message["file"].as_str().filter(|file| !file.starts_with('<'));
            let related = message["related"].as_array().cloned().unwrap_or_default();
            // For programs, a suggestion is the first help as well.
            let label = message["label"].as_str().unwrap_or_default();
            let help = message["help"].as_array().cloned().unwrap_or_default();
            let help: Vec<_> = help
                .into_iter()
                .filter(|help| !(label.starts_with("did you mean") && help == label))
                .collect();
            json!({
                "code": message["code"],
                "severity": match message["severity"].as_str() {
                    Some("error") => 1,
                    Some("warning") => 2,
                    _ => 3,
                },
                "uri": file.map(|file| uri(&kgen_path(root, file))),
                "range": file.map(|_| range(root, &message)),
                "message": message["message"],
                "label": label,
                "help": help,
                "related": related.iter().map(|related| {
                    json!([uri(&kgen_path(root, related["file"].as_str().unwrap())), range(root, related), related["label"]])
                }).collect::<Vec<_>>(),
            })
        })
        .collect();
    sort(&mut list);
    list
}

fn kgen_path(root: &Path, file: &str) -> std::path::PathBuf {
    let mut path = root.to_owned();
    for part in file.split('/') {
        match part {
            ".." => {
                path.pop();
            }
            "." => {}
            part => path.push(part),
        }
    }
    path
}

/// Returns the range of a message, with columns in bytes.
fn range(root: &Path, message: &Value) -> Value {
    let bytes = fs::read(kgen_path(root, message["file"].as_str().unwrap())).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let position = |line: &str, column: &str| {
        let line = usize::try_from(message[line].as_u64().unwrap()).unwrap() - 1;
        let column = usize::try_from(message[column].as_u64().unwrap()).unwrap() - 1;
        let text = text[mark..].split('\n').nth(line).unwrap_or_default();
        let column: usize = text.chars().take(column).map(char::len_utf8).sum();
        json!({"line": line, "character": column})
    };
    json!({"start": position("line", "column"), "end": position("end_line", "end_column")})
}

/// Returns the diagnostics of the server.
fn served(case: &Case, root: &Path) -> Vec<Value> {
    let mut command = in_copy(root);
    command.arg("lsp").args(&case.arguments).arg("output:dir=out");
    let capabilities = json!({"general": {"positionEncodings": ["utf-16", "utf-8"]}});
    let mut client = Client::start(command, root, capabilities);
    let mut list: Vec<Value> = Vec::new();
    let main_file = uri(&root.join("Cargo.toml"));
    for (file, diagnostics) in client.diagnostics() {
        for one in diagnostics {
            let start = json!({"line": 0, "character": 0});
            let is_general = file == main_file && one["range"] == json!({"start": start, "end": start});
            let related = one["relatedInformation"].as_array().cloned().unwrap_or_default();
            assert!(
                one["codeDescription"]["href"]
                    .as_str()
                    .unwrap()
                    .ends_with(one["code"].as_str().unwrap())
            );
            list.push(json!({
                "code": one["code"],
                "severity": one["severity"],
                "uri": (!is_general).then_some(&file),
                "range": (!is_general).then_some(&one["range"]),
                "message": one["data"]["message"],
                "label": one["data"]["label"],
                "help": one["data"]["help"],
                "related": related.iter().map(|related| {
                    json!([related["location"]["uri"], related["location"]["range"], related["message"]])
                }).collect::<Vec<_>>(),
            }));
        }
    }
    assert!(client.stop());
    sort(&mut list);
    list
}

fn sort(list: &mut [Value]) {
    list.sort_by_key(Value::to_string);
}
