//! Free ports on 127.0.0.1.
//!
//! Ports are taken from below the range in which the system picks ports for outgoing connections, so that a component
//! which is killed finds its port free when it is restarted. Two control planes that start together do not get the same
//! ports: each writes its own into its run folder, and choosing is done under the lock of all run folders.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use crate::components::Ports;
use crate::error::{Error, IoContext, Result};
use crate::run_folder::run_folders;

/// Above the well-known ports, below those of `NodePort` services (30000) and outgoing connections (32768).
const FIRST: u16 = 20_000;
const LAST: u16 = 29_999;

/// The file in a run folder that lists its ports.
const PORTS: &str = "ports";

/// Picks ports and writes them into `folder`. The caller holds the lock of `root`.
pub(super) fn claim(root: &Path, folder: &Path) -> Result<Ports> {
    let taken = taken(root)?;
    // Where to begin differs between processes: users who share a machine do not share a lock.
    let offset = u16::try_from(std::process::id() % 9_973).unwrap_or(0);
    let mut free = (FIRST..=LAST)
        .cycle()
        .skip(usize::from(offset))
        .take(usize::from(LAST - FIRST) + 1)
        .filter(|port| !taken.contains(port) && is_free(*port));
    let mut ports = [0; Ports::COUNT];
    for port in &mut ports {
        *port = free.next().ok_or(Error::NoFreePort {
            first: FIRST,
            last: LAST,
        })?;
    }
    let list: Vec<String> = ports.iter().map(ToString::to_string).collect();
    let path = folder.join(PORTS);
    std::fs::write(&path, list.join("\n")).context("write", &path)?;
    Ok(Ports::new(ports))
}

/// The ports of all control planes, including those whose components are stopped for now.
fn taken(root: &Path) -> Result<BTreeSet<u16>> {
    let mut taken = BTreeSet::new();
    for folder in run_folders(root)? {
        let text = std::fs::read_to_string(folder.join(PORTS)).unwrap_or_default();
        taken.extend(text.lines().filter_map(|line| line.parse::<u16>().ok()));
    }
    Ok(taken)
}

fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_used_nor_claimed_ports_are_given() {
        let root = tempfile::tempdir().unwrap();
        let first = root.path().join("run-1");
        let second = root.path().join("run-2");
        std::fs::create_dir(&first).unwrap();
        std::fs::create_dir(&second).unwrap();
        let ours = claim(root.path(), &first).unwrap();
        let _used = TcpListener::bind((Ipv4Addr::LOCALHOST, ours.kwok + 1));
        let theirs = claim(root.path(), &second).unwrap();
        let all = |ports: Ports| {
            BTreeSet::from([
                ports.etcd,
                ports.etcd_peer,
                ports.api_server,
                ports.controller_manager,
                ports.scheduler,
                ports.kwok,
            ])
        };
        assert_eq!(all(ours).len(), Ports::COUNT);
        assert!(all(ours).is_disjoint(&all(theirs)));
        assert!(!all(theirs).contains(&(ours.kwok + 1)));
    }
}
