//! The open documents of the editor.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kgen_build::Overlay;
use serde_json::Value;

use crate::text::{Encoding, Text};
use crate::uri;

/// One open document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The URI as the client writes it.
    pub(crate) uri: String,
    pub(crate) version: i64,
    pub(crate) text: Text,
    /// The last text that was valid Rust, for the other files while this one is half typed.
    pub(crate) last_valid: Option<String>,
}

impl Document {
    /// Returns a file that is not open as if it were.
    pub(crate) fn closed(path: &Path, text: &str) -> Self {
        Self {
            uri: uri::of_path(path),
            version: 0,
            text: Text::new(text),
            last_valid: None,
        }
    }
}

/// All open documents, by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents {
    open: BTreeMap<PathBuf, Document>,
    /// The document and the byte of the last change that has a place.
    edited: Option<(PathBuf, usize)>,
}

impl Documents {
    pub(crate) fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&PathBuf, &Document)> {
        self.open.iter()
    }

    /// Opens a document. Returns its path, or `None` if it is not a file.
    pub(crate) fn open(&mut self, document: &Value) -> Option<PathBuf> {
        let uri = document.get("uri")?.as_str()?;
        let path = uri::to_path(uri)?;
        let text = document.get("text")?.as_str()?;
        self.open.insert(
            path.clone(),
            Document {
                uri: uri.to_owned(),
                version: version(document),
                text: Text::new(text),
                last_valid: None,
            },
        );
        Some(path)
    }

    /// Applies the changes of a notification. Returns the path of the document.
    pub(crate) fn change(&mut self, params: &Value, encoding: Encoding) -> Option<PathBuf> {
        let identifier = params.get("textDocument")?;
        let path = uri::to_path(identifier.get("uri")?.as_str()?)?;
        let document = self.open.get_mut(&path)?;
        document.version = version(identifier);
        for change in params.get("contentChanges")?.as_array()? {
            let new = change.get("text").and_then(Value::as_str).unwrap_or_default();
            match change.get("range").filter(|range| range.is_object()) {
                Some(range) => {
                    let bytes = document.text.range(range, encoding);
                    self.edited = Some((path.clone(), bytes.start + new.len()));
                    document.text.replace(bytes, new);
                }
                None => document.text = Text::new(new),
            }
        }
        Some(path)
    }

    /// Returns the document of the last change, and the byte behind it.
    pub(crate) fn edited(&self) -> Option<(&Path, &Document, usize)> {
        let (path, offset) = self.edited.as_ref()?;
        Some((path, self.open.get(path)?, *offset))
    }

    pub(crate) fn close(&mut self, uri: &str) -> Option<PathBuf> {
        let path = uri::to_path(uri)?;
        self.open.remove(&path).map(|_| path)
    }

    /// Remembers that the present text of a document is valid Rust.
    pub(crate) fn set_valid(&mut self, path: &Path, text: &str) {
        if let Some(document) = self.open.get_mut(path) {
            document.last_valid = Some(text.to_owned());
        }
    }

    /// Returns the texts of all documents, over the disk.
    pub(crate) fn overlay(&self) -> Overlay {
        let mut overlay = Overlay::default();
        for (path, document) in &self.open {
            overlay.write(path, document.text.as_str());
        }
        overlay
    }
}

fn version(document: &Value) -> i64 {
    document
        .get("version")
        .and_then(Value::as_i64)
        .unwrap_or_default()
}
