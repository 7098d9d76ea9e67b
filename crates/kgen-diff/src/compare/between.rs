//! Compares two versions of one kind, for pages that show them side by side. Nothing is proved here.

use kgen_diagnostics::Code;
use kgen_model::{KindVersion, Schema};
use kgen_sample::Step;

use super::node;

/// The change of a field between two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// Only the newer version has it.
    Added,
    /// Only the older version has it.
    Removed,
    /// Both have it, and it differs.
    Changed,
}

/// One difference between two versions of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The change.
    pub sort: Sort,
    /// The path of the value, such as `.spec.ports[*].name`.
    pub path: String,
    /// One line.
    pub message: String,
}

/// Returns the differences between the schemas of two versions, by path.
#[must_use]
pub fn between(old: &KindVersion, new: &KindVersion) -> Vec<Difference> {
    let mut found: Vec<Difference> = node::compare(old, new)
        .into_iter()
        .map(|change| {
            let sort = match (has(&old.schema, &change.path), has(&new.schema, &change.path)) {
                (false, _) => Sort::Added,
                (_, false) => Sort::Removed,
                _ => Sort::Changed,
            };
            let path = crate::path::shown(&change.path);
            let message = match sort {
                // A new field that is required is a change of the requirement to `kgen diff`.
                Sort::Added if change.code == Code::RequiredAdded => format!("`{path}` is new and required"),
                _ => change.message,
            };
            Difference { sort, path, message }
        })
        .collect();
    found.sort_by(|left, right| {
        (&left.path, left.sort, &left.message).cmp(&(&right.path, right.sort, &right.message))
    });
    found.dedup();
    found
}

/// Returns whether a path leads to a value that the schema describes.
fn has(schema: &Schema, path: &[Step]) -> bool {
    let mut node = schema;
    for step in path {
        let next = match step {
            Step::Field(name) => node.properties.get(name),
            Step::Item => node.items.as_ref(),
            Step::Entry => node.additional_properties.as_ref(),
        };
        let Some(next) = next else { return false };
        node = next;
    }
    true
}
