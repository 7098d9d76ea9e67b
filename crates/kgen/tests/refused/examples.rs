//! The counterexamples in `testdata/refused`: each folder breaks one rule. The README there describes the files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

/// Who refuses a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// kgen and the API server.
    Both,
    /// Only kgen, because the CRD would be useless.
    KgenOnly,
    /// Only the API server, because kgen does not have the check yet.
    ServerOnly,
}

/// One folder.
pub struct CounterExample {
    pub name: String,
    pub folder: PathBuf,
    pub refusal: Refusal,
    /// The API server's words, or the reason why only one of the two refuses it.
    pub remark: String,
}

impl CounterExample {
    pub fn new(folder: &Path) -> Self {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let read = |file: &str| fs::read_to_string(folder.join(file)).ok();
        let (refusal, remark) = match (read("accepted.txt"), read("missed.txt"), read("server.txt")) {
            (None, None, Some(words)) => (Refusal::Both, words),
            (Some(reason), None, None) => (Refusal::KgenOnly, reason),
            (None, Some(reason), Some(_)) => (Refusal::ServerOnly, reason),
            _ => panic!("{name} must have `server.txt`, `accepted.txt`, or `server.txt` and `missed.txt`"),
        };
        Self {
            name,
            folder: folder.to_owned(),
            refusal,
            remark,
        }
    }
}

/// Returns all counterexamples, sorted by name.
pub fn all(root: &Path) -> Vec<CounterExample> {
    let entries = fs::read_dir(root.join("testdata/refused")).unwrap();
    let mut folders: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    assert!(folders.len() > 80, "only {} were found", folders.len());
    folders.iter().map(|folder| CounterExample::new(folder)).collect()
}
