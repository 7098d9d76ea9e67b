//! `cargo xtask bench --editor`: from a keystroke to its diagnostics, from a request to its completion, and from a save to the
//! file that `kgen watch` writes.
//!
//! The server runs as in an editor. Each round also runs the command on the same API, so that both see the same load.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::api;
use super::measure::median;

/// The pause of the server after a keystroke.
const PAUSE: Duration = Duration::from_millis(30);
/// How many keystrokes are measured.
const ROUNDS: usize = 15;
/// The numbers of kinds, with the limits from keystroke to diagnostics, without the pause.
const SIZES: &[(usize, Duration)] = &[
    (10, Duration::from_millis(20)),
    (300, Duration::from_millis(60)),
    (1000, Duration::from_millis(250)),
];
/// The limit of completion.
const COMPLETION: Duration = Duration::from_millis(10);
/// How long a file may take on a busy machine.
const MOST_PATIENCE: Duration = Duration::from_secs(60);
/// The time that `kgen watch` may take beyond a run, from a save to the written file.
const WATCH: Duration = Duration::from_millis(60);
/// The number of kinds with which `kgen watch` is measured.
const WATCHED: &[usize] = &[10, 300];

/// Measures all sizes, and prints the table.
pub fn run(kgen: &Path, check: bool) -> Result<()> {
    println!("medians of {ROUNDS} keystrokes; the pause of {PAUSE:?} is subtracted\n");
    println!("| kinds | diagnostics | goal | `kgen crd output:none` | ratio | completion | goal |");
    println!("|---|---|---|---|---|---|---|");
    let mut is_missed = false;
    for (kinds, goal) in SIZES {
        let (diagnostics, command, completion) = measure(kgen, *kinds)?;
        let ratio = diagnostics.as_secs_f64() / command.as_secs_f64();
        is_missed |= diagnostics > *goal || ratio > 1.0 || completion > COMPLETION;
        println!(
            "| {kinds} | {diagnostics:.1?} | {goal:?} | {command:.1?} | {ratio:.2} | {completion:.1?} | {COMPLETION:?} |"
        );
    }
    println!("\n| kinds | save to file: median | longest | `kgen crd` | beyond a run | goal |");
    println!("|---|---|---|---|---|---|");
    for kinds in WATCHED {
        let (took, longest, command) = measure_watch(kgen, *kinds)?;
        let beyond = took.saturating_sub(command);
        is_missed |= beyond > WATCH;
        println!("| {kinds} | {took:.1?} | {longest:.1?} | {command:.1?} | {beyond:.1?} | {WATCH:?} |");
    }
    if check && is_missed {
        bail!("a goal of editors was missed");
    }
    Ok(())
}

/// Returns the medians of diagnostics, of the command, and of completion.
fn measure(kgen: &Path, kinds: usize) -> Result<(Duration, Duration, Duration)> {
    let folder = tempfile::tempdir()?;
    let root = fs::canonicalize(folder.path())?;
    let files = api::rust_files(&api::Api::of_size(kinds)?);
    api::write(&root, &files)?;
    let (name, text) = a_kind(&files)?;
    let uri = format!("file://{}", root.join(name).display());
    let mut server = Server::start(kgen, &root)?;
    let document = json!({"uri": uri, "languageId": "rust", "version": 1, "text": text});
    server.notify("textDocument/didOpen", &json!({"textDocument": document}))?;
    server.until(|message| is_report(message, &uri, 1))?;
    let (mut diagnostics, mut command, mut completion) = (Vec::new(), Vec::new(), Vec::new());
    for version in 2..ROUNDS + 2 {
        let new = format!("{text}\n// Keystroke {version}\n");
        let began = Instant::now();
        server.change(&uri, version, &new)?;
        server.until(|message| is_report(message, &uri, version))?;
        diagnostics.push(began.elapsed().saturating_sub(PAUSE));
        completion.push(server.complete(&uri, text)?);
        let began = Instant::now();
        let status = Command::new(kgen)
            .args(["crd", "paths=src/api", "output:none", "-q"])
            .current_dir(&root)
            .status()?;
        command.push(began.elapsed());
        if !status.success() {
            bail!("kgen failed for {kinds} kinds");
        }
    }
    server.stop()?;
    Ok((median(diagnostics), median(command), median(completion)))
}

/// Returns the median and the longest time from a save to the written file, and the median of the command.
fn measure_watch(kgen: &Path, kinds: usize) -> Result<(Duration, Duration, Duration)> {
    let folder = tempfile::tempdir()?;
    let root = fs::canonicalize(folder.path())?;
    let files = api::rust_files(&api::Api::of_size(kinds)?);
    api::write(&root, &files)?;
    let (name, text) = a_kind(&files)?;
    let arguments = ["crd", "paths=src/api", "output:dir=crds", "-q"];
    let mut child = Command::new(kgen)
        .arg("watch")
        .args(arguments)
        .current_dir(&root)
        .stderr(Stdio::null())
        .spawn()?;
    let measured = saves(kgen, &root, name, text);
    child.kill()?;
    child.wait()?;
    let (saves, commands) = measured?;
    let longest = saves.iter().max().copied().unwrap_or_default();
    Ok((median(saves), longest, median(commands)))
}

/// Saves a file several times, and waits for each text in the output. Returns the times, and those of the command.
fn saves(kgen: &Path, root: &Path, name: &str, text: &str) -> Result<(Vec<Duration>, Vec<Duration>)> {
    let (mut saves, mut commands) = (Vec::new(), Vec::new());
    let output = root.join("crds");
    let mut written: Option<std::path::PathBuf> = None;
    for round in 0..=ROUNDS {
        let words = format!("Saved in round {round}.");
        let new = text.replacen("/// ", &format!("/// {words} "), 1);
        let began = Instant::now();
        fs::write(root.join("aside"), new)?;
        fs::rename(root.join("aside"), root.join(name))?;
        let has_words = |path: &Path| fs::read_to_string(path).is_ok_and(|text| text.contains(&words));
        loop {
            let found = match &written {
                Some(path) => has_words(path).then(|| path.clone()),
                None => fs::read_dir(&output)
                    .into_iter()
                    .flatten()
                    .filter_map(|entry| Some(entry.ok()?.path()))
                    .find(|path| has_words(path)),
            };
            if found.is_some() {
                written = found;
                break;
            }
            if began.elapsed() > MOST_PATIENCE {
                bail!("`kgen watch` does not write the text of a save");
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // The first round includes the first run.
        if round > 0 {
            saves.push(began.elapsed());
            let began = Instant::now();
            let arguments = ["crd", "paths=src/api", "output:dir=others", "-q"];
            Command::new(kgen).args(arguments).current_dir(root).status()?;
            commands.push(began.elapsed());
        }
        // Saves must not come at the same moment of each interval.
        std::thread::sleep(Duration::from_millis(100 + 7 * u64::try_from(round)?));
    }
    Ok((saves, commands))
}

/// Returns a file with a kind, not the root of the crate.
fn a_kind(files: &[(String, String)]) -> Result<(&String, &String)> {
    files
        .iter()
        .filter(|(name, text)| name.ends_with(".rs") && text.contains("ObjectMeta"))
        .max_by_key(|(_, text)| text.len())
        .map(|(name, text)| (name, text))
        .context("the API has no Rust file")
}

fn is_report(message: &Value, uri: &str, version: usize) -> bool {
    message["method"] == "textDocument/publishDiagnostics"
        && message["params"]["uri"] == uri
        && message["params"]["version"] == version
}

/// A running server.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(kgen: &Path, root: &Path) -> Result<Self> {
        let mut child = Command::new(kgen)
            .args(["lsp", "crd", "paths=src/api", "output:none"])
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().context("no standard input")?;
        let output = BufReader::new(child.stdout.take().context("no standard output")?);
        let mut server = Self { child, input, output };
        let root = format!("file://{}", root.display());
        server.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"rootUri": root, "capabilities": {}}}))?;
        server.until(|message| message["id"] == 1)?;
        server.notify("initialized", &json!({}))?;
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        Ok(self.input.flush()?)
    }

    fn notify(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn change(&mut self, uri: &str, version: usize, text: &str) -> Result<()> {
        let params = json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": text}],
        });
        self.notify("textDocument/didChange", &params)
    }

    /// Reads messages until one is the wanted one.
    fn until(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                if self.output.read_line(&mut line)? == 0 {
                    bail!("the server has ended");
                }
                if line.trim().is_empty() {
                    break;
                }
                if let Some(value) = line.strip_prefix("Content-Length: ") {
                    length = value.trim().parse()?;
                }
            }
            let mut body = vec![0; length];
            self.output.read_exact(&mut body)?;
            let message: Value = serde_json::from_slice(&body)?;
            if is_wanted(&message) {
                return Ok(message);
            }
        }
    }

    /// Returns how long the completion of the first marker of a field takes.
    fn complete(&mut self, uri: &str, text: &str) -> Result<Duration> {
        let line = text
            .lines()
            .position(|line| line.trim_start().starts_with("// +"));
        let line = line.context("the API has no marker")?;
        let column = text
            .lines()
            .nth(line)
            .and_then(|line| line.find('+'))
            .unwrap_or_default()
            + 1;
        let params = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": column}});
        let began = Instant::now();
        self.send(
            &json!({"jsonrpc": "2.0", "id": 7, "method": "textDocument/completion", "params": params}),
        )?;
        let answer = self.until(|message| message["id"] == 7)?;
        let took = began.elapsed();
        let items = answer["result"]["items"].as_array();
        if items.is_none_or(Vec::is_empty) {
            bail!("nothing is offered: {answer}");
        }
        Ok(took)
    }

    fn stop(mut self) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "id": 8, "method": "shutdown"}))?;
        self.until(|message| message["id"] == 8)?;
        self.notify("exit", &Value::Null)?;
        self.child.wait()?;
        Ok(())
    }
}
