//! `kgen watch`: runs once, and then after each change of a file that the last run read.
//!
//! Changes are found by comparing times and lengths of these files, and the names in their folders.
//! `docs/decisions/editor-support.md` has the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kgen_build::{Configuration, Report, absolute, entries, is_file, is_folder};
use kgen_diagnostics::{Code, Problem};

use crate::call::{RunCall, WatchFlags};
use crate::drift::counted;
use crate::generate;
use crate::terminal::{Exit, Terminal};

/// Changes closer than this are one change.
const PAUSE: Duration = Duration::from_millis(30);

/// How long a command may take to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Watches until the user presses Ctrl-C.
pub(crate) fn run(call: &RunCall, flags: &WatchFlags, terminal: Terminal) -> Exit {
    let is_over = Arc::new(AtomicBool::new(false));
    let signal = Arc::clone(&is_over);
    if let Err(error) = ctrlc::set_handler(move || signal.store(true, Ordering::Relaxed)) {
        let message = format!("cannot handle Ctrl-C: {error}");
        return terminal.problem(Problem::general(Code::Io, message));
    }
    let mut command = None;
    let mut seen = Seen::default();
    while !is_over.load(Ordering::Relaxed) {
        if let Some(child) = command.take() {
            stop(child, terminal);
        }
        let (next, has_changed) = run_once(call, flags, &seen, terminal);
        seen = next;
        if let Some(text) = flags.exec.as_ref().filter(|_| has_changed) {
            command = start(text, terminal);
        }
        wait(&mut seen, &mut command, flags.interval, &is_over, terminal);
    }
    if let Some(child) = command {
        stop(child, terminal);
    }
    Exit::Fine
}

/// Waits for a change, or for the end.
fn wait(
    seen: &mut Seen,
    command: &mut Option<Child>,
    interval: Duration,
    is_over: &AtomicBool,
    terminal: Terminal,
) {
    while !is_over.load(Ordering::Relaxed) && !seen.has_changed() {
        sleep(interval);
        if let Some(status) = command.as_mut().and_then(|child| child.try_wait().ok().flatten()) {
            *command = None;
            terminal.remark(&format!("the command ended: {status}\n"));
        }
    }
    // Editors write in several steps, and git writes many files.
    while !is_over.load(Ordering::Relaxed) {
        let now = seen.again();
        sleep(PAUSE);
        if !now.has_changed() {
            return;
        }
    }
}

/// Runs and reports. Returns what the run has seen, and whether it wrote something without errors.
fn run_once(call: &RunCall, flags: &WatchFlags, before: &Seen, terminal: Terminal) -> (Seen, bool) {
    if flags.clear && terminal.shows_progress() {
        terminal.say("\u{1b}[2J\u{1b}[H");
    }
    let began = Instant::now();
    let configuration = match generate::configuration(call, terminal) {
        Ok(configuration) => configuration,
        Err(findings) => {
            terminal.findings(&[*findings]);
            line("the configuration has errors", began, terminal);
            // The file with the mistake is watched already, or it is the one of this folder.
            let mut seen = before.again();
            seen.add_file(&absolute(
                &std::env::current_dir().unwrap_or_default(),
                Path::new(kgen_build::FILE_NAME),
            ));
            return (seen, false);
        }
    };
    // What changes during the run must not be missed, so the state is taken before it.
    let folders = Seen::of_folders(&configuration);
    let earlier = before.again();
    let report = kgen_build::run(&configuration);
    let mut seen = Seen::of(&report, &configuration, folders, &earlier);
    terminal.findings(&report.findings);
    let written = if report.written {
        report.plan.differences().count()
    } else {
        0
    };
    for change in report.plan.differences().filter(|_| report.written) {
        seen.update(&change.path);
    }
    let text = if report.has_errors() {
        "nothing was written, because of errors".to_owned()
    } else {
        format!("{} written", counted(written, "file"))
    };
    line(&text, began, terminal);
    (seen, written > 0 && !report.has_errors())
}

/// Prints the line of a run, with the time of day in UTC.
fn line(text: &str, began: Instant, terminal: Terminal) {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
        % 86_400;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let duration = began.elapsed().as_millis();
    terminal.remark(&format!(
        "{hours:02}:{minutes:02}:{seconds:02}Z {text} in {duration} ms\n"
    ));
}

/// The state of files and folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    files: BTreeMap<PathBuf, Option<Stamp>>,
    /// The names in folders where a module could appear.
    folders: BTreeMap<PathBuf, Vec<String>>,
}

/// What changes when a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
}

impl Seen {
    /// Returns the state of all folders of the source.
    fn of_folders(configuration: &Configuration) -> Self {
        let mut seen = Self::default();
        let mut waiting: BTreeSet<PathBuf> = BTreeSet::new();
        for set in &configuration.sets {
            let paths = set.paths.iter().map(|path| absolute(&set.folder, path));
            waiting.extend(paths);
            if set.paths.is_empty() {
                waiting.insert(set.folder.clone());
            }
        }
        while let Some(folder) = waiting.pop_first() {
            if is_file(&folder) {
                continue;
            }
            let names = rust_names(&folder);
            let (files, inner): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.ends_with(".rs"));
            waiting.extend(inner.into_iter().map(|name| folder.join(name)));
            for name in files {
                seen.add_file(&folder.join(name));
            }
            seen.folders.insert(folder, names);
        }
        seen
    }

    /// Returns the state of everything that a run has read. Files that were known before keep their earlier state.
    fn of(report: &Report, configuration: &Configuration, folders: Self, earlier: &Self) -> Self {
        let mut seen = folders;
        let manifests = configuration
            .sets
            .iter()
            .flat_map(|set| ["Cargo.toml", "Cargo.lock"].map(|name| set.folder.join(name)));
        let files = report
            .files_read
            .iter()
            .cloned()
            .chain(configuration.read_from.clone());
        for path in files.chain(manifests) {
            let known = earlier.files.get(&path).copied();
            seen.files
                .entry(path)
                .or_insert_with_key(|path| known.unwrap_or_else(|| stamp(path)));
        }
        seen
    }

    fn add_file(&mut self, path: &Path) {
        self.files.insert(path.to_owned(), stamp(path));
    }

    /// Takes the present state of a file that kgen wrote, and of its folder.
    fn update(&mut self, path: &Path) {
        if let Some(known) = self.files.get_mut(path) {
            *known = stamp(path);
        }
        if let Some(folder) = path.parent()
            && let Some(names) = self.folders.get_mut(folder)
        {
            *names = rust_names(folder);
        }
    }

    /// Returns the present state of the same files and folders.
    fn again(&self) -> Self {
        Self {
            files: self
                .files
                .keys()
                .map(|path| (path.clone(), stamp(path)))
                .collect(),
            folders: self
                .folders
                .keys()
                .map(|path| (path.clone(), rust_names(path)))
                .collect(),
        }
    }

    fn has_changed(&self) -> bool {
        self.files.iter().any(|(path, known)| stamp(path) != *known)
            || self
                .folders
                .iter()
                .any(|(path, known)| rust_names(path) != *known)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let found = path.metadata().ok()?;
    Some(Stamp {
        modified: found.modified().ok(),
        length: found.len(),
    })
}

/// Returns the names of Rust files and folders, without hidden ones and the output of cargo.
fn rust_names(folder: &Path) -> Vec<String> {
    let mut names = entries(folder).unwrap_or_default();
    names.retain(|name| {
        let is_folder = || !name.starts_with('.') && name != "target" && is_folder(&folder.join(name));
        name.ends_with(".rs") || is_folder()
    });
    names
}

/// Starts a command of the shell, as a group of processes of its own.
fn start(text: &str, terminal: Terminal) -> Option<Child> {
    let mut command = if cfg!(windows) {
        Command::new("cmd")
    } else {
        Command::new("sh")
    };
    command.args([if cfg!(windows) { "/C" } else { "-c" }, text]);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    match command.spawn() {
        Ok(child) => Some(child),
        Err(error) => {
            terminal.problem(Problem::general(
                Code::Io,
                format!("cannot run `{text}`: {error}"),
            ));
            None
        }
    }
}

/// Asks a command to end, and ends it if it does not.
fn stop(mut child: Child, terminal: Terminal) {
    if let Ok(Some(status)) = child.try_wait() {
        terminal.remark(&format!("the command ended: {status}\n"));
        return;
    }
    if cfg!(unix) {
        let group = format!("-{}", child.id());
        // A group that is already gone is what is wanted.
        let _ = Command::new("kill").args(["-TERM", "--", &group]).status();
    } else {
        let _ = child.kill();
    }
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(None) if began.elapsed() < PATIENCE => sleep(Duration::from_millis(10)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                terminal.remark("the command did not end, and was killed\n");
                return;
            }
            Ok(Some(status)) => {
                terminal.remark(&format!("the command was stopped: {status}\n"));
                return;
            }
            Err(_) => return,
        }
    }
}
