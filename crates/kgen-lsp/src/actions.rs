//! Code actions: the fixes of problems, the new name of a renamed field, `+kgen:allow`, all machine-applicable fixes at once, and two
//! refactorings.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::analysis::Snapshot;
use crate::capabilities::Client;
use crate::cursor::{document, is_rust, outline};
use crate::documents::{Document, Documents};
use crate::problems::{Diagnostic, FileEdit};
use crate::renamed::{self, Renamed};
use crate::{optional, uri};

pub(crate) fn answer(
    documents: &Documents,
    snapshot: &Snapshot,
    clean: &Snapshot,
    client: &Client,
    params: &Value,
) -> Value {
    let Some((path, document)) = document(documents, params) else {
        return json!([]);
    };
    let editor = Editor {
        documents,
        is_versioned: client.versioned_edits,
    };
    let range = params.get("range").unwrap_or(&Value::Null);
    let range = document.text.range(range, snapshot.encoding);
    let wanted = params.pointer("/context/only").and_then(Value::as_array);
    let is_wanted = |kind: &str| {
        let is_below = |only: &Value| only.as_str().is_some_and(|only| is_kind_below(kind, only));
        wanted.is_none_or(|list| list.iter().any(is_below))
    };
    let diagnostics = snapshot
        .diagnostics
        .get(&path)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let touched =
        |diagnostic: &&Diagnostic| diagnostic.bytes.start <= range.end && range.start <= diagnostic.bytes.end;
    let mut actions = Vec::new();
    if is_wanted("quickfix") {
        for diagnostic in diagnostics.iter().filter(touched) {
            actions.extend(fixes(diagnostic, editor));
        }
        if snapshot.has_errors() {
            let found = renamed::find(clean, snapshot);
            let is_near = |renamed: &&Renamed| {
                diagnostics
                    .iter()
                    .filter(touched)
                    .any(|one| renamed.touches(&path, one))
                    || is_at_field(&path, document, &range, &renamed.new, snapshot)
            };
            actions.extend(
                found
                    .iter()
                    .filter(is_near)
                    .map(|renamed| of_renamed(renamed, editor)),
            );
        }
        for diagnostic in diagnostics.iter().filter(touched).filter(|one| one.is_allowable) {
            actions.extend(allow(&path, document, diagnostic, snapshot, editor));
        }
    }
    if is_wanted("source.fixAll.kgen") {
        actions.extend(fix_all(diagnostics, editor));
    }
    if is_wanted("refactor.rewrite") && is_rust(&path) {
        let outline = outline(&path, document);
        let other = optional::rewrite(&path, document, &outline, range.start, snapshot.encoding);
        actions.extend(other.map(|(title, edits)| {
            json!({"title": title, "kind": "refactor.rewrite", "edit": editor.workspace_edit(&edits)})
        }));
        actions.extend(marker_of_documentation(&path, document, range, snapshot, editor));
    }
    Value::Array(actions)
}

/// Returns whether a kind of action is `only` or below it.
fn is_kind_below(kind: &str, only: &str) -> bool {
    kind.strip_prefix(only)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || only.is_empty())
}

fn fixes(diagnostic: &Diagnostic, editor: Editor<'_>) -> impl Iterator<Item = Value> {
    let only_one = diagnostic.repairs.len() == 1;
    diagnostic.repairs.iter().map(move |repair| {
        json!({
            "title": repair.title,
            "kind": "quickfix",
            "diagnostics": [diagnostic.json],
            "isPreferred": only_one && repair.is_certain,
            "edit": editor.workspace_edit(&repair.edits),
        })
    })
}

/// Returns whether the field with a JSON name is on a line.
fn is_at_field(
    path: &Path,
    document: &Document,
    range: &Range<usize>,
    name: &str,
    snapshot: &Snapshot,
) -> bool {
    let line = document.text.line_of(range.start);
    let index = snapshot.index_of(path);
    index.nodes.iter().any(|node| {
        node.path.rsplit('.').next() == Some(name)
            && node
                .place
                .as_ref()
                .is_some_and(|place| place.path == path && document.text.line_of(place.bytes.start) == line)
    })
}

/// Returns the action that replaces the old name of a field wherever a marker still reads it.
fn of_renamed(renamed: &Renamed, editor: Editor<'_>) -> Value {
    let (old, number) = (&renamed.old, renamed.edits.len());
    let places = if number == 1 {
        "place that reads"
    } else {
        "places that read"
    };
    json!({
        "title": format!("Update {number} {places} `{old}`"),
        "kind": "quickfix",
        "edit": editor.workspace_edit(&renamed.edits),
    })
}

/// Returns the action that allows a problem with a marker above its line.
fn allow(
    path: &Path,
    document: &Document,
    diagnostic: &Diagnostic,
    snapshot: &Snapshot,
    editor: Editor<'_>,
) -> Option<Value> {
    if path.extension().is_none_or(|extension| extension != "rs") {
        return None;
    }
    let text = &document.text;
    let (start, line) = text.line_text(text.line_of(diagnostic.bytes.start));
    let code = line.trim_start();
    let indent = line.get(..line.len() - code.len())?;
    let sign = if code.starts_with("//!") { "//!" } else { "//" };
    let name = diagnostic.code.name();
    let edit = FileEdit {
        path: path.to_owned(),
        bytes: start..start,
        range: text.to_range(start..start, snapshot.encoding),
        text: format!("{indent}{sign} +kgen:allow={name}{}", text.line_break()),
    };
    Some(json!({
        "title": format!("Allow `{name}` here"),
        "kind": "quickfix",
        "diagnostics": [diagnostic.json],
        "edit": editor.workspace_edit(&[edit]),
    }))
}

/// Returns the action with all machine-applicable fixes that do not overlap.
fn fix_all(diagnostics: &[Diagnostic], editor: Editor<'_>) -> Option<Value> {
    let mut edits: Vec<FileEdit> = Vec::new();
    for diagnostic in diagnostics {
        let Some(repair) = diagnostic.repairs.iter().find(|repair| repair.is_certain) else {
            continue;
        };
        let overlaps = |edit: &FileEdit| {
            edits.iter().any(|other| {
                other.path == edit.path
                    && other.bytes.start <= edit.bytes.end
                    && edit.bytes.start <= other.bytes.end
            })
        };
        if !repair.edits.iter().any(overlaps) {
            edits.extend(repair.edits.iter().cloned());
        }
    }
    (!edits.is_empty()).then(|| {
        json!({
            "title": "Apply all machine-applicable fixes of kgen",
            "kind": "source.fixAll.kgen",
            "edit": editor.workspace_edit(&edits),
        })
    })
}

/// Returns the action that turns a marker in documentation into a comment, so that it is not part of the description.
fn marker_of_documentation(
    path: &Path,
    document: &Document,
    range: Range<usize>,
    snapshot: &Snapshot,
    editor: Editor<'_>,
) -> Option<Value> {
    let text = &document.text;
    let (start, line) = text.line_text(text.line_of(range.start));
    let code = line.trim_start();
    let rest = code.strip_prefix("///")?;
    kgen_markers::find_marker(rest.trim_start().strip_prefix('+')?)?;
    let at = start + line.len() - code.len();
    let edit = FileEdit {
        path: path.to_owned(),
        bytes: at..at + 3,
        range: text.to_range(at..at + 3, snapshot.encoding),
        text: "//".to_owned(),
    };
    Some(json!({
        "title": "Write the marker as a plain comment",
        "kind": "refactor.rewrite",
        "edit": editor.workspace_edit(&[edit]),
    }))
}

/// The target of edits: the open documents, and whether the client compares their versions.
#[derive(Clone, Copy)]
struct Editor<'a> {
    documents: &'a Documents,
    is_versioned: bool,
}

impl Editor<'_> {
    fn workspace_edit(self, edits: &[FileEdit]) -> Value {
        let mut files: BTreeMap<&Path, Vec<Value>> = BTreeMap::new();
        for edit in edits {
            let list = files.entry(&edit.path).or_default();
            list.push(json!({"range": edit.range, "newText": edit.text}));
        }
        let uri = |path: &Path| {
            let document = self.documents.get(path);
            document.map_or_else(|| uri::of_path(path), |document| document.uri.clone())
        };
        if self.is_versioned {
            let changes = files.into_iter().map(|(path, edits)| {
                let version = self.documents.get(path).map(|document| document.version);
                json!({"textDocument": {"uri": uri(path), "version": version}, "edits": edits})
            });
            return json!({"documentChanges": changes.collect::<Vec<_>>()});
        }
        let changes: Map<String, Value> = files
            .into_iter()
            .map(|(path, list)| (uri(path), list.into()))
            .collect();
        json!({"changes": changes})
    }
}
