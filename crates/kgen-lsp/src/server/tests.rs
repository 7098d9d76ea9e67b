//! What the server does after a panic. Everything else is tested from outside, in `crates/kgen/tests/lsp`.

use std::io::{BufReader, PipeReader, PipeWriter, Write, pipe};
use std::sync::atomic::AtomicUsize;
use std::thread::JoinHandle;

use super::*;

/// A server in a thread of its own, and its client.
struct Session {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    server: JoinHandle<bool>,
}

impl Session {
    fn start(configure: Configure) -> Self {
        Self::start_with(configure, &json!({}))
    }

    fn start_with(configure: Configure, capabilities: &Value) -> Self {
        let (from_client, input) = pipe().unwrap();
        let (output, to_client) = pipe().unwrap();
        let server = std::thread::spawn(move || {
            let server = Server::new(to_client, io::sink(), Some(configure));
            server.run(BufReader::new(from_client)).unwrap()
        });
        let mut session = Self {
            input,
            output: BufReader::new(output),
            server,
        };
        session.ask(
            "initialize",
            &json!({"rootUri": "file:///nowhere", "capabilities": capabilities}),
        );
        session.tell("initialized", &json!({}));
        session
    }

    fn tell(&mut self, method: &str, params: &Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        transport::write(&mut self.input, &message).unwrap();
    }

    fn send(&mut self, id: u64, method: &str, params: &Value) {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        transport::write(&mut self.input, &request).unwrap();
    }

    /// Returns the answer to a request, and the methods of the notifications before it.
    fn answer(&mut self, id: u64) -> (Value, Vec<String>) {
        let mut methods = Vec::new();
        loop {
            let message = transport::read(&mut self.output).unwrap().unwrap().unwrap();
            match message["method"].as_str() {
                Some(method) => methods.push(method.to_owned()),
                None => {
                    assert_eq!(message["id"], id, "{message}");
                    return (message, methods);
                }
            }
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> (Value, Vec<String>) {
        self.send(1, method, params);
        self.answer(1)
    }

    fn stop(mut self) -> bool {
        self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        self.server.join().unwrap()
    }
}

#[test]
fn a_run_that_panics_is_an_error_until_the_next_change() {
    let runs = AtomicUsize::new(0);
    let mut session = Session::start(Box::new(move |_, _| {
        assert!(runs.fetch_add(1, Ordering::Relaxed) > 0, "the first run fails");
        Ok(kgen_build::Configuration::default())
    }));
    let (answer, methods) = session.ask("workspace/diagnostic", &json!({}));
    assert_eq!(answer["error"]["code"], REQUEST_FAILED, "{answer}");
    assert_eq!(methods, ["window/showMessage"]);
    let (again, methods) = session.ask("textDocument/hover", &json!({}));
    assert_eq!(again["error"]["code"], REQUEST_FAILED, "{again}");
    assert_eq!(methods, [""; 0]);
    session.tell("textDocument/didSave", &json!({}));
    let (answer, _) = session.ask("workspace/diagnostic", &json!({}));
    assert!(answer["result"]["items"].is_array(), "{answer}");
    assert!(session.stop());
}

#[test]
fn requests_that_wait_for_a_run_can_be_canceled() {
    // The run ends only when the test does.
    let (end, gate) = channel::<()>();
    let gate = std::sync::Mutex::new(gate);
    let mut session = Session::start(Box::new(move |_, _| {
        let _ = gate.lock().unwrap().recv();
        Ok(kgen_build::Configuration::default())
    }));
    session.send(2, "textDocument/hover", &json!({}));
    session.tell("$/cancelRequest", &json!({"id": 2}));
    let (answer, _) = session.answer(2);
    assert_eq!(answer["error"]["code"], CANCELED, "{answer}");
    // A completion does not wait.
    let (answer, _) = session.ask("textDocument/completion", &json!({}));
    assert!(answer.get("error").is_none(), "{answer}");
    // A shutdown during a run.
    session.send(3, "workspace/diagnostic", &json!({}));
    session.send(4, "shutdown", &Value::Null);
    let (answer, _) = session.answer(3);
    assert_eq!(answer["error"]["code"], CANCELED, "{answer}");
    assert!(session.answer(4).0.get("error").is_none());
    session.tell("exit", &Value::Null);
    assert!(session.server.join().unwrap());
    drop(end);
}

#[test]
fn a_panic_in_work_without_an_answer_is_logged() {
    let mut log = Vec::new();
    let mut server = Server::new(Vec::new(), &mut log, None);
    let fails = |_: &mut Server<_, _>| -> io::Result<()> { panic!("a bug") };
    assert!(server.without_panic("a preview", fails).is_ok());
    assert!(server.guarded(|_| panic!("a bug")).is_err());
    drop(server);
    let log = String::from_utf8(log).unwrap();
    assert!(
        log.contains("a preview failed") && log.contains("a request failed"),
        "{log}"
    );
}

#[test]
fn a_message_that_is_not_json_is_answered_and_skipped() {
    let mut session = Session::start(Box::new(|_, _| Ok(kgen_build::Configuration::default())));
    session.input.write_all(b"Content-Length: 2\r\n\r\n{]").unwrap();
    let answer = transport::read(&mut session.output).unwrap().unwrap().unwrap();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&Value::Null, &json!(PARSE_ERROR))
    );
    let (answer, _) = session.ask("workspace/diagnostic", &json!({}));
    assert!(answer["result"]["items"].is_array(), "{answer}");
    assert!(session.stop());
}

#[test]
fn completion_before_the_first_run_counts_as_the_client_does() {
    // The run ends only when the test does.
    let (end, gate) = channel::<()>();
    let gate = std::sync::Mutex::new(gate);
    let configure = move |_: &std::path::Path, _| {
        let _ = gate.lock().unwrap().recv();
        Ok(kgen_build::Configuration::default())
    };
    let capabilities = json!({"general": {"positionEncodings": ["utf-8"]}});
    let mut session = Session::start_with(Box::new(configure), &capabilities);
    // `ü` has two bytes.
    let text = "// +kgen:allow=ü;list-t";
    let document = json!({"uri": "file:///nowhere/b.rs", "version": 1, "text": text});
    session.tell("textDocument/didOpen", &json!({"textDocument": document}));
    let position = json!({"line": 0, "character": text.len()});
    let place = json!({"textDocument": {"uri": "file:///nowhere/b.rs"}, "position": position});
    let (answer, _) = session.ask("textDocument/completion", &place);
    let range = &answer["result"]["items"][0]["textEdit"]["range"];
    let typed = "list-t".len();
    assert_eq!(range["start"]["character"], text.len() - typed, "{answer}");
    drop(end);
    assert!(session.stop());
}
