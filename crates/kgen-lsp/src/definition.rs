//! From a name in a marker to the field or struct that it means, and from a field to the markers that name it.

use std::ops::Range;
use std::sync::Arc;

use kgen_build::{Item, Outline};
use kgen_markers::find_marker;
use kgen_model::Schema;
use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::cursor::{Cursor, nodes_of, outline};
use crate::documents::Documents;
use crate::index::{Index, Place, follow};
use crate::uri;

pub(crate) fn answer(documents: &Documents, snapshot: &Snapshot, params: &Value) -> Value {
    let Some(cursor) = Cursor::of(documents, snapshot, params) else {
        return Value::Null;
    };
    let outline = cursor.outline();
    let places = targets(&cursor, snapshot, &outline);
    if places.is_empty() {
        return Value::Null;
    }
    places.iter().map(location).collect()
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
    let places = resolve(&chain, snapshot, cursor, outline, item);
    places.into_iter().collect()
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
    let Some(cursor) = Cursor::of(documents, snapshot, params) else {
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
    let names: Vec<String> = nodes_of(snapshot, snapshot.index(), &cursor.path, &here, item)
        .iter()
        .filter_map(|node| Some(node.path.rsplit('.').next()?.to_owned()))
        .collect();
    let mut found = Vec::new();
    for (path, document) in documents.iter() {
        let text = document.text.as_str();
        let outline = outline(path, document);
        for marker in &outline.markers {
            let range = marker.text.whole().range();
            let written = text.get(range.clone()).unwrap_or_default();
            for name in names.iter().filter(|name| !name.is_empty()) {
                for (at, _) in written.match_indices(name.as_str()) {
                    let offset = range.start + at;
                    let place = Cursor {
                        path: path.clone(),
                        document,
                        offset,
                    };
                    let is_word = word_at(text, offset).is_some_and(|word| word.len() == name.len());
                    let targets = targets(&place, snapshot, &outline);
                    if is_word && targets.iter().any(|target| wanted.contains(target)) {
                        let bytes = offset..offset + name.len();
                        found.push(Place {
                            path: path.clone(),
                            range: document.text.to_range(bytes.clone(), snapshot.encoding),
                            bytes,
                        });
                    }
                }
            }
        }
    }
    found.dedup();
    found.iter().map(location).collect()
}
