//! Previews of CRDs: their texts, and the node at which the user works.

use std::path::Path;

use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::cursor::{document, is_rust, nodes_of, outline};
use crate::documents::{Document, Documents};
use crate::generated;
use crate::text::Encoding;

/// A preview that the client shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preview {
    pub(crate) text: String,
    pub(crate) focus: Option<Focus>,
}

/// The node of a CRD at which the user works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Focus {
    /// The name of the CRD's file.
    definition: String,
    version: String,
    path: String,
}

/// Returns the URI of the preview of a CRD.
pub(crate) fn uri(definition: &str) -> String {
    format!("kgen-crd:/{definition}")
}

fn definition_of(uri: &str) -> Option<&str> {
    Some(uri.strip_prefix("kgen-crd:")?.trim_start_matches('/'))
}

/// Returns the CRD of a preview, if the last run has it.
pub(crate) fn text<'a>(snapshot: &'a Snapshot, uri: &str) -> Option<&'a str> {
    let name = definition_of(uri)?;
    let definitions = snapshot
        .inspected
        .iter()
        .flat_map(|inspected| &inspected.inspection.definitions);
    let mut definitions = definitions.filter(|definition| definition.name == name);
    definitions.next().map(|definition| definition.text.as_str())
}

/// Returns the preview that a command asks for: by its URI, by a place in the source, or both.
pub(crate) fn wanted(
    documents: &Documents,
    snapshot: &Snapshot,
    encoding: Encoding,
    arguments: &Value,
) -> Option<(String, Preview)> {
    let given = arguments.get(0).and_then(Value::as_str);
    let place = arguments.get(1).unwrap_or(&Value::Null);
    let focus = document(documents, place).and_then(|(path, found)| {
        let offset = found.text.offset(place.get("position")?, encoding);
        focus_at(snapshot, &path, found, offset, given.and_then(definition_of))
    });
    let uri = match (given, &focus) {
        (Some(given), _) => given.to_owned(),
        (None, Some(focus)) => uri(&focus.definition),
        (None, None) => return None,
    };
    let text = text(snapshot, &uri)?.to_owned();
    Some((uri, Preview { text, focus }))
}

/// Returns the node that the declaration around a byte becomes, in one CRD or in any.
fn focus_at(
    snapshot: &Snapshot,
    path: &Path,
    document: &Document,
    offset: usize,
    wanted: Option<&str>,
) -> Option<Focus> {
    if !is_rust(path) {
        return None;
    }
    let outline = outline(path, document);
    let at = u32::try_from(offset).unwrap_or(u32::MAX);
    let marker = outline
        .marker_at(at)
        .and_then(|marker| outline.items.get(marker.item?));
    // Documentation and attributes are above their declaration.
    let line = document
        .text
        .line_text(document.text.line_of(offset))
        .1
        .trim_start();
    let is_above = line.starts_with("//") || line.starts_with("#[");
    let behind = outline
        .items
        .iter()
        .filter(|item| is_above && item.whole.start >= at);
    let behind = behind.min_by_key(|item| item.whole.start);
    let item = marker.or(behind).or_else(|| outline.item_around(at))?;
    let index = snapshot.index_of(path);
    let nodes = nodes_of(snapshot, &index, path, &outline, item);
    let focus = |node: &&crate::index::Node| {
        let kind = index.kind(node)?;
        Some(Focus {
            definition: kind.definition.clone(),
            version: kind.version.clone(),
            path: node.path.clone(),
        })
    };
    let mut found = nodes.iter().filter_map(focus);
    found.find(|focus| wanted.is_none_or(|wanted| wanted == focus.definition))
}

impl Preview {
    /// Takes the present text, and the node of the last edit if it is in this CRD. Returns whether the text has changed.
    pub(crate) fn update(&mut self, uri: &str, documents: &Documents, snapshot: &Snapshot) -> bool {
        let Some(text) = text(snapshot, uri).filter(|text| *text != self.text) else {
            return false;
        };
        text.clone_into(&mut self.text);
        let edited = documents.edited().and_then(|(path, document, offset)| {
            focus_at(snapshot, path, document, offset, definition_of(uri))
        });
        if edited.is_some() {
            self.focus = edited;
        }
        true
    }

    /// Returns the preview for the client, with the range of the node.
    pub(crate) fn to_json(&self, uri: &str) -> Value {
        let focus = self.focus.as_ref();
        let place = focus.and_then(|focus| generated::place_of(&self.text, &focus.version, &focus.path));
        let range = place.map(|(line, character)| {
            let position = json!({"line": line, "character": character});
            json!({"start": position, "end": position})
        });
        json!({"uri": uri, "text": self.text, "range": range})
    }
}
