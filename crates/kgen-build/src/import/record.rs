//! The record of an import: the digests of the files that it wrote, beside them. A file that has its digest is unchanged, so
//! that the next import may replace or remove it.
//!
//! `kgen import` and the import of `kgen.toml` have a record each, because they may share a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kgen_import::digest;

use crate::disk;
use crate::plan::ChangeAction;

/// Whose record it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Keeper {
    /// `kgen import`.
    #[default]
    Command,
    /// The import of `kgen.toml`.
    Project,
}

impl Keeper {
    /// Returns the name of the file.
    pub(super) fn file_name(self) -> &'static str {
        match self {
            Self::Command => ".kgen-import",
            Self::Project => ".kgen-import-project",
        }
    }

    /// Returns the first line of the file.
    fn header(self) -> &'static str {
        match self {
            Self::Command => {
                "# Digests of the files that `kgen import` wrote. It replaces them as long as nobody edits them."
            }
            Self::Project => {
                "# Digests of the files that `[import]` in kgen.toml wrote. kgen removes them with their CRDs as long as nobody edits them."
            }
        }
    }
}

/// The digests of files, by their paths below the output folder.
#[derive(Debug, Default)]
pub(super) struct Record {
    keeper: Keeper,
    digests: BTreeMap<String, String>,
    old: Option<Vec<u8>>,
}

impl Record {
    /// Reads the record of a folder. One that cannot be read has no files.
    pub(super) fn read(folder: &Path, keeper: Keeper) -> Self {
        let old = disk::read_if_there(&folder.join(keeper.file_name())).unwrap_or_default();
        let text = old.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let digests = text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter(|(digest, _)| *digest != "#")
            .map(|(digest, path)| (path.to_owned(), digest.to_owned()))
            .collect();
        Self { keeper, digests, old }
    }

    /// Returns the paths of the files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.digests.keys().map(String::as_str)
    }

    /// Returns the content of the record itself.
    pub(super) fn content(&self) -> Option<&[u8]> {
        self.old.as_deref()
    }

    pub(super) fn knows(&self, path: &str) -> bool {
        self.digests.contains_key(path)
    }

    pub(super) fn forget(&mut self, path: &str) {
        self.digests.remove(path);
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
        let new = format!("{}\n{}", self.keeper.header(), lines.collect::<String>());
        let action = match self.old {
            Some(old) if old == new.as_bytes() => ChangeAction::Same,
            Some(old) => ChangeAction::Update { old, new },
            None if self.digests.is_empty() => return None,
            None => ChangeAction::Create { new },
        };
        Some((folder.join(self.keeper.file_name()), action))
    }
}
