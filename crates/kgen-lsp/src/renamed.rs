//! After a field was renamed: the rules, paths and keys of lists that still read its old name.
//!
//! The present API is compared with that of the last run without errors. rust-analyzer renames fields, but not what markers say.

use std::collections::BTreeMap;
use std::path::Path;

use kgen_diagnostics::{Code, SourceFile};
use kgen_model::{Api, KindVersion, Schema};

use crate::analysis::{Inspected, Snapshot};
use crate::problems::{Diagnostic, FileEdit};
use crate::text::Text;

/// The problems of markers that name a field that does not exist.
const UNKNOWN_FIELD: &[Code] = &[
    Code::CelSyntax,
    Code::JsonPath,
    Code::ListMapKey,
    Code::OneOfField,
];

/// A field whose old name is still read.
pub(crate) struct Renamed {
    pub(crate) old: String,
    /// The JSON name that the field has now.
    pub(crate) new: String,
    /// The edits that replace the old name, one per problem.
    pub(crate) edits: Vec<FileEdit>,
}

impl Renamed {
    /// Returns whether one of the edits is in these bytes of a file.
    pub(crate) fn touches(&self, path: &Path, diagnostic: &Diagnostic) -> bool {
        let is_inside = |edit: &FileEdit| {
            edit.path == path
                && diagnostic.bytes.start <= edit.bytes.start
                && edit.bytes.end <= diagnostic.bytes.end
        };
        self.edits.iter().any(is_inside)
    }
}

/// Returns the fields that were renamed since the last run without errors, as far as markers still read their old names.
pub(crate) fn find(clean: &Snapshot, present: &Snapshot) -> Vec<Renamed> {
    let mut names: BTreeMap<String, Option<String>> = BTreeMap::new();
    let projects = clean.inspected.iter().flat_map(|before| {
        let same = |after: &&Inspected| after.folder == before.folder;
        present.inspected.iter().find(same).map(|after| (before, after))
    });
    for (before, after) in projects {
        for (before, after) in before.inspection.apis.iter().zip(&after.inspection.apis) {
            for before in versions(before) {
                let same = |after: &&KindVersion| {
                    (&after.group, &after.kind, &after.version)
                        == (&before.group, &before.kind, &before.version)
                };
                if let Some(after) = versions(after).find(same) {
                    compare(&before.schema, &after.schema, &mut names);
                }
            }
        }
    }
    let renamed = names.into_iter().filter_map(|(old, new)| {
        let new = new?;
        let edits = edits(&old, &new, present);
        (!edits.is_empty()).then_some(Renamed { old, new, edits })
    });
    renamed.collect()
}

fn versions(api: &Api) -> impl Iterator<Item = &KindVersion> {
    api.resources.iter().flat_map(|resource| &resource.versions)
}

/// Adds the fields of an object that were renamed: one is gone, and one is new. A name with two successors has none.
fn compare(before: &Schema, after: &Schema, names: &mut BTreeMap<String, Option<String>>) {
    let without = |some: &Schema, others: &Schema| -> Vec<String> {
        let names = some.properties.keys();
        names
            .filter(|name| !others.properties.contains_key(*name))
            .cloned()
            .collect()
    };
    if let ([old], [new]) = (
        without(before, after).as_slice(),
        without(after, before).as_slice(),
    ) {
        let known = names.entry(old.clone()).or_insert_with(|| Some(new.clone()));
        if known.as_ref() != Some(new) {
            *known = None;
        }
    }
    let same = before
        .properties
        .iter()
        .filter_map(|(name, before)| Some((before, after.properties.get(name)?)));
    let inner = [
        (&before.items, &after.items),
        (&before.additional_properties, &after.additional_properties),
    ];
    let inner = inner
        .into_iter()
        .filter_map(|(before, after)| Some((before.as_ref()?, after.as_ref()?)));
    for (before, after) in same.chain(inner) {
        compare(before, after, names);
    }
}

fn edits(old: &str, new: &str, present: &Snapshot) -> Vec<FileEdit> {
    let mut edits: Vec<FileEdit> = Vec::new();
    for (path, diagnostics) in &present.diagnostics {
        let unknown = diagnostics
            .iter()
            .filter(|one| UNKNOWN_FIELD.contains(&one.code))
            .filter(|one| one.json.get("severity").is_some_and(|severity| *severity == 1));
        let mut unknown = unknown.peekable();
        if unknown.peek().is_none() {
            continue;
        }
        let Some(text) = file(present, path).map(|file| Text::new(file.text())) else {
            continue;
        };
        for diagnostic in unknown {
            let shown = text.as_str().get(diagnostic.bytes.clone()).unwrap_or_default();
            let Some(at) = word(shown, old) else { continue };
            let start = diagnostic.bytes.start + at;
            let bytes = start..start + old.len();
            if edits.iter().any(|edit| edit.path == *path && edit.bytes == bytes) {
                continue;
            }
            edits.push(FileEdit {
                path: path.clone(),
                range: text.to_range(bytes.clone(), present.encoding),
                bytes,
                text: new.to_owned(),
            });
        }
    }
    edits
}

/// Returns a file as the run read it.
fn file<'s>(snapshot: &'s Snapshot, path: &Path) -> Option<&'s SourceFile> {
    let findings = snapshot
        .inspected
        .iter()
        .flat_map(|inspected| &inspected.inspection.report.findings);
    let mut files = findings.flat_map(|findings| findings.files.iter().map(|(_, file)| file));
    files.find(|file| file.editable() == Some(path))
}

/// Returns the place of a whole word.
fn word(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || "_-".contains(c);
    let found = text.match_indices(word).find(|(at, _)| {
        let before = text.get(..*at).unwrap_or_default();
        let behind = text.get(at + word.len()..).unwrap_or_default();
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    });
    found.map(|(at, _)| at)
}
