//! Control planes whose owner and watchdog are both gone: ends their processes and removes their folders.

use std::fs::OpenOptions;
use std::path::Path;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use crate::components::Component;
use crate::error::Result;
use crate::run_folder::{LEASE, run_folders};

/// Removes every leftover in `root`. The caller holds the lock of `root`.
pub(super) fn remove(root: &Path) -> Result<()> {
    for folder in run_folders(root)? {
        if is_alive(&folder) {
            continue;
        }
        for process in components_of(&folder) {
            let _ = kill_process(process, Signal::KILL);
        }
        // A folder that cannot be removed now is tried again at the next start.
        let _ = std::fs::remove_dir_all(&folder);
    }
    Ok(())
}

/// Returns whether a process holds the lease.
fn is_alive(folder: &Path) -> bool {
    match OpenOptions::new().write(true).open(folder.join(LEASE)) {
        Ok(lease) => lease.try_lock().is_err(),
        Err(_) => false,
    }
}

/// A process of this machine.
struct Running {
    process: i32,
    program: String,
    command_line: String,
}

impl Running {
    /// Returns whether this is a component that was started for `folder`: its arguments contain the path. An editor
    /// that has a file of the folder open is not one. Process IDs are not stored, because they may have been reused.
    fn belongs_to(&self, folder: &str) -> bool {
        let name = self.program.rsplit('/').next().unwrap_or_default();
        self.command_line.contains(folder)
            && Component::ALL.iter().any(|component| component.binary() == name)
    }
}

fn components_of(folder: &Path) -> Vec<Pid> {
    let Some(folder) = folder.to_str() else {
        return Vec::new();
    };
    let running = if Path::new("/proc/self/cmdline").exists() {
        from_proc()
    } else {
        from_ps()
    };
    let ours = running.into_iter().filter(|running| running.belongs_to(folder));
    ours.filter_map(|running| Pid::from_raw(running.process))
        .collect()
}

/// Returns all processes, from Linux's `/proc`.
fn from_proc() -> Vec<Running> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let read = |entry: std::fs::DirEntry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let bytes = std::fs::read(entry.path().join("cmdline")).ok()?;
        let command_line = String::from_utf8_lossy(&bytes).into_owned();
        let program = command_line.split('\0').next()?.to_owned();
        Some(Running {
            process,
            program,
            command_line,
        })
    };
    entries.flatten().filter_map(read).collect()
}

/// Returns all processes, from `ps`, for macOS.
fn from_ps() -> Vec<Running> {
    let Ok(output) = Command::new("ps").args(["-axww", "-o", "pid=,command="]).output() else {
        return Vec::new();
    };
    let read = |line: &str| {
        let (process, command_line) = line.trim_start().split_once(' ')?;
        let (process, command_line) = (process.parse().ok()?, command_line.trim_start().to_owned());
        let program = command_line.split(' ').next()?.to_owned();
        Some(Running {
            process,
            program,
            command_line,
        })
    };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(read)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_left_alone_while_its_lease_is_held() {
        let root = tempfile::tempdir().unwrap();
        let held = root.path().join("run-held");
        let dead = root.path().join("run-dead");
        for folder in [&held, &dead] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join(LEASE), "").unwrap();
        }
        let lease = OpenOptions::new().write(true).open(held.join(LEASE)).unwrap();
        lease.lock().unwrap();
        remove(root.path()).unwrap();
        assert!(held.exists());
        assert!(!dead.exists());
    }

    #[test]
    fn only_components_are_ended() {
        let running = |program: &str, argument: &str| {
            let (program, command_line) = (program.to_owned(), format!("{program} {argument}"));
            Running {
                process: 1,
                program,
                command_line,
            }
        };
        assert!(running("/my cache/etcd", "--data-dir=/tmp/run-1/etcd").belongs_to("/tmp/run-1"));
        assert!(!running("/my cache/etcd", "--data-dir=/tmp/run-2/etcd").belongs_to("/tmp/run-1"));
        assert!(!running("/usr/bin/vim", "/tmp/run-1/etcd").belongs_to("/tmp/run-1"));
    }

    #[test]
    fn both_ways_see_this_process() {
        let own = std::process::id().cast_signed();
        for running in [from_proc(), from_ps()] {
            // A machine may not have one of the two.
            assert!(running.is_empty() || running.iter().any(|running| running.process == own));
        }
    }
}
