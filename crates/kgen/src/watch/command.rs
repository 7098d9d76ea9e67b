//! The command of `--exec`: a process of the shell and everything that it starts.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use kgen_diagnostics::{Code, Problem};

use crate::terminal::Terminal;

/// How long a command may take to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often to look whether a command has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// A command that runs.
pub(super) struct Running {
    shell: Child,
}

impl Running {
    /// Starts a command of the shell, as a group of processes of its own.
    pub(super) fn start(text: &str, terminal: Terminal) -> Option<Self> {
        let mut command = if cfg!(windows) {
            Command::new("cmd")
        } else {
            Command::new("sh")
        };
        command.args([if cfg!(windows) { "/C" } else { "-c" }, text]);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        match command.spawn() {
            Ok(shell) => Some(Self { shell }),
            Err(error) => {
                terminal.problem(Problem::general(
                    Code::Io,
                    format!("cannot run `{text}`: {error}"),
                ));
                None
            }
        }
    }

    /// Returns the result of the command if it has ended, and reports it.
    pub(super) fn has_ended(&mut self, terminal: Terminal) -> bool {
        let Ok(Some(status)) = self.shell.try_wait() else {
            return false;
        };
        terminal.remark(&format!("the command ended: {status}\n"));
        true
    }

    /// Asks the command to end. Kills it if it does not end in time.
    pub(super) fn stop(self, terminal: Terminal) {
        self.stop_within(PATIENCE, terminal);
    }

    fn stop_within(mut self, patience: Duration, terminal: Terminal) {
        if self.has_ended(terminal) {
            return;
        }
        if cfg!(unix) {
            self.signal("TERM");
        } else {
            let _ = self.shell.kill();
        }
        let began = Instant::now();
        let mut status: Option<ExitStatus> = None;
        while began.elapsed() < patience {
            status = status.or_else(|| self.shell.try_wait().ok().flatten());
            // The shell may end before the processes that it started.
            if let Some(status) = status
                && !(cfg!(unix) && self.signal("0"))
            {
                terminal.remark(&format!("the command was stopped: {status}\n"));
                return;
            }
            sleep(PAUSE);
        }
        if cfg!(unix) {
            self.signal("KILL");
        }
        let _ = self.shell.kill();
        let _ = self.shell.wait();
        terminal.remark("the command did not end, and was killed\n");
    }

    /// Returns the name of the shell and everything that it started, for signals.
    fn group(&self) -> String {
        format!("-{}", self.shell.id())
    }

    fn signal(&self, name: &str) -> bool {
        signal(&self.group(), name)
    }
}

/// Sends a signal to a group of processes. Returns whether the group exists.
fn signal(group: &str, name: &str) -> bool {
    // Not every system has a program `kill`, but the shell has one built in.
    let mut command = Command::new("sh");
    command.args(["-c", "kill -s \"$0\" -- \"$1\"", name, group]);
    let status = command.stdin(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use super::*;

    /// Longer than a process takes to end on a busy machine.
    const WATCHDOG: Duration = Duration::from_secs(120);

    /// Starts a command that writes the file `ready` in a folder when it is set up, and waits for that.
    fn start(text: &str, folder: &std::path::Path) -> Running {
        let ready = folder.join("ready");
        let text = text.replace("READY", &format!("echo $$ > '{}'", ready.display()));
        let running = Running::start(&text, Terminal::default()).unwrap();
        while !fs::read_to_string(&ready).is_ok_and(|text| text.ends_with('\n')) {
            sleep(PAUSE);
        }
        running
    }

    #[test]
    fn processes_that_do_not_end_are_killed_with_the_shell() {
        let folder = tempfile::tempdir().unwrap();
        // The shell ends, and leaves a process behind that ignores the request.
        let text = "(trap '' TERM; READY; while true; do sleep 1; done) & wait";
        let running = start(text, folder.path());
        let group = running.group();
        running.stop_within(Duration::from_millis(100), Terminal::default());
        let began = Instant::now();
        while signal(&group, "0") {
            assert!(
                began.elapsed() < WATCHDOG,
                "a process of the command is still there"
            );
            sleep(PAUSE);
        }
    }

    #[test]
    fn a_polite_command_ends_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let farewell = folder.path().join("farewell");
        let text = format!(
            "trap 'echo bye > {}; exit 0' TERM; READY; while true; do sleep 0.01; done",
            farewell.display()
        );
        let running = start(&text, folder.path());
        running.stop_within(Duration::from_secs(300), Terminal::default());
        assert_eq!(fs::read_to_string(farewell).unwrap(), "bye\n");
    }
}
