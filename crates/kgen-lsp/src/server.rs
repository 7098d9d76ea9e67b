//! The loop of the server: messages in, answers and diagnostics out, and one run at a time in the background.
//!
//! A change starts a run after a short pause, and cancels the one before it. Requests that need the present state wait for
//! its run; completion does not wait, because it only reads the text and the last run.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use kgen_build::Lowerings;
use serde_json::{Value, json};

use crate::analysis::{Job, Snapshot, analyze};
use crate::capabilities::{self, Client};
use crate::documents::Documents;
use crate::preview::{self, Preview};
use crate::project::{Configure, Projects};
use crate::{actions, commands, completion, definition, hover, labels, symbols, tokens, transport, uri};

/// The pause after a change before a run starts.
const PAUSE: Duration = Duration::from_millis(30);

/// Errors of the protocol.
const PARSE_ERROR: i64 = -32700;
const NOT_INITIALIZED: i64 = -32002;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INTERNAL_ERROR: i64 = -32603;
const CANCELED: i64 = -32800;
const REQUEST_FAILED: i64 = -32803;

/// The advice to users about a panic.
const BUG: &str = "this is a bug in kgen, please report it";

/// Something that the loop reacts to.
enum Event {
    Message(Value),
    /// A message that is not JSON.
    Unreadable(String),
    /// The stream ended, or failed.
    End(Option<io::Error>),
    /// A run ended; `None` if it was canceled or failed.
    Done(u64, Option<Box<Snapshot>>),
}

/// A request that waits for a run.
struct Waiting {
    id: Value,
    method: String,
    params: Value,
}

/// The state of the server.
pub(crate) struct Server<W, L> {
    output: W,
    log: L,
    client: Client,
    is_initialized: bool,
    /// Whether the client asked for a shutdown.
    is_shut_down: bool,
    roots: Vec<PathBuf>,
    projects: Projects,
    documents: Documents,
    snapshot: Arc<Snapshot>,
    /// The last one without errors, to find out what was renamed since.
    clean: Arc<Snapshot>,
    /// The number of changes so far.
    revision: u64,
    /// Whether the last run failed, so that the snapshot is older than the documents.
    has_failed: bool,
    /// When the next run starts, if one is needed.
    next_run: Option<Instant>,
    /// The run in the background: its revision, and how to cancel it.
    running: Option<(u64, Arc<AtomicBool>)>,
    waiting: Vec<Waiting>,
    /// The files for which diagnostics were pushed.
    published: BTreeMap<PathBuf, Value>,
    /// The previews that the client shows, with their texts.
    previews: BTreeMap<String, Preview>,
    /// The question about settings that the client has not answered yet.
    asked_settings: Option<String>,
    /// Declarations that earlier runs have read.
    lowerings: Lowerings,
    next_id: u64,
}

impl<W: Write, L: Write> Server<W, L> {
    pub(crate) fn new(output: W, log: L, configure: Option<Configure>) -> Self {
        Self {
            output,
            log,
            client: Client::default(),
            is_initialized: false,
            is_shut_down: false,
            roots: Vec::new(),
            projects: Projects::new(configure),
            documents: Documents::default(),
            snapshot: Arc::default(),
            clean: Arc::default(),
            revision: 0,
            has_failed: false,
            next_run: None,
            running: None,
            waiting: Vec::new(),
            published: BTreeMap::new(),
            previews: BTreeMap::new(),
            asked_settings: None,
            lowerings: Lowerings::default(),
            next_id: 0,
        }
    }

    /// Serves until the client exits.
    pub(crate) fn run(mut self, input: impl BufRead + Send + 'static) -> io::Result<bool> {
        let (sender, events) = channel();
        let to_loop = sender.clone();
        std::thread::spawn(move || read_messages(input, &to_loop));
        let jobs = start_worker(sender);
        loop {
            let Some(event) = self.next_event(&events) else {
                self.without_panic("a run", |server| {
                    server.start_run(&jobs);
                    Ok(())
                })?;
                if self.running.is_none() {
                    self.run_failed()?;
                }
                continue;
            };
            match event {
                Event::Message(message) if message.get("method") == Some(&json!("exit")) => {
                    return Ok(self.is_shut_down);
                }
                Event::Message(message) => {
                    self.without_panic("a message", |server| server.message(message))?;
                }
                Event::Done(revision, snapshot) => self.done(revision, snapshot)?,
                Event::End(None) => return Ok(self.is_shut_down),
                Event::Unreadable(reason) => self.respond(&Value::Null, Err((PARSE_ERROR, reason)))?,
                Event::End(Some(error)) => {
                    self.respond(&Value::Null, Err((PARSE_ERROR, error.to_string())))?;
                    return Err(error);
                }
            }
        }
    }

    /// Returns the next event, or `None` if it is time for a run.
    fn next_event(&self, events: &Receiver<Event>) -> Option<Event> {
        let due = self.next_run.filter(|_| self.running.is_none());
        let Some(due) = due else {
            return Some(events.recv().unwrap_or(Event::End(None)));
        };
        match events.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::End(None)),
        }
    }

    /// Notes a change: the present run is out of date.
    fn changed(&mut self) {
        self.revision += 1;
        let pause = if self.waiting.is_empty() {
            PAUSE
        } else {
            Duration::ZERO
        };
        self.next_run = Some(Instant::now() + pause);
        if let Some((_, is_canceled)) = &self.running {
            is_canceled.store(true, Ordering::Relaxed);
        }
    }

    fn start_run(&mut self, jobs: &Sender<(Job, Arc<AtomicBool>)>) {
        self.next_run = None;
        let overlay = self.documents.overlay();
        let paths = self.documents.iter().map(|(path, _)| path.as_path());
        let projects = self.projects.find(&self.roots, paths, &overlay);
        let job = Job {
            revision: self.revision,
            projects,
            documents: self.documents.clone(),
            encoding: self.client.encoding,
            lowerings: self.lowerings.clone(),
            wants_diff: self.client.settings.diff,
        };
        let is_canceled = Arc::new(AtomicBool::new(false));
        self.running = Some((self.revision, Arc::clone(&is_canceled)));
        // The worker lives as long as the server.
        let _ = jobs.send((job, is_canceled));
    }

    fn done(&mut self, revision: u64, snapshot: Option<Box<Snapshot>>) -> io::Result<()> {
        self.running = None;
        let Some(snapshot) = snapshot else {
            if revision == self.revision && self.next_run.is_none() {
                return self.run_failed();
            }
            return Ok(());
        };
        for seen in &snapshot.seen {
            self.documents.set_valid(&seen.path, &seen.text);
        }
        self.snapshot = Arc::from(snapshot);
        if !self.snapshot.has_errors() {
            self.clean = Arc::clone(&self.snapshot);
        }
        if revision != self.revision {
            return Ok(());
        }
        self.has_failed = false;
        self.without_panic("the diagnostics", Self::publish)?;
        self.without_panic("a preview", Self::update_previews)?;
        self.answer_waiting()
    }

    /// Reports a run that failed. Requests must not wait for the next change.
    fn run_failed(&mut self) -> io::Result<()> {
        self.note("a run failed");
        if !std::mem::replace(&mut self.has_failed, true) {
            let message = format!("kgen cannot check this text: {BUG}");
            self.notify("window/showMessage", &json!({"type": 1, "message": message}))?;
        }
        self.answer_waiting()
    }

    fn answer_waiting(&mut self) -> io::Result<()> {
        for waiting in std::mem::take(&mut self.waiting) {
            let answer = self.fresh_answer(&waiting.method, &waiting.params);
            self.respond(&waiting.id, answer)?;
        }
        Ok(())
    }

    /// Sends the diagnostics of all files, or tells the client to ask for them.
    fn publish(&mut self) -> io::Result<()> {
        if self.client.pulls {
            if self.client.refreshes {
                self.request("workspace/diagnostic/refresh", &Value::Null)?;
            }
            return Ok(());
        }
        let snapshot = Arc::clone(&self.snapshot);
        let mut paths: BTreeSet<&PathBuf> = snapshot.diagnostics.keys().collect();
        let open: Vec<PathBuf> = self.documents.iter().map(|(path, _)| path.clone()).collect();
        let known: Vec<PathBuf> = self.published.keys().cloned().collect();
        paths.extend(open.iter().chain(&known));
        for path in paths {
            let list = diagnostics_of(&snapshot, path);
            let document = self.documents.get(path);
            let is_news = self.published.get(path) != Some(&list);
            if document.is_none() && !is_news {
                continue;
            }
            let mut params = json!({
                "uri": document.map_or_else(|| uri::of_path(path), |document| document.uri.clone()),
                "diagnostics": list,
            });
            if let (Some(document), Some(params)) = (document, params.as_object_mut()) {
                params.insert("version".to_owned(), document.version.into());
            }
            let is_empty = list.as_array().is_none_or(Vec::is_empty);
            if is_empty {
                self.published.remove(path);
            } else {
                self.published.insert(path.clone(), list);
            }
            self.notify("textDocument/publishDiagnostics", &params)?;
        }
        Ok(())
    }

    /// Tells the client about previews whose text has changed.
    fn update_previews(&mut self) -> io::Result<()> {
        let mut changed = Vec::new();
        for (uri, shown) in &mut self.previews {
            if shown.update(uri, &self.documents, &self.snapshot) {
                changed.push(shown.to_json(uri));
            }
        }
        for params in changed {
            self.notify("kgen/previewChanged", &params)?;
        }
        Ok(())
    }

    fn message(&mut self, message: Value) -> io::Result<()> {
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        let params = message.get("params").cloned().unwrap_or_default();
        match message.get("id") {
            // The answer of the client to a request of the server.
            Some(id) if method.is_empty() => {
                if self.asked_settings.is_some() && id.as_str() == self.asked_settings.as_deref() {
                    self.asked_settings = None;
                    let settings = message.pointer("/result/0").cloned().unwrap_or_default();
                    self.set(&settings);
                }
                Ok(())
            }
            Some(id) => {
                let (id, method) = (id.clone(), method.to_owned());
                self.handle_request(id, method, params)
            }
            None => self.notification(method, &params),
        }
    }

    fn handle_request(&mut self, id: Value, method: String, params: Value) -> io::Result<()> {
        if method == "initialize" {
            let result = self.initialize(&params);
            return self.respond(&id, Ok(result));
        }
        if !self.is_initialized {
            return self.respond(
                &id,
                Err((NOT_INITIALIZED, "the server is not initialized".to_owned())),
            );
        }
        if self.is_shut_down {
            return self.respond(&id, Err((INVALID_REQUEST, "the server is shut down".to_owned())));
        }
        match method.as_str() {
            "shutdown" => {
                self.is_shut_down = true;
                for waiting in std::mem::take(&mut self.waiting) {
                    self.respond(&waiting.id, Err((CANCELED, "the server shuts down".to_owned())))?;
                }
                self.respond(&id, Ok(Value::Null))
            }
            "textDocument/completion" => {
                let answer = self.guarded(|server| {
                    completion::answer(&server.documents, &server.snapshot, &server.client, &params)
                });
                self.respond(&id, answer)
            }
            "completionItem/resolve" => {
                let answer = self.guarded(|_| completion::resolve(&params));
                self.respond(&id, answer)
            }
            _ if self.is_fresh() => {
                let answer = self.fresh_answer(&method, &params);
                self.respond(&id, answer)
            }
            _ => {
                self.waiting.push(Waiting { id, method, params });
                // Somebody waits, so the pause is over.
                self.next_run = self.next_run.map(|_| Instant::now());
                Ok(())
            }
        }
    }

    fn is_fresh(&self) -> bool {
        self.running.is_none() && self.next_run.is_none()
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.client = Client::of(params);
        self.roots = folders(params.get("workspaceFolders"));
        if self.roots.is_empty() {
            let root = params.get("rootUri").and_then(Value::as_str);
            self.roots.extend(root.and_then(uri::to_path));
        }
        self.is_initialized = true;
        capabilities::answer(self.client)
    }

    fn notification(&mut self, method: &str, params: &Value) -> io::Result<()> {
        let document = params.get("textDocument").unwrap_or(&Value::Null);
        match method {
            "initialized" => {
                self.changed();
                if self.client.watches_files {
                    self.request("client/registerCapability", &capabilities::watched_files())?;
                }
            }
            "textDocument/didOpen" if self.documents.open(document).is_some() => self.changed(),
            "textDocument/didChange" if self.documents.change(params, self.client.encoding).is_some() => {
                self.changed();
            }
            "textDocument/didClose" => {
                let uri = document.get("uri").and_then(Value::as_str).unwrap_or_default();
                if self.documents.close(uri).is_some() {
                    self.changed();
                }
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.projects.forget();
                self.changed();
            }
            "workspace/didChangeWorkspaceFolders" => {
                let of = |name: &str| folders(params.pointer(&format!("/event/{name}")));
                let (added, removed) = (of("added"), of("removed"));
                self.roots.retain(|root| !removed.contains(root));
                self.roots.extend(added);
                self.projects.forget();
                self.changed();
            }
            "workspace/didChangeConfiguration" if self.client.has_settings => {
                let question = json!({"items": [{"section": "kgen"}]});
                self.asked_settings = Some(self.request("workspace/configuration", &question)?);
            }
            "workspace/didChangeConfiguration" => {
                let settings = params.get("settings").unwrap_or(&Value::Null);
                self.set(&settings.get("kgen").unwrap_or(settings).clone());
            }
            "$/cancelRequest" => return self.cancel(params),
            "kgen/closePreview" => {
                let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
                self.previews.remove(uri);
            }
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, settings: &Value) {
        let before = self.client.settings;
        self.client.settings.update(settings);
        if self.client.settings != before {
            self.changed();
        }
    }

    fn cancel(&mut self, params: &Value) -> io::Result<()> {
        let Some(id) = params.get("id") else { return Ok(()) };
        let Some(index) = self.waiting.iter().position(|waiting| waiting.id == *id) else {
            return Ok(());
        };
        let waiting = self.waiting.remove(index);
        self.respond(&waiting.id, Err((CANCELED, "the request is canceled".to_owned())))
    }

    /// Answers a request about the present state.
    fn fresh_answer(&mut self, method: &str, params: &Value) -> Answer {
        if method == "workspace/executeCommand" {
            return self.guarded(|server| server.command(params));
        }
        if self.has_failed {
            // The last run saw another text.
            return Err((REQUEST_FAILED, format!("the last run failed: {BUG}")));
        }
        self.guarded(|server| {
            let (documents, snapshot) = (&server.documents, server.snapshot.as_ref());
            Ok(match method {
                "textDocument/diagnostic" => pulled(snapshot, params),
                "workspace/diagnostic" => workspace_diagnostics(documents, snapshot, params),
                "textDocument/hover" => hover::answer(documents, snapshot, &server.client, params),
                "textDocument/codeAction" => {
                    actions::answer(documents, snapshot, &server.clean, &server.client, params)
                }
                "textDocument/definition" => definition::answer(documents, snapshot, params),
                "textDocument/references" => definition::references(documents, snapshot, params),
                "textDocument/documentSymbol" => symbols::of_document(documents, snapshot, params),
                "workspace/symbol" => symbols::of_workspace(snapshot, params),
                "textDocument/codeLens" => labels::lenses(documents, snapshot, params),
                "textDocument/inlayHint" => labels::hints(documents, snapshot, &server.client, params),
                "textDocument/semanticTokens/full" => tokens::answer(documents, snapshot, params),
                "kgen/preview" => {
                    let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
                    let shown = Preview {
                        text: preview::text(snapshot, uri).unwrap_or_default().to_owned(),
                        focus: None,
                    };
                    let answer = shown.to_json(uri);
                    server.previews.insert(uri.to_owned(), shown);
                    answer
                }
                _ => return Err((METHOD_NOT_FOUND, format!("`{method}` is not supported"))),
            })
        })
    }

    fn command(&mut self, params: &Value) -> Answer {
        let overlay = self.documents.overlay();
        let paths = self.documents.iter().map(|(path, _)| path.as_path());
        let projects = self.projects.find(&self.roots, paths, &overlay);
        let encoding = self.client.encoding;
        let result = commands::execute(&projects, &self.documents, &self.snapshot, encoding, params);
        if let Some(message) = &result.message {
            self.notify("window/showMessage", &json!({"type": 3, "message": message}))
                .map_err(|error| (INTERNAL_ERROR, error.to_string()))?;
        }
        if let Some((uri, preview)) = result.preview {
            self.previews.insert(uri, preview);
        }
        if result.has_written {
            self.changed();
        }
        Ok(result.value)
    }

    /// Turns a panic into an error, so that the server goes on.
    fn guarded(&mut self, work: impl FnOnce(&mut Self) -> Answer) -> Answer {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(answer) => answer,
            Err(_) => {
                self.note(&format!("a request failed: {BUG}"));
                Err((INTERNAL_ERROR, BUG.to_owned()))
            }
        }
    }

    /// Does work that has no answer. A panic is logged, and the server goes on.
    fn without_panic(
        &mut self,
        what: &str,
        work: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        catch_unwind(AssertUnwindSafe(|| work(self))).unwrap_or_else(|_| {
            self.note(&format!("{what} failed: {BUG}"));
            Ok(())
        })
    }

    fn note(&mut self, text: &str) {
        // A log that cannot be written cannot be reported either.
        let _ = writeln!(self.log, "kgen lsp: {text}");
    }

    fn respond(&mut self, id: &Value, answer: Answer) -> io::Result<()> {
        let message = match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, message)) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
            }
        };
        self.send(&message)
    }

    fn notify(&mut self, method: &str, params: &Value) -> io::Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Sends a request and returns its id.
    fn request(&mut self, method: &str, params: &Value) -> io::Result<String> {
        self.next_id += 1;
        let id = format!("kgen-{}", self.next_id);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        transport::write(&mut self.output, message)
    }
}

/// A result, or the code and message of an error.
pub(crate) type Answer = Result<Value, (i64, String)>;

/// Returns the paths of workspace folders.
fn folders(list: Option<&Value>) -> Vec<PathBuf> {
    let folders = list.and_then(Value::as_array).into_iter().flatten();
    let uris = folders.filter_map(|folder| folder.get("uri")?.as_str());
    uris.filter_map(uri::to_path).collect()
}

fn read_messages(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let event = match transport::read(&mut input) {
            Ok(Some(Ok(message))) => Event::Message(message),
            Ok(Some(Err(error))) => Event::Unreadable(error.to_string()),
            Ok(None) => Event::End(None),
            Err(error) => Event::End(Some(error)),
        };
        let is_end = matches!(event, Event::End(_));
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}

/// Starts the thread that runs kgen.
fn start_worker(events: Sender<Event>) -> Sender<(Job, Arc<AtomicBool>)> {
    let (jobs, queue) = channel::<(Job, Arc<AtomicBool>)>();
    std::thread::spawn(move || {
        for (job, is_canceled) in queue {
            let run = || analyze(&job, &|| is_canceled.load(Ordering::Relaxed));
            let snapshot = catch_unwind(AssertUnwindSafe(run)).ok().flatten();
            if events
                .send(Event::Done(job.revision, snapshot.map(Box::new)))
                .is_err()
            {
                return;
            }
        }
    });
    jobs
}

fn diagnostics_of(snapshot: &Snapshot, path: &PathBuf) -> Value {
    let list = snapshot
        .diagnostics
        .get(path)
        .map(Vec::as_slice)
        .unwrap_or_default();
    list.iter().map(|diagnostic| diagnostic.json.clone()).collect()
}

/// Returns the report of one file, or that nothing has changed.
fn report(list: Value, known: Option<&str>) -> Value {
    // The list is its own version: it is compared, not interpreted.
    let version = format!("{:016x}", fingerprint(&list.to_string()));
    if known == Some(version.as_str()) {
        json!({"kind": "unchanged", "resultId": version})
    } else {
        json!({"kind": "full", "resultId": version, "items": list})
    }
}

/// FNV-1a: a short name for a list of diagnostics.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn pulled(snapshot: &Snapshot, params: &Value) -> Value {
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
    let path = uri.and_then(uri::to_path).unwrap_or_default();
    let known = params.get("previousResultId").and_then(Value::as_str);
    report(diagnostics_of(snapshot, &path), known)
}

/// Returns a report for each file with problems, and for each file whose problems the client knows: it keeps what is not
/// mentioned.
fn workspace_diagnostics(documents: &Documents, snapshot: &Snapshot, params: &Value) -> Value {
    let mut known: BTreeMap<PathBuf, (&str, &str)> = BTreeMap::new();
    let previous = params.get("previousResultIds").and_then(Value::as_array);
    for one in previous.into_iter().flatten() {
        let text = |name: &str| one.get(name).and_then(Value::as_str);
        if let (Some(uri), Some(value)) = (text("uri"), text("value"))
            && let Some(path) = uri::to_path(uri)
        {
            known.insert(path, (uri, value));
        }
    }
    let paths: BTreeSet<&PathBuf> = snapshot.diagnostics.keys().chain(known.keys()).collect();
    let items: Vec<Value> = paths
        .into_iter()
        .map(|path| {
            let known = known.get(path);
            let document = documents.get(path);
            let uri = match (document, known) {
                (Some(document), _) => document.uri.clone(),
                (None, Some((uri, _))) => (*uri).to_owned(),
                (None, None) => uri::of_path(path),
            };
            let version = document.map_or(Value::Null, |document| document.version.into());
            let mut item = report(diagnostics_of(snapshot, path), known.map(|(_, value)| *value));
            if let Some(members) = item.as_object_mut() {
                members.insert("uri".to_owned(), uri.into());
                members.insert("version".to_owned(), version);
            }
            item
        })
        .collect();
    json!({"items": items})
}

#[cfg(test)]
mod tests;
