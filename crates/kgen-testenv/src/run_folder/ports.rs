//! Free ports on 127.0.0.1.
//!
//! Ports are taken from below the range in which the system picks ports for outgoing connections, so that a killed
//! component can use its port again when it is restarted. Two control planes that start together do not get the same
//! ports: each writes its own into its run folder, and ports are chosen under the lock of all run folders.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use crate::error::{Error, IoContext, Result};
use crate::run_folder::run_folders;

/// Above the well-known ports, below those of `NodePort` services (30000) and outgoing connections (32768).
const FIRST: u16 = 20_000;
const LAST: u16 = 29_999;

/// The file in a run folder with its ports.
const PORTS: &str = "ports";

/// Picks ports and appends them to the list in `folder`. The caller holds the lock of `root`.
pub(super) fn claim<const COUNT: usize>(root: &Path, folder: &Path) -> Result<[u16; COUNT]> {
    let taken = taken(root)?;
    // The first port differs between processes, because users of the same machine do not share a lock.
    let offset = u16::try_from(std::process::id() % 9_973).unwrap_or(0);
    let mut free = (FIRST..=LAST)
        .cycle()
        .skip(usize::from(offset))
        .take(usize::from(LAST - FIRST) + 1)
        .filter(|port| !taken.contains(port) && is_free(*port));
    let mut ports = [0; COUNT];
    for port in &mut ports {
        *port = free.next().ok_or(Error::NoFreePort {
            first: FIRST,
            last: LAST,
        })?;
    }
    let path = folder.join(PORTS);
    let mut list = std::fs::read_to_string(&path).unwrap_or_default();
    for port in ports {
        list.push_str(&format!("{port}\n"));
    }
    std::fs::write(&path, list).context("write", &path)?;
    Ok(ports)
}

/// Returns the ports of all control planes, including those of stopped components.
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
        let ours: [u16; 6] = claim(root.path(), &first).unwrap();
        let _used = TcpListener::bind((Ipv4Addr::LOCALHOST, ours[5] + 1));
        let theirs: [u16; 6] = claim(root.path(), &second).unwrap();
        let [one_more] = claim(root.path(), &first).unwrap();
        let all: BTreeSet<u16> = ours.into_iter().chain(theirs).chain([one_more]).collect();
        assert_eq!(all.len(), 13);
        assert!(!all.contains(&(ours[5] + 1)));
        assert_eq!(taken(root.path()).unwrap(), all);
    }
}
