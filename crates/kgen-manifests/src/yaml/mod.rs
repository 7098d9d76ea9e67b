//! YAML as a tree of nodes with places.
//!
//! The meaning of plain scalars is that of the API server's reader, YAML 1.1 as in go-yaml (`kgen-yaml`). Anchors, aliases and
//! merge keys are resolved. JSON is YAML, so it is read the same way.

mod quoted;
mod template;
mod tree;

use kgen_diagnostics::{Code, FileId, Problem, Problems, Span};
use serde_json::Value;

/// A value in a document, and where it is written.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub content: Content,
    /// Where it is written.
    pub span: Span,
}

/// The content of a node.
#[derive(Clone, Debug)]
pub enum Content {
    /// Null, a boolean, a number or a string.
    Scalar(Value),
    /// A list.
    List(Vec<Node>),
    /// A map, in the order in which it is written. Keys are unique.
    Map(Vec<Entry>),
}

/// An entry of a map.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key is written.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// Returns the value of a key. A value that is null counts as absent, as it does for the API server.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        let entry = self.entries().iter().find(|entry| entry.key == key)?;
        (!entry.value.is_null()).then_some(&entry.value)
    }

    /// Returns the entries of a map; empty for other nodes.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.content {
            Content::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the items of a list; empty for other nodes.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        match &self.content {
            Content::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the text of a string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns whether the node is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.content, Content::Scalar(Value::Null))
    }

    /// Returns the node as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match &self.content {
            Content::Scalar(value) => value.clone(),
            Content::List(items) => items.iter().map(Self::to_json).collect(),
            Content::Map(entries) => entries
                .iter()
                .map(|entry| (entry.key.clone(), entry.value.to_json()))
                .collect(),
        }
    }

    /// Names the type of the node, for messages.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match &self.content {
            Content::Scalar(Value::Null) => "null",
            Content::Scalar(Value::Bool(_)) => "a boolean",
            Content::Scalar(Value::Number(_)) => "a number",
            Content::Scalar(_) => "a string",
            Content::List(_) => "a list",
            Content::Map(_) => "a map",
        }
    }
}

/// Reads all documents of a text. A document without content is left out.
///
/// Lines that consist of a Helm action are passed over; any other template syntax that breaks the YAML is a problem.
///
/// # Errors
/// Returns the first mistake in the text, at its place.
pub fn read(text: &str, file: FileId) -> Result<Vec<Node>, Problem> {
    let mistake = match read_indented(text, file) {
        Ok(documents) => return Ok(documents),
        Err(mistake) => mistake,
    };
    let Some(plain) = template::without_actions(text) else {
        return Err(template::explain(text, file, mistake.problem(file)));
    };
    read_indented(&plain, file).map_err(|mistake| template::explain(&plain, file, mistake.problem(file)))
}

/// Reads all documents, and once more with indented lines if those of quoted values are not.
fn read_indented(text: &str, file: FileId) -> Result<Vec<Node>, Mistake> {
    let mistake = match tree::read(text, file, &|at| at) {
        Err(mistake) if mistake.is_indentation => mistake,
        other => return other,
    };
    let Some(indented) = quoted::Indented::of(text) else {
        return Err(mistake);
    };
    tree::read(&indented.text, file, &|at| indented.original(at))
}

/// A mistake in the text.
struct Mistake {
    message: String,
    at: std::ops::Range<usize>,
    code: Code,
    /// Whether the lines of a quoted value are not indented, which other parsers accept.
    is_indentation: bool,
}

impl Mistake {
    fn problem(&self, file: FileId) -> Problem {
        Problem::error(self.code, Span::of(file, self.at.clone()), self.message.clone())
    }
}

/// Reads all documents, and collects the mistake in place of documents if there is one.
pub fn read_or_report(text: &str, file: FileId, problems: &mut Problems) -> Vec<Node> {
    problems.take(read(text, file)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
