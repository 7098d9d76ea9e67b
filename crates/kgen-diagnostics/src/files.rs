//! The source files of a run: their names as shown to the user, and their text.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::{FileId, Span};

/// One file that was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    /// Bytes in front of the text that belong to the file but not to its text (a byte order mark).
    skipped: u32,
    /// The file on the disk that fixes may change.
    editable: Option<PathBuf>,
    /// Made when a message asks for it: most files have none.
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// Returns a file called `name` (with forward slashes, relative to the current folder) with the content `text`. A
    /// byte order mark is removed; offsets in reports still count it.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        let mut skipped = 0;
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
            skipped = 3;
        }
        Self {
            name: name.into(),
            text,
            skipped,
            editable: None,
            line_starts: OnceLock::new(),
        }
    }

    /// Says that the text is the user's own file at `path`, which fixes may change.
    #[must_use]
    pub fn editable_at(mut self, path: impl Into<PathBuf>) -> Self {
        self.editable = Some(path.into());
        self
    }

    /// Returns the file that fixes may change; `None` for text that is not the user's own.
    #[must_use]
    pub fn editable(&self) -> Option<&Path> {
        self.editable.as_deref()
    }

    /// Returns the whole file as it is on the disk, with its byte order mark.
    #[must_use]
    pub fn whole(&self) -> String {
        let mark = if self.skipped > 0 { "\u{feff}" } else { "" };
        format!("{mark}{}", self.text)
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| line_starts(&self.text))
    }

    /// Returns the name shown to the user.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the part of the text that `span` covers; empty if it covers none.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Returns the line, counted from zero, that holds `offset`.
    #[must_use]
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts()
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// Returns the text of a line counted from zero, without its line break; empty if there is no such line.
    #[must_use]
    pub fn line(&self, index: usize) -> &str {
        let Some(start) = self.line_starts().get(index) else {
            return "";
        };
        let end = self
            .line_starts()
            .get(index + 1)
            .map_or(self.text.len(), |next| *next as usize);
        self.text
            .get(*start as usize..end)
            .unwrap_or_default()
            .trim_end_matches(['\n', '\r'])
    }

    /// Returns the offset of the first byte of a line counted from zero; the end of the text if there is no such line.
    #[must_use]
    pub fn line_start(&self, index: usize) -> u32 {
        self.line_starts()
            .get(index)
            .copied()
            .unwrap_or_else(|| u32::try_from(self.text.len()).unwrap_or(u32::MAX))
    }

    /// Returns the line and the column of an offset, as editors count them.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_of(offset);
        let start = self.line_start(line) as usize;
        let before = self
            .text
            .get(start..(offset as usize).min(self.text.len()))
            .unwrap_or_default();
        Position {
            line: line + 1,
            column: before.chars().count() + 1,
            byte: offset + self.skipped,
        }
    }
}

/// Returns the offsets at which the lines of a text start.
#[must_use]
pub fn line_starts(text: &str) -> Vec<u32> {
    let breaks = text.match_indices('\n');
    let behind = breaks.map(|(offset, _)| u32::try_from(offset + 1).unwrap_or(u32::MAX));
    std::iter::once(0).chain(behind).collect()
}

/// A place as a person or an editor names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Byte offset in the file on disk, from 0.
    pub byte: u32,
}

/// All files of a run, in the order in which they were added. A clone shares their text.
#[derive(Clone, Debug, Default)]
pub struct Files {
    files: Vec<Arc<SourceFile>>,
}

impl Files {
    /// Returns the number of bytes in all files.
    #[must_use]
    pub fn size(&self) -> usize {
        self.files.iter().map(|file| file.text.len()).sum()
    }

    /// Adds a file and returns how spans name it.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        let id = self.next_id();
        self.files.push(Arc::new(file));
        id
    }

    /// Returns the name that the next added file will get.
    #[must_use]
    pub fn next_id(&self) -> FileId {
        FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX))
    }

    /// Returns the file behind an id of this set.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize).map(Arc::as_ref)
    }

    /// Returns the name of a file, for messages.
    #[must_use]
    pub fn name(&self, id: FileId) -> &str {
        self.get(id).map_or("", SourceFile::name)
    }

    /// Returns the text that `span` covers.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).map_or("", |file| file.slice(span))
    }

    /// Returns every file with its id.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(index, file)| (FileId(u32::try_from(index).unwrap_or(u32::MAX)), file.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_skip_the_byte_order_mark() {
        let file = SourceFile::new("a.rs", "\u{feff}// ü\r\nstruct A;\n");
        assert_eq!(file.text(), "// ü\r\nstruct A;\n");
        assert_eq!(
            file.position(5),
            Position {
                line: 1,
                column: 5,
                byte: 8
            }
        );
        assert_eq!(
            file.position(7),
            Position {
                line: 2,
                column: 1,
                byte: 10
            }
        );
        assert_eq!(file.line(0), "// ü");
        assert_eq!(file.line(9), "");
    }

    #[test]
    fn an_offset_behind_the_end_is_a_place_too() {
        let file = SourceFile::new("a.rs", "x");
        assert_eq!(file.position(99).line, 1);
        assert_eq!(SourceFile::new("b.rs", "").position(0).column, 1);
    }
}
