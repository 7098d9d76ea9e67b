//! One running component: it is started with a log, checked, and stopped gracefully, or killed when it is dropped.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::components::Component;
use crate::error::{Error, IoContext, Result};

/// How many lines of a log an error shows.
const TAIL_LINES: usize = 20;

/// How often a process is checked for its end.
const POLL: Duration = Duration::from_millis(20);

/// A running component. It is killed when this is dropped.
pub(crate) struct Process {
    component: Component,
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts `program`; its output is appended to `log`.
    pub(crate) fn start(
        component: Component,
        program: &Path,
        arguments: &[String],
        log: &Path,
        group: i32,
    ) -> Result<Self> {
        let output = OpenOptions::new()
            .create(true)
            .append(true)
            .open(log)
            .context("open", log)?;
        let errors = output.try_clone().context("open", log)?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .process_group(group);
        for name in etcd_variables() {
            command.env_remove(name);
        }
        let child = command.spawn().context("start", program)?;
        Ok(Self {
            component,
            child,
            log: log.to_owned(),
        })
    }

    /// Returns the process ID.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns an error with the end of the log if the process has exited.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.child.try_wait().context("ask after", &self.log)? {
            None => Ok(()),
            Some(status) => Err(Error::Died {
                component: self.component,
                status,
                log: self.log.clone(),
                tail: tail(&self.log),
            }),
        }
    }

    /// Asks the process to exit, and kills it if it is still running after `patience`.
    pub(crate) async fn terminate(mut self, patience: Duration) {
        if let Some(process) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(process, Signal::TERM);
        }
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if self.ended().is_some() {
                return;
            }
            tokio::time::sleep(POLL).await;
        }
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }
}

impl Drop for Process {
    /// Kills the process, like a crash, and waits until it has exited.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the variables that start with `ETCD_`. etcd reads settings from them, which must not change the tests.
fn etcd_variables() -> impl Iterator<Item = OsString> {
    std::env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| name.to_str().is_some_and(|name| name.starts_with("ETCD_")))
}

/// Returns the last lines of a log, indented. Invalid UTF-8 is replaced.
pub(crate) fn tail(log: &Path) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.len().saturating_sub(TAIL_LINES);
    let shown: Vec<String> = lines
        .iter()
        .skip(start)
        .map(|line| format!("    {line}"))
        .collect();
    if shown.is_empty() {
        "    (the log is empty)".to_owned()
    } else {
        shown.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_the_last_twenty_lines() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(tail(file.path()), "    (the log is empty)");
        let lines: Vec<String> = (1..=30).map(|number| format!("line {number}")).collect();
        std::fs::write(file.path(), lines.join("\n")).unwrap();
        let shown = tail(file.path());
        assert!(shown.starts_with("    line 11\n"), "{shown}");
        assert!(shown.ends_with("    line 30"), "{shown}");
    }
}
