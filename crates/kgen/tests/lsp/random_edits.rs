//! A long session of random edits: no panic, the diagnostics of a fresh process after each edit, and flat memory.
//!
//! `KGEN_EDITS` is the number of edits, and `KGEN_COMPARE_EVERY` says how many edits apart the comparisons are.

use std::fs;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::requests::{Project, SOURCE};

/// Texts that change what a file means.
const SNIPPETS: &[&str] = &[
    "// +",
    "+kubebuilder:validation:Min",
    "imum=1",
    "\n",
    "// +optional\n",
    "\"",
    "`",
    "{",
    "}",
    "self.size",
    "pub ",
    "struct X { pub a: Vec<String> }\n",
    "😀",
    "ü",
    "\r\n",
    "// +kubebuilder:validation:XValidation:rule=\"self.size > 1\"\n",
    "// +listType=set\n",
    "/*",
    "*/",
    "#[serde(default)]\n",
    "mod other;\n",
    "=",
    ":",
    ",",
];

fn number(name: &str, default: usize) -> usize {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

#[test]
fn a_long_session_equals_fresh_processes() {
    let edits = number("KGEN_EDITS", 200);
    let every = number("KGEN_COMPARE_EVERY", 1);
    let project = Project::new(SOURCE);
    let mut random = Rng::with_seed(7);
    let mut client = Client::start(project.command(), &project.root, json!({}));
    let mut session = Session {
        text: SOURCE.to_owned(),
        version: 1,
        is_open: true,
        last_valid: None,
        history: vec![SOURCE.to_owned()],
    };
    client.open(&project.file, SOURCE);
    let mut memory_before = None;
    for edit in 0..edits {
        session.edit(&mut random, &mut client, &project);
        let found = client.diagnostics();
        client.unread.clear();
        let has_syntax_error = found
            .iter()
            .filter(|(file, _)| *file == uri(&project.file))
            .flat_map(|(_, list)| list)
            .any(|one| one["code"] == "syntax");
        if edit % every == 0 {
            let expected = session.fresh(&project);
            assert_eq!(found, expected, "edit {edit} of\n{}", session.text);
        }
        if session.is_open && !has_syntax_error {
            session.last_valid = Some(session.text.clone());
        }
        if edit == edits / 10 {
            memory_before = memory(client.child.id());
        }
    }
    let memory_after = memory(client.child.id());
    if let (Some(before), Some(after)) = (memory_before, memory_after) {
        assert!(
            after < before * 3 / 2 + 16_000_000,
            "memory grew from {before} to {after} bytes"
        );
    }
    assert!(client.stop());
}

struct Session {
    text: String,
    version: i64,
    is_open: bool,
    last_valid: Option<String>,
    history: Vec<String>,
}

impl Session {
    fn edit(&mut self, random: &mut Rng, client: &mut Client, project: &Project) {
        if !self.is_open {
            self.text = fs::read_to_string(&project.file).unwrap();
            self.version = 1;
            self.is_open = true;
            self.last_valid = None;
            client.open(&project.file, &self.text);
            return;
        }
        let boundary = |random: &mut Rng, text: &str| {
            let mut at = random.usize(..=text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        match random.u32(..100) {
            0..45 => {
                let at = boundary(random, &self.text);
                let new = SNIPPETS[random.usize(..SNIPPETS.len())];
                self.replace(at, at, new, client, project);
            }
            45..65 => {
                let start = boundary(random, &self.text);
                let mut end = (start + random.usize(..12)).min(self.text.len());
                while !self.text.is_char_boundary(end) {
                    end += 1;
                }
                self.replace(start, end, "", client, project);
            }
            65..90 => {
                // Undo, so that the text does not become only noise.
                if let Some(text) = self.history.pop() {
                    self.text = text;
                }
                if self.history.is_empty() {
                    self.history.push(SOURCE.to_owned());
                }
                self.version += 1;
                client.change(&project.file, self.version, &self.text);
            }
            90..96 => {
                fs::write(&project.file, &self.text).unwrap();
                client.notify(
                    "textDocument/didSave",
                    json!({"textDocument": {"uri": uri(&project.file)}}),
                );
            }
            _ => {
                client.notify(
                    "textDocument/didClose",
                    json!({"textDocument": {"uri": uri(&project.file)}}),
                );
                self.is_open = false;
                self.last_valid = None;
            }
        }
    }

    /// Sends an incremental change, with columns in UTF-16.
    fn replace(&mut self, start: usize, end: usize, new: &str, client: &mut Client, project: &Project) {
        self.history.push(self.text.clone());
        let position = |at: usize| {
            let before = &self.text[..at];
            let line = before.matches('\n').count();
            json!({"line": line, "character": before.rsplit('\n').next().unwrap().encode_utf16().count()})
        };
        // A position between `\r` and `\n` is the end of the line for the server.
        let snapped = |at: usize| {
            if self.text[..at].ends_with('\r') && self.text[at..].starts_with('\n') {
                at - 1
            } else {
                at
            }
        };
        let (start, end) = (snapped(start), snapped(end));
        let range = json!({"start": position(start), "end": position(end)});
        self.version += 1;
        client.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": uri(&project.file), "version": self.version},
                "contentChanges": [{"range": range, "text": new}],
            }),
        );
        self.text.replace_range(start..end, new);
    }

    /// Returns the diagnostics of a new server that sees the last valid text, and then the present one.
    fn fresh(&self, project: &Project) -> Vec<(String, Vec<Value>)> {
        let mut client = Client::start(project.command(), &project.root, json!({}));
        if self.is_open {
            let first = self.last_valid.as_ref().unwrap_or(&self.text);
            client.open(&project.file, first);
            client.diagnostics();
            client.change(&project.file, 2, &self.text);
        }
        let found = client.diagnostics();
        assert!(client.stop());
        found
    }
}

/// Returns the resident memory of a process, where the system tells.
fn memory(process: u32) -> Option<usize> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: usize = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
