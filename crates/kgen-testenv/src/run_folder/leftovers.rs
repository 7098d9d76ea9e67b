//! Control planes whose owner and watchdog are both gone: their processes are ended and their folders removed.

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
        // What cannot be removed now is tried again at the next start.
        let _ = std::fs::remove_dir_all(&folder);
    }
    Ok(())
}

/// Whether somebody holds the lease.
fn is_alive(folder: &Path) -> bool {
    match OpenOptions::new().write(true).open(folder.join(LEASE)) {
        Ok(lease) => lease.try_lock().is_err(),
        Err(_) => false,
    }
}

/// The components that were started for `folder`: their command lines name it. Process numbers are not written down
/// anywhere, since by now they may belong to other programs.
fn components_of(folder: &Path) -> Vec<Pid> {
    let Some(folder) = folder.to_str() else {
        return Vec::new();
    };
    let lines = if Path::new("/proc/self/cmdline").exists() {
        lines_of_proc()
    } else {
        lines_of_ps()
    };
    lines
        .into_iter()
        .filter(|(_, line)| line.contains(folder) && is_component(line))
        .filter_map(|(process, _)| Pid::from_raw(process))
        .collect()
}

/// Whether the program of a command line is one of ours; somebody may be looking into the folder with an editor.
fn is_component(line: &str) -> bool {
    let program = line.split_whitespace().next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    Component::ALL.iter().any(|component| component.binary() == name)
}

/// Process numbers and command lines, from Linux's `/proc`.
fn lines_of_proc() -> Vec<(i32, String)> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| {
            let process: i32 = entry.file_name().to_str()?.parse().ok()?;
            let line = std::fs::read(entry.path().join("cmdline")).ok()?;
            Some((process, String::from_utf8_lossy(&line).replace('\0', " ")))
        })
        .collect()
}

/// Process numbers and command lines, from `ps`, for macOS.
fn lines_of_ps() -> Vec<(i32, String)> {
    let Ok(output) = Command::new("ps").args(["-axww", "-o", "pid=,command="]).output() else {
        return Vec::new();
    };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| {
            let (process, line) = line.trim_start().split_once(' ')?;
            Some((process.parse().ok()?, line.trim_start().to_owned()))
        })
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
        assert!(is_component("/cache/1.36.4/etcd --data-dir=/tmp/run-1/etcd"));
        assert!(!is_component("vim /tmp/run-1/etcd"));
    }
}
