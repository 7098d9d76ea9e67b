//! The place that a request is about: the document, the byte, and what is there.

use std::path::{Path, PathBuf};

use kgen_build::{Compat, ForeignMarkers, Item, Outline};
use serde_json::Value;

use crate::analysis::Snapshot;
use crate::documents::{Document, Documents};
use crate::index::{Index, Node};
use crate::text::{Encoding, SameLines};
use crate::uri;

/// A place in an open document.
pub(crate) struct Cursor<'a> {
    pub(crate) path: PathBuf,
    pub(crate) document: &'a Document,
    pub(crate) offset: usize,
}

impl<'a> Cursor<'a> {
    /// Reads the document and the position of a request, in the encoding of the client: there may be no run yet.
    pub(crate) fn of(documents: &'a Documents, encoding: Encoding, params: &Value) -> Option<Self> {
        let (path, document) = document(documents, params)?;
        let position = params.get("position").unwrap_or(&Value::Null);
        let offset = document.text.offset(position, encoding);
        Some(Self {
            path,
            document,
            offset,
        })
    }

    pub(crate) fn outline(&self) -> Outline {
        outline(&self.path, self.document)
    }

    pub(crate) fn is_toml(&self) -> bool {
        is_toml(&self.path)
    }
}

pub(crate) fn is_toml(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == kgen_build::FILE_NAME)
}

pub(crate) fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// Returns the document of a request.
pub(crate) fn document<'a>(documents: &'a Documents, params: &Value) -> Option<(PathBuf, &'a Document)> {
    let uri = params.pointer("/textDocument/uri")?.as_str()?;
    let path = uri::to_path(uri)?;
    let document = documents.get(&path)?;
    Some((path, document))
}

/// Returns the declarations and markers of a document. If it is not valid Rust, they are those of its last valid text, on the
/// lines that are still the same.
pub(crate) fn outline(path: &Path, document: &Document) -> Outline {
    let text = document.text.as_str();
    let present = outline_of_text(path, text);
    match &document.last_valid {
        Some(valid) if !present.is_valid => {
            let same = SameLines::of(valid, text);
            Outline {
                is_valid: false,
                ..outline_of_text(path, valid).moved(&|offset| same.moved(offset))
            }
        }
        _ => present,
    }
}

/// Returns the declarations and markers of a text.
pub(crate) fn outline_of_text(path: &Path, text: &str) -> Outline {
    Outline::of("", path, text, &ForeignMarkers::default(), Compat::ControllerGen)
}

/// Returns the values that a declaration of the present text becomes.
///
/// The last run may have seen another text, so a declaration is found by its name and the name of its type.
pub(crate) fn nodes_of<'i>(
    snapshot: &Snapshot,
    index: &'i Index,
    path: &Path,
    outline: &Outline,
    item: &Item,
) -> Vec<&'i Node> {
    let Some(seen) = snapshot.seen.iter().find(|seen| seen.path == path) else {
        return index.at(path, item.span.range().start);
    };
    let shown = outline.files.iter().next().map_or("", |(_, file)| file.text());
    if outline.is_valid && seen.text == shown {
        return index.at(path, item.span.range().start);
    }
    let seen = seen.outline();
    let parent = |outline: &Outline, item: &Item| {
        let parent = item.parent.and_then(|parent| outline.items.get(parent));
        parent.map(|parent| parent.name.clone())
    };
    let wanted = (parent(outline, item), &item.name);
    let found = seen
        .items
        .iter()
        .find(|known| (parent(seen, known), &known.name) == wanted);
    found.map_or(Vec::new(), |found| index.at(path, found.span.range().start))
}
