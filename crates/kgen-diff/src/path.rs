//! Paths of findings, such as `.spec.ports[*].name`.

use kgen_sample::Step;
use kgen_schema::Segment;

/// Returns a path as findings show it. The root is `.`.
#[must_use]
pub fn shown(path: &[Step]) -> String {
    if path.is_empty() {
        return ".".to_owned();
    }
    let mut text = String::new();
    for step in path {
        match step {
            Step::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Item | Step::Entry => text.push_str("[*]"),
        }
    }
    text
}

/// Returns whether the path of a value is one of those that a path of the schema stands for.
pub(crate) fn fits(path: &[Step], segments: &[Segment]) -> bool {
    path.len() == segments.len()
        && path.iter().zip(segments).all(|pair| match pair {
            (Step::Field(name), Segment::Name(found)) => name == found,
            (Step::Entry, Segment::Name(_)) | (Step::Item, Segment::Index(_)) => true,
            _ => false,
        })
}

/// Returns whether the path of a value is one of those that a path of the schema stands for, or below one.
pub(crate) fn is_within(path: &[Step], segments: &[Segment]) -> bool {
    segments.get(..path.len()).is_some_and(|start| fits(path, start))
}

/// Returns a path as the API server would write it for the first item and the first entry.
pub(crate) fn dotted(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Field(name) if text.is_empty() => text.push_str(name),
            Step::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Item => text.push_str("[0]"),
            Step::Entry => text.push_str("[a]"),
        }
    }
    text
}
