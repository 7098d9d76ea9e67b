//! A client of the language server over pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Longer than any answer takes on a busy machine.
const WATCHDOG: Duration = Duration::from_secs(300);

/// A running server.
pub struct Client {
    pub child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    /// Notifications and requests of the server that nobody has looked at.
    pub unread: Vec<Value>,
    next_id: u64,
}

impl Client {
    /// Starts a server for a workspace.
    pub fn start(command: Command, root: &Path, capabilities: Value) -> Self {
        Self::start_with(
            command,
            json!({"processId": null, "rootUri": uri(root), "capabilities": capabilities}),
        )
    }

    /// Starts a server with the parameters of `initialize`.
    pub fn start_with(mut command: Command, parameters: Value) -> Self {
        let mut client = Self::spawn(&mut command);
        let result = client.request("initialize", parameters);
        assert!(
            result.pointer("/capabilities/hoverProvider").is_some(),
            "{result}"
        );
        client.notify("initialized", json!({}));
        client
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            input,
            messages,
            unread: Vec::new(),
            next_id: 0,
        }
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.input.flush().unwrap();
    }

    /// Sends a request without waiting. Returns its id.
    pub fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and returns its result.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.messages.recv_timeout(WATCHDOG).expect("the server answers");
            if message["id"] == json!(id) && message.get("method").is_none() {
                return message;
            }
            if message.get("method").is_some() && message.get("id").is_some() {
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}));
            }
            self.unread.push(message);
        }
    }

    pub fn open(&mut self, path: &Path, text: &str) {
        let document = json!({"uri": uri(path), "languageId": "rust", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn change(&mut self, path: &Path, version: i64, text: &str) {
        let params = json!({
            "textDocument": {"uri": uri(path), "version": version},
            "contentChanges": [{"text": text}],
        });
        self.notify("textDocument/didChange", params);
    }

    /// Returns the diagnostics of all files: pairs of URI and list.
    pub fn diagnostics(&mut self) -> Vec<(String, Vec<Value>)> {
        let report = self.request("workspace/diagnostic", json!({"previousResultIds": []}));
        let items = report["items"].as_array().unwrap().clone();
        items
            .into_iter()
            .map(|item| {
                let list = item["items"].as_array().unwrap().clone();
                (item["uri"].as_str().unwrap().to_owned(), list)
            })
            .collect()
    }

    /// Ends the server as the protocol says. Returns whether it exits with success.
    pub fn stop(mut self) -> bool {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.child.wait().unwrap().success()
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// Returns the URI of a path without special characters.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
