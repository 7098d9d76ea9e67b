//! Cleans up if this process cannot: after a kill, an abort, Ctrl-C, or `exit` with a control plane in a static.
//!
//! The watchdog is a shell in its own process group, which the components join. It reads from a pipe whose other end
//! only this process holds. However this process ends, the system closes the pipe; the watchdog then ends its group and
//! removes the folder. `PR_SET_PDEATHSIG` would only kill the processes, works only on Linux, and needs unsafe code.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::error::{IoContext, Result};

/// `$1` is the folder. The watchdog ignores signals to the group until it is done. It first asks the processes to exit,
/// so that they do not write to the folder while it is removed, and then kills the whole group, including itself.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
while read -r line; do :; done
kill -TERM 0
sleep 1
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
kill -KILL 0
"#;

/// The guard of one control plane.
pub(crate) struct Watchdog {
    /// Its standard input is the pipe, which is open until this is dropped.
    shell: Child,
}

impl Watchdog {
    /// Starts to watch over `folder`.
    pub(crate) fn start(folder: &Path) -> Result<Self> {
        let shell = Path::new("/bin/sh");
        let shell = Command::new(shell)
            .args(["-c", SCRIPT, "kgen-testenv-watchdog"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .context("start", shell)?;
        Ok(Self { shell })
    }

    /// Returns the process group for the components.
    pub(crate) fn group(&self) -> i32 {
        // A process ID always fits: the system's own type for it is i32.
        i32::try_from(self.shell.id()).unwrap_or(0)
    }
}

impl Drop for Watchdog {
    /// Ends the watchdog without cleaning up, because the owner has already done so.
    fn drop(&mut self) {
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
