//! Every folder in `testdata/lsp` is a session of an editor: the answers to its script must be those in `expected`.
//!
//! A folder has the files of the project in `input`, and the steps in `script.json`. Each step is an object with one of these:
//!
//! | key | does |
//! |---|---|
//! | `start` | starts the server; `capabilities` and `options` are those of the client, `folder` is the workspace |
//! | `open`, `close`, `save` | the document with this path |
//! | `change` | replaces `replace` by `with` in the text on the disk, or in the open text with `further` |
//! | `write`, `remove` | changes a file on the disk, and tells the server |
//! | `notify` | sends a notification with `params` |
//! | `request` | sends a request with `params`, and records the answer |
//! | `apply` | applies the action with this title from the answer before, and records the changed lines |
//! | `diagnostics` | records the problems of all files |
//! | `received` | records the last notification of this method |
//! | `git` | commits the files on a default branch, and starts another branch |
//!
//! A `|` in `with`, or in the text of `at`, is the cursor: `"at": ["api/v1.rs", "pub si|ze"]`. `show` are JSON pointers of the
//! parts of an answer that count, with `*` for all items, and `only` are the items that are looked for in a long list. `$ROOT` is the
//! URI of the workspace. Answers have positions as `line:column`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kgen_golden::{Goldens, Tree};
use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::support::{folders, kgen, name, root};

#[test]
fn sessions_have_the_expected_answers() {
    let mut goldens = Goldens::new();
    let wanted = std::env::var("KGEN_CASE").unwrap_or_default();
    for case in folders(&root().join("testdata/lsp")) {
        if !name(&case).contains(&wanted) {
            continue;
        }
        let answers = Session::run(&case);
        let mut text = serde_json::to_string_pretty(&answers).unwrap();
        text.push('\n');
        let found = Tree::from([("answers.json".to_owned(), text.into_bytes())]);
        goldens.compare(&case.join("expected"), &found).unwrap();
        goldens
            .only(&case, |entry| {
                ["expected", "input", "script.json"].contains(&entry)
            })
            .unwrap();
    }
    goldens
        .finish()
        .unwrap_or_else(|differences| panic!("{differences}"));
}

struct Session {
    client: Option<Client>,
    root: PathBuf,
    /// The texts of open documents.
    open: BTreeMap<String, String>,
    version: i64,
    cursor: Value,
    last: Value,
    answers: Vec<Value>,
    _folder: tempfile::TempDir,
}

impl Session {
    fn run(case: &Path) -> Vec<Value> {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let files: Tree = kgen_golden::read(&case.join("input")).unwrap();
        kgen_golden::write(&root, &files).unwrap();
        let mut session = Self {
            client: None,
            root,
            open: BTreeMap::new(),
            version: 1,
            cursor: Value::Null,
            last: Value::Null,
            answers: Vec::new(),
            _folder: folder,
        };
        let script = fs::read_to_string(case.join("script.json")).unwrap();
        let script: Vec<Value> =
            serde_json::from_str(&script).unwrap_or_else(|error| panic!("{}: {error}", name(case)));
        for (number, step) in script.iter().enumerate() {
            session.step(step, &format!("{}: step {number}", name(case)));
        }
        assert!(session.client.unwrap().stop(), "{}", name(case));
        session.answers
    }

    fn client(&mut self) -> &mut Client {
        if self.client.is_none() {
            self.start(&json!({}));
        }
        self.client.as_mut().unwrap()
    }

    fn start(&mut self, step: &Value) {
        let folder = step["folder"].as_str().unwrap_or_default();
        let folder = if folder.is_empty() {
            self.root.clone()
        } else {
            self.root.join(folder)
        };
        let mut command = kgen(&folder);
        command.arg("lsp");
        let parameters = json!({
            "processId": null,
            "rootUri": uri(&folder),
            "capabilities": step.get("capabilities").cloned().unwrap_or(json!({})),
            "initializationOptions": step["options"],
        });
        self.client = Some(Client::start_with(command, parameters));
    }

    fn step(&mut self, step: &Value, place: &str) {
        let text = |key: &str| step[key].as_str().map(str::to_owned);
        if step.get("start").is_some() {
            self.start(&step["start"]);
        } else if let Some(file) = text("open") {
            let found = fs::read_to_string(self.root.join(&file)).unwrap_or_default();
            let path = self.root.join(&file);
            self.open.insert(file, found.clone());
            self.client().open(&path, &found);
        } else if let Some(file) = text("close") {
            self.open.remove(&file);
            let document = json!({"textDocument": {"uri": uri(&self.root.join(&file))}});
            self.client().notify("textDocument/didClose", document);
        } else if let Some(file) = text("save") {
            fs::write(self.root.join(&file), &self.open[&file]).unwrap();
            let document = json!({"textDocument": {"uri": uri(&self.root.join(&file))}});
            self.client().notify("textDocument/didSave", document);
        } else if let Some(file) = text("change") {
            self.change(&file, step, place);
        } else if let Some(file) = text("write") {
            let path = self.root.join(&file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text("text").unwrap()).unwrap();
            self.changed_on_disk(&path);
        } else if let Some(file) = text("remove") {
            let path = self.root.join(&file);
            fs::remove_file(&path).unwrap();
            self.changed_on_disk(&path);
        } else if let Some(method) = text("notify") {
            let params = self.with_root(&step["params"]);
            self.client().notify(&method, params);
        } else if let Some(title) = text("apply") {
            self.apply(&title, place);
        } else if step.get("diagnostics").is_some() {
            let list = self.diagnostics();
            self.answers.push(list);
        } else if let Some(method) = text("received") {
            let unread = &self.client().unread;
            let found = unread.iter().rev().find(|message| message["method"] == *method);
            let found = found.map_or(Value::Null, |message| message["params"].clone());
            self.record(&found, step);
        } else if step.get("git").is_some() {
            self.git();
        }
        if let Some(method) = text("request") {
            self.request(&method, step, place);
        }
    }

    fn change(&mut self, file: &str, step: &Value, place: &str) {
        let path = self.root.join(file);
        let further = step.get("further").is_some();
        let before = if further {
            self.open[file].clone()
        } else {
            fs::read_to_string(&path).unwrap_or_default()
        };
        let replaced = step["replace"].as_str().unwrap_or_default();
        let with = step["with"].as_str().unwrap_or_default();
        assert!(
            before.contains(replaced),
            "{place}: `{replaced}` is not in {file}"
        );
        let marked = before.replacen(replaced, with, 1);
        let text = if with.contains('|') {
            let at = before.find(replaced).unwrap() + with.find('|').unwrap();
            self.cursor = cursor(&path, &marked, at);
            let (start, behind) = marked.split_at(at);
            format!("{start}{}", &behind[1..])
        } else {
            marked
        };
        self.version += 1;
        let version = self.version;
        self.client().change(&path, version, &text);
        self.open.insert(file.to_owned(), text);
        // Completion does not wait for a run, so the script does.
        self.client().diagnostics();
    }

    fn changed_on_disk(&mut self, path: &Path) {
        let changes = json!({"changes": [{"uri": uri(path), "type": 2}]});
        self.client().notify("workspace/didChangeWatchedFiles", changes);
    }

    fn request(&mut self, method: &str, step: &Value, place: &str) {
        let mut params = match &step["at"] {
            Value::Array(at) => {
                let (file, marked) = (at[0].as_str().unwrap(), at[1].as_str().unwrap());
                let path = self.root.join(file);
                let text = match self.open.get(file) {
                    Some(text) => text.clone(),
                    None => fs::read_to_string(&path).unwrap(),
                };
                let plain = marked.replacen('|', "", 1);
                let start = text
                    .find(&plain)
                    .unwrap_or_else(|| panic!("{place}: `{plain}` is not in {file}"));
                cursor(&path, &text, start + marked.find('|').unwrap_or_default())
            }
            _ if step.get("params").is_some() => json!({}),
            _ => self.cursor.clone(),
        };
        if method == "textDocument/codeAction" {
            let position = params["position"].clone();
            params["range"] = json!({"start": position, "end": position});
            params["context"] = json!({"diagnostics": []});
        }
        if let Some(more) = step["params"].as_object() {
            for (name, value) in more {
                params[name.as_str()] = self.with_root(value);
            }
        }
        self.last = self.client().request(method, params);
        let last = self.last.clone();
        self.record(&last, step);
    }

    /// Records the parts of an answer that count.
    fn record(&mut self, answer: &Value, step: &Value) {
        let shown = match step["show"].as_array() {
            None => answer.clone(),
            Some(pointers) if pointers.len() == 1 => part(answer, pointers[0].as_str().unwrap()),
            Some(pointers) => pointers
                .iter()
                .map(|pointer| part(answer, pointer.as_str().unwrap()))
                .collect(),
        };
        let shown = match step["only"].as_array() {
            // Of a long list, only some items count: whether they are in it.
            Some(only) => {
                let list = shown.as_array().cloned().unwrap_or_default();
                let is_there = |item: &Value| (item.to_string(), Value::from(list.contains(item)));
                Value::Object(only.iter().map(is_there).collect())
            }
            None => shown,
        };
        let shown = compact(&self.without_root(&shown));
        self.answers.push(shown);
    }

    fn apply(&mut self, title: &str, place: &str) {
        let actions = self.last.as_array().cloned().unwrap_or_default();
        let titles: Vec<_> = actions.iter().map(|action| action["title"].clone()).collect();
        let action = actions.iter().find(|action| action["title"] == *title);
        let action = action.unwrap_or_else(|| panic!("{place}: `{title}` is not in {titles:?}"));
        let mut recorded = Vec::new();
        for (file, edits) in action["edit"]["changes"].as_object().unwrap() {
            let file = file
                .strip_prefix(&format!("{}/", uri(&self.root)))
                .unwrap_or(file)
                .to_owned();
            let path = self.root.join(&file);
            let before = match self.open.get(&file) {
                Some(text) => text.clone(),
                None => fs::read_to_string(&path).unwrap(),
            };
            let text = edited(&before, edits.as_array().unwrap());
            recorded.push(json!({"file": file, "lines": changed_lines(&before, &text)}));
            if self.open.contains_key(&file) {
                self.version += 1;
                let version = self.version;
                self.client().change(&path, version, &text);
                self.open.insert(file, text);
            } else {
                fs::write(&path, text).unwrap();
                self.changed_on_disk(&path);
            }
        }
        self.answers.push(recorded.into());
    }

    /// Returns the problems as lines with their places from one.
    fn diagnostics(&mut self) -> Value {
        let found = self.client().diagnostics();
        let mut files = serde_json::Map::new();
        for (file, list) in found.into_iter().filter(|(_, list)| !list.is_empty()) {
            let line = |one: &Value| {
                let start = &one["range"]["start"];
                let number = |name: &str| start[name].as_u64().unwrap() + 1;
                format!(
                    "{}:{}: severity {} [{}] {}",
                    number("line"),
                    number("character"),
                    one["severity"],
                    one["code"].as_str().unwrap(),
                    one["message"].as_str().unwrap().lines().next().unwrap()
                )
            };
            let file = file.replace(&uri(&self.root), "$ROOT");
            files.insert(file, list.iter().map(line).collect());
        }
        Value::Object(files)
    }

    fn git(&mut self) {
        let run = |arguments: &[&str]| {
            let output = Command::new("git")
                .args([
                    "-c",
                    "user.name=somebody",
                    "-c",
                    "user.email=somebody@example.org",
                ])
                .args(["-c", "commit.gpgSign=false", "-c", "core.autocrlf=false"])
                .args(arguments)
                .current_dir(&self.root)
                .output()
                .unwrap();
            assert!(output.status.success(), "{output:?}");
        };
        run(&["init", "--quiet", "--initial-branch=main"]);
        run(&["add", "."]);
        run(&["commit", "--quiet", "--message=one"]);
        run(&["checkout", "--quiet", "-b", "other"]);
    }

    fn with_root(&self, value: &Value) -> Value {
        replaced(value, "$ROOT", &uri(&self.root))
    }

    fn without_root(&self, value: &Value) -> Value {
        replaced(value, &uri(&self.root), "$ROOT")
    }
}

fn replaced(value: &Value, old: &str, new: &str) -> Value {
    match value {
        Value::String(text) => text.replace(old, new).into(),
        Value::Array(items) => items.iter().map(|item| replaced(item, old, new)).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.replace(old, new), replaced(value, old, new)))
            .collect(),
        other => other.clone(),
    }
}

/// Writes positions as `line:column`, and ranges as two of them.
fn compact(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(compact).collect(),
        Value::Object(members) => {
            let get = |name: &str| members.get(name).map(compact);
            match (get("line"), get("character"), get("start"), get("end")) {
                (Some(line), Some(column), ..) => format!("{line}:{column}").into(),
                (_, _, Some(Value::String(start)), Some(Value::String(end))) => {
                    format!("{start}-{end}").into()
                }
                _ => members
                    .iter()
                    .map(|(name, value)| (name.clone(), compact(value)))
                    .collect(),
            }
        }
        other => other.clone(),
    }
}

/// Returns the parameters of a request at a byte of a text.
fn cursor(path: &Path, text: &str, at: usize) -> Value {
    let before = &text[..at];
    let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
    json!({
        "textDocument": {"uri": uri(path)},
        "position": {"line": before.matches('\n').count(), "character": column},
    })
}

/// Returns the part of a value at a JSON pointer, with `*` for all items of a list.
fn part(value: &Value, pointer: &str) -> Value {
    let Some((head, rest)) = pointer.split_once("/*") else {
        return value.pointer(pointer).cloned().unwrap_or_default();
    };
    let list = value.pointer(head).and_then(Value::as_array);
    list.into_iter().flatten().map(|item| part(item, rest)).collect()
}

/// Applies edits with columns in UTF-16.
fn edited(text: &str, edits: &[Value]) -> String {
    let offset = |position: &Value| {
        let number = |name: &str| usize::try_from(position[name].as_u64().unwrap()).unwrap();
        let mut lines = text.split_inclusive('\n');
        let start: usize = lines.by_ref().take(number("line")).map(str::len).sum();
        let line = lines.next().unwrap_or_default();
        let mut units = 0;
        for (at, c) in line.char_indices() {
            if units >= number("character") {
                return start + at;
            }
            units += c.len_utf16();
        }
        start + line.len()
    };
    let mut edits: Vec<_> = edits
        .iter()
        .map(|edit| {
            let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
            (range, edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = text.to_owned();
    for (range, new) in edits {
        text.replace_range(range, new);
    }
    text
}

/// Returns the lines that differ, with a sign.
fn changed_lines(before: &str, after: &str) -> Vec<String> {
    let diff = similar::TextDiff::from_lines(before, after);
    let changes = diff.iter_all_changes();
    changes
        .filter_map(|change| {
            let sign = match change.tag() {
                similar::ChangeTag::Delete => '-',
                similar::ChangeTag::Insert => '+',
                similar::ChangeTag::Equal => return None,
            };
            Some(format!("{sign}{}", change.value().trim_end_matches(['\n', '\r'])))
        })
        .collect()
}
