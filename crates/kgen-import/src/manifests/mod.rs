//! From the other manifests of an operator to the model: RBAC roles and webhook configurations.
//!
//! Everything that markers can say becomes part of the model. Parts that no marker can express are problems at their place.

mod roles;
mod webhooks;

pub use roles::roles;
pub use webhooks::{Webhooks, webhooks};

use kgen_diagnostics::{Code, Problem, Problems, Spanned};

use crate::yaml::{Entry, Node};

/// Returns the API version and the kind of a document.
fn type_of(document: &Node) -> (&str, &str) {
    let text = |key: &str| document.get(key).and_then(Node::text).unwrap_or_default();
    (text("apiVersion"), text("kind"))
}

/// Returns the texts of a list. Other items are problems.
fn texts(parent: &Node, key: &str, problems: &mut Problems) -> Vec<Spanned<String>> {
    let Some(list) = parent.get(key) else {
        return Vec::new();
    };
    if list.items().is_empty() {
        if !matches!(&list.content, crate::yaml::Content::List(_)) {
            problems.push(unexpected(key, "a list of strings", list));
        }
        return Vec::new();
    }
    let mut found = Vec::new();
    for item in list.items() {
        match item.text() {
            Some(text) => found.push(Spanned::new(text.to_owned(), item.span)),
            None => problems.push(unexpected(key, "a list of strings", item)),
        }
    }
    found
}

/// Returns the text of a key. Another value is a problem.
fn text(parent: &Node, key: &str, problems: &mut Problems) -> Option<Spanned<String>> {
    let value = parent.get(key)?;
    let text = value.text();
    if text.is_none() {
        problems.push(unexpected(key, "a string", value));
    }
    text.map(|text| Spanned::new(text.to_owned(), value.span))
}

fn unexpected(key: &str, wanted: &str, found: &Node) -> Problem {
    let message = format!("`{key}` must be {wanted}, but this is {}", found.words());
    Problem::error(Code::InvalidDefinition, found.span, message)
}

/// Returns a warning about each key that is not among `known`, because no marker can express it.
fn report_others<'n>(node: &'n Node, known: &'n [&str], what: &str, problems: &mut Problems) {
    let is_other = |entry: &&Entry| !known.contains(&entry.key.as_str()) && !entry.value.is_null();
    for entry in node.entries().iter().filter(is_other) {
        let message = format!("`{}` of {what} is left out: no marker can express it", entry.key);
        problems.push(Problem::warning(Code::ImportLoss, entry.key_span, message));
    }
}
