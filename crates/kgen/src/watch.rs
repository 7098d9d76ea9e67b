//! `kgen watch`: runs once, and then after each change of a file that the last run read. Only changed files are parsed again.
//!
//! Changes are found by comparing times and lengths of these files, and the names in their folders.
//! `docs/decisions/editor-support.md` has the reason.

mod command;
mod seen;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kgen_build::{Configuration, FILE_NAME, Lowerings, absolute, find_project_file};
use kgen_diagnostics::words::counted;
use kgen_diagnostics::{Code, Problem};

use crate::call::{RunCall, WatchFlags};
use crate::generate;
use crate::terminal::{Exit, Terminal};
use crate::timings::Timings;
use command::Running;
use seen::Seen;

/// Changes closer than this are one change.
const PAUSE: Duration = Duration::from_millis(30);

/// The part of the time that is spent on looking for changes, at most: one of this many.
const SHARE: u32 = 10;

/// Watches until the user presses Ctrl-C.
pub(crate) fn run(call: &RunCall, flags: &WatchFlags, terminal: Terminal) -> Exit {
    let is_over = Arc::new(AtomicBool::new(false));
    let signal = Arc::clone(&is_over);
    if let Err(error) = ctrlc::set_handler(move || signal.store(true, Ordering::Relaxed)) {
        let message = format!("cannot handle Ctrl-C: {error}");
        return terminal.problem(Problem::general(Code::Io, message));
    }
    let mut command: Option<Running> = None;
    let mut seen = Seen::default();
    let lowerings = Lowerings::default();
    while !is_over.load(Ordering::Relaxed) {
        let (next, has_changed) = run_once(call, flags, &lowerings, &seen, terminal);
        seen = next;
        // A run that changed nothing does not start the command again, so it does not stop it either.
        if let Some(text) = flags.exec.as_ref().filter(|_| has_changed) {
            if let Some(command) = command.take() {
                command.stop(terminal);
            }
            command = Running::start(text, terminal);
        }
        wait(&seen, &mut command, flags.interval, &is_over, terminal);
    }
    if let Some(command) = command {
        command.stop(terminal);
    }
    Exit::Fine
}

/// Waits for a change, or for the end.
fn wait(
    seen: &Seen,
    command: &mut Option<Running>,
    interval: Duration,
    is_over: &AtomicBool,
    terminal: Terminal,
) {
    let mut is_first = true;
    while !is_over.load(Ordering::Relaxed) {
        let began = Instant::now();
        if seen.has_changed() {
            break;
        }
        let took = began.elapsed();
        if std::mem::take(&mut is_first) && terminal.verbose {
            let (files, folders) = seen.counts();
            let (files, folders) = (counted(files, "file"), counted(folders, "folder"));
            terminal.remark(&format!("watching {files} and {folders}\n"));
        }
        sleep(interval.max(took * SHARE));
        if command
            .as_mut()
            .is_some_and(|command| command.has_ended(terminal))
        {
            *command = None;
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
///
/// `lowerings` is what earlier runs have read from files.
fn run_once(
    call: &RunCall,
    flags: &WatchFlags,
    lowerings: &Lowerings,
    before: &Seen,
    terminal: Terminal,
) -> (Seen, bool) {
    if flags.clear && terminal.shows_progress() {
        terminal.say("\u{1b}[2J\u{1b}[H");
    }
    let began = Instant::now();
    // What changes during the run must not be missed, so the state is taken before it.
    let mut earlier = before.again();
    let folder = std::env::current_dir().unwrap_or_default();
    let file = call.config.clone().or_else(|| find_project_file(&folder));
    earlier.add_file(&absolute(
        &folder,
        &file.unwrap_or_else(|| Path::new(FILE_NAME).to_owned()),
    ));
    let configuration = match generate::configuration(call, terminal) {
        Ok(configuration) => Configuration {
            lowerings: Some(lowerings.clone()),
            ..configuration
        },
        Err(findings) => {
            terminal.findings(&[*findings]);
            line("the configuration has errors", began, terminal);
            return (earlier, false);
        }
    };
    let mut seen = Seen::of_folders(&configuration);
    let timings = Timings::new();
    let report = kgen_build::run_watched(&configuration, &|stage| timings.stage(stage));
    if call.timings {
        timings.show(&report, terminal);
    }
    seen.add_read(&report, &configuration, &earlier);
    terminal.findings(&report.findings);
    let mut written = 0;
    for change in report.plan.differences().filter(|_| report.written) {
        seen.update(change);
        written += 1;
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
