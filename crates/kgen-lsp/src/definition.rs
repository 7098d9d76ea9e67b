//! From a name in a marker to the field or struct that it means, and from a field to the markers that name it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kgen_build::{Item, Outline};
use kgen_markers::find_marker;
use kgen_model::Schema;
use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::completion::split_arguments;
use crate::cursor::{Cursor, document, is_rust, nodes_of, outline, outline_of_text};
use crate::documents::{Document, Documents};
use crate::expression;
use crate::index::{Index, Place, follow};
use crate::{generated, preview, uri};

pub(crate) fn answer(documents: &Documents, snapshot: &Snapshot, params: &Value) -> Value {
    if let Some(places) = of_generated(documents, snapshot, params) {
        return places.iter().map(location).collect();
    }
    let Some(cursor) = Cursor::of(documents, snapshot.encoding, params) else {
        return Value::Null;
    };
    let outline = cursor.outline();
    let places = targets(&cursor, snapshot, &outline);
    if places.is_empty() {
        return Value::Null;
    }
    places.iter().map(location).collect()
}

/// Returns the places that a line of a generated CRD or of its preview comes from; `None` for other files.
fn of_generated(documents: &Documents, snapshot: &Snapshot, params: &Value) -> Option<Vec<Place>> {
    let uri = params.pointer("/textDocument/uri")?.as_str()?;
    let line = params.pointer("/position/line")?.as_u64()?;
    let opened = document(documents, params).filter(|(path, _)| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("yaml" | "yml"))
    });
    let text = match &opened {
        Some((_, document)) => document.text.as_str(),
        None => preview::text(snapshot, uri)?,
    };
    let part = generated::part_at(text, usize::try_from(line).ok()?)?;
    Some(generated::sources(snapshot.index(), &part))
}

fn location(place: &Place) -> Value {
    json!({"uri": uri::of_path(&place.path), "range": place.range})
}

fn targets(cursor: &Cursor<'_>, snapshot: &Snapshot, outline: &Outline) -> Vec<Place> {
    let at = u32::try_from(cursor.offset).unwrap_or(u32::MAX);
    let Some(marker) = outline.marker_at(at) else {
        return Vec::new();
    };
    let index = snapshot.index();
    let name = find_marker(marker.text.text()).map_or("", |(definition, ..)| definition.name);
    let text = cursor.document.text.as_str();
    let Some(range) = word_at(text, cursor.offset) else {
        return Vec::new();
    };
    let word = text.get(range.clone()).unwrap_or_default();
    if ["kubebuilder:rbac", "kubebuilder:webhook"].contains(&name) {
        let kinds = index
            .kinds
            .iter()
            .filter(|kind| kind.plural == word || kind.kind == word);
        return kinds.filter_map(|kind| kind.place.clone()).collect();
    }
    let Some(item) = marker.item.and_then(|item| outline.items.get(item)) else {
        return Vec::new();
    };
    let chain = chain_before(text, &range);
    let written = text
        .get(marker.text.whole().range().start..range.end)
        .unwrap_or_default();
    let places = in_rule(written, snapshot, cursor, outline, item)
        .or_else(|| resolve(&chain, snapshot, cursor, outline, item));
    places.into_iter().collect()
}

/// Returns the field at the end of a marker that is cut behind a name in its rule.
fn in_rule(
    written: &str,
    snapshot: &Snapshot,
    cursor: &Cursor<'_>,
    outline: &Outline,
    item: &Item,
) -> Option<Place> {
    let value = split_arguments(written).last()?.split_once('=')?.1;
    let rule = value.strip_prefix(['"', '`'])?;
    let index = snapshot.index();
    let nodes = nodes_of(snapshot, index, &cursor.path, outline, item);
    place_of(index, &expression::field(rule, &nodes.first()?.schema)?)
}

/// Follows `self.a.b`, `.spec.a`, or a field of the node or of its items.
fn resolve(
    chain: &[&str],
    snapshot: &Snapshot,
    cursor: &Cursor<'_>,
    outline: &Outline,
    item: &Item,
) -> Option<Place> {
    let index = snapshot.index();
    let nodes = nodes_of(snapshot, index, &cursor.path, outline, item);
    let schema = Arc::clone(&nodes.first()?.schema);
    let found = match chain {
        ["self" | "oldSelf", steps @ ..] if !steps.is_empty() => follow(&schema, steps)?,
        ["", steps @ ..] => {
            let kind = nodes.first().and_then(|node| index.kind(node))?;
            follow(&kind.schema, steps)?
        }
        [name] => {
            let items = schema
                .items
                .as_ref()
                .and_then(|items| items.properties.get(*name));
            Arc::clone(items.or_else(|| schema.properties.get(*name))?)
        }
        _ => return None,
    };
    place_of(index, &found)
}

/// Returns the field of a schema.
fn place_of(index: &Index, schema: &Arc<Schema>) -> Option<Place> {
    let node = index.nodes.iter().find(|node| Arc::ptr_eq(&node.schema, schema));
    node?.place.clone()
}

/// Returns the bytes of the word at a byte.
fn word_at(text: &str, offset: usize) -> Option<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || "_-".contains(c);
    let before = text.get(..offset)?;
    let start = before.trim_end_matches(is_word).len();
    let behind = text.get(offset..)?;
    let end = offset + behind.find(|c: char| !is_word(c)).unwrap_or(behind.len());
    (start < end).then_some(start..end)
}

/// Returns the names of a dotted chain up to a word. A leading dot is an empty name.
fn chain_before<'t>(text: &'t str, word: &Range<usize>) -> Vec<&'t str> {
    let before = text.get(..word.start).unwrap_or_default();
    let start = before
        .rfind(|c: char| !(c.is_alphanumeric() || "_.[]*".contains(c)))
        .map_or(0, |at| at + 1);
    let chain = text.get(start..word.end).unwrap_or_default();
    chain
        .split('.')
        .map(|step| step.split('[').next().unwrap_or_default())
        .collect()
}

pub(crate) fn references(documents: &Documents, snapshot: &Snapshot, params: &Value) -> Value {
    let Some(cursor) = Cursor::of(documents, snapshot.encoding, params) else {
        return Value::Null;
    };
    let here = cursor.outline();
    let at = u32::try_from(cursor.offset).unwrap_or(u32::MAX);
    let Some(item) = here.item_at(at) else {
        return Value::Null;
    };
    let wanted: Vec<Place> = nodes_of(snapshot, snapshot.index(), &cursor.path, &here, item)
        .iter()
        .filter_map(|node| node.place.clone())
        .collect();
    let mut names: Vec<String> = nodes_of(snapshot, snapshot.index(), &cursor.path, &here, item)
        .iter()
        .filter_map(|node| Some(node.path.rsplit('.').next()?.to_owned()))
        .filter(|name| !name.is_empty())
        .collect();
    names.sort();
    names.dedup();
    let mut found = Vec::new();
    for (path, document) in documents.iter().filter(|(path, _)| is_rust(path)) {
        find_in(
            path,
            document,
            &outline(path, document),
            &names,
            &wanted,
            snapshot,
            &mut found,
        );
    }
    for (path, text) in closed_files(documents, snapshot) {
        // Most files do not have the name at all.
        if names.iter().any(|name| text.contains(name.as_str())) {
            let document = Document::closed(&path, text);
            let outline = outline_of_text(&path, text);
            find_in(&path, &document, &outline, &names, &wanted, snapshot, &mut found);
        }
    }
    found.dedup();
    found.iter().map(location).collect()
}

/// Adds the places of a file whose markers name one of the wanted fields.
fn find_in(
    path: &Path,
    document: &Document,
    outline: &Outline,
    names: &[String],
    wanted: &[Place],
    snapshot: &Snapshot,
    found: &mut Vec<Place>,
) {
    let text = document.text.as_str();
    for marker in &outline.markers {
        let range = marker.text.whole().range();
        let written = text.get(range.clone()).unwrap_or_default();
        for name in names {
            for (at, _) in written.match_indices(name.as_str()) {
                let offset = range.start + at;
                let place = Cursor {
                    path: path.to_owned(),
                    document,
                    offset,
                };
                let is_word = word_at(text, offset).is_some_and(|word| word.len() == name.len());
                if is_word
                    && targets(&place, snapshot, outline)
                        .iter()
                        .any(|target| wanted.contains(target))
                {
                    let bytes = offset..offset + name.len();
                    found.push(Place {
                        path: path.to_owned(),
                        range: document.text.to_range(bytes.clone(), snapshot.encoding),
                        bytes,
                    });
                }
            }
        }
    }
}

/// Returns the files that the last run read and that are not open, each once.
fn closed_files<'s>(documents: &Documents, snapshot: &'s Snapshot) -> BTreeMap<PathBuf, &'s str> {
    let findings = snapshot
        .inspected
        .iter()
        .flat_map(|inspected| &inspected.inspection.report.findings);
    let files = findings.flat_map(|findings| findings.files.iter().map(|(_, file)| file));
    files
        .filter_map(|file| Some((file.editable()?, file.text())))
        .filter(|(path, _)| is_rust(path) && documents.get(path).is_none())
        .map(|(path, text)| (path.to_owned(), text))
        .collect()
}
