//! The record of an import: the digests of the files that it wrote, beside them. A file that has its digest is unchanged, so
//! that the next import may replace it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kgen_import::digest;

use crate::disk;
use crate::plan::ChangeAction;

/// The name of the file.
const NAME: &str = ".kgen-import";

/// The first line of the file.
const HEADER: &str =
    "# Digests of the files that `kgen import` wrote. It replaces them as long as nobody edits them.";

/// The digests of files, by their paths below the output folder.
#[derive(Debug, Default)]
pub(super) struct Record {
    digests: BTreeMap<String, String>,
    old: Option<Vec<u8>>,
}

impl Record {
    /// Reads the record of a folder. One that cannot be read has no files.
    pub(super) fn read(folder: &Path) -> Self {
        let old = disk::read_if_there(&folder.join(NAME)).unwrap_or_default();
        let text = old.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let digests = text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter(|(digest, _)| *digest != "#")
            .map(|(digest, path)| (path.to_owned(), digest.to_owned()))
            .collect();
        Self { digests, old }
    }

    pub(super) fn note(&mut self, path: &str, text: &str) {
        self.digests.insert(path.to_owned(), digest(text.as_bytes()));
    }

    /// Returns whether an import wrote this content.
    pub(super) fn has(&self, path: &str, content: &[u8]) -> bool {
        self.digests
            .get(path)
            .is_some_and(|known| *known == digest(content))
    }

    /// Returns the change of the record itself.
    pub(super) fn action(self, folder: &Path) -> Option<(PathBuf, ChangeAction)> {
        let lines = self
            .digests
            .iter()
            .map(|(path, digest)| format!("{digest} {path}\n"));
        let new = format!("{HEADER}\n{}", lines.collect::<String>());
        let action = match self.old {
            Some(old) if old == new.as_bytes() => ChangeAction::Same,
            Some(old) => ChangeAction::Update { old, new },
            None if self.digests.is_empty() => return None,
            None => ChangeAction::Create { new },
        };
        Some((folder.join(NAME), action))
    }
}
