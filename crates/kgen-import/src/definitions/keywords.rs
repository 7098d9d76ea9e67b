//! Typed access to the keys of a node. A value of the wrong type is a problem at its place.

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::Number;
use serde_json::Value;

use crate::yaml::{Content, Node};

/// Reads keys of one node.
pub(super) struct Keywords<'n, 'p> {
    pub(super) node: &'n Node,
    /// The path of the node, for messages.
    pub(super) path: &'p str,
}

impl<'n> Keywords<'n, '_> {
    fn expect<T>(
        &self,
        key: &str,
        expected: &str,
        problems: &mut Problems,
        read: impl Fn(&'n Node) -> Option<T>,
    ) -> Option<T> {
        let node = self.node.get(key)?;
        let found = read(node);
        if found.is_none() {
            problems.push(self.wrong(node.span, key, expected, node.words()));
        }
        found
    }

    fn wrong(&self, span: Span, key: &str, expected: &str, found: &str) -> Problem {
        let place = if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        };
        let message = format!("`{place}` must be {expected}, but it is {found}");
        Problem::error(Code::InvalidDefinition, span, message)
    }

    /// Returns a text that is not empty.
    pub(super) fn text(&self, key: &str, problems: &mut Problems) -> Option<&'n str> {
        self.expect(key, "a string", problems, Node::text)
            .filter(|text| !text.is_empty())
    }

    /// Returns a text that must be there.
    pub(super) fn needed(&self, key: &str, problems: &mut Problems) -> Option<(&'n str, Span)> {
        let Some(node) = self.node.get(key) else {
            problems.push(self.missing(key));
            return None;
        };
        self.text(key, problems).map(|text| (text, node.span))
    }

    /// Returns the problem of a key that must be there.
    pub(super) fn missing(&self, key: &str) -> Problem {
        let of = if self.path.is_empty() {
            String::new()
        } else {
            format!(" in `{}`", self.path)
        };
        let start = self.node.entries().first();
        let span = start.map_or(self.node.span, |entry| entry.key_span);
        Problem::error(Code::InvalidDefinition, span, format!("`{key}` is missing{of}"))
    }

    pub(super) fn flag(&self, key: &str, problems: &mut Problems) -> bool {
        self.optional_flag(key, problems).unwrap_or_default()
    }

    pub(super) fn optional_flag(&self, key: &str, problems: &mut Problems) -> Option<bool> {
        self.expect(key, "true or false", problems, |node| match node.content {
            Content::Scalar(Value::Bool(flag)) => Some(flag),
            _ => None,
        })
    }

    pub(super) fn number(&self, key: &str, problems: &mut Problems) -> Option<Number> {
        self.expect(key, "a number", problems, |node| match &node.content {
            Content::Scalar(value) => Number::from_json(value),
            _ => None,
        })
    }

    pub(super) fn integer(&self, key: &str, problems: &mut Problems) -> Option<i64> {
        self.expect(key, "an integer", problems, |node| match &node.content {
            Content::Scalar(value) => match Number::from_json(value) {
                Some(Number::Integer(value)) => Some(value),
                _ => None,
            },
            _ => None,
        })
    }

    pub(super) fn list(&self, key: &str, problems: &mut Problems) -> &'n [Node] {
        self.expect(key, "a list", problems, |node| match &node.content {
            Content::List(items) => Some(items.as_slice()),
            _ => None,
        })
        .unwrap_or_default()
    }

    pub(super) fn map(&self, key: &str, problems: &mut Problems) -> Option<&'n Node> {
        self.expect(key, "a map", problems, |node| match &node.content {
            Content::Map(_) => Some(node),
            _ => None,
        })
    }

    /// Returns a list of texts, each with its place.
    pub(super) fn texts(&self, key: &str, problems: &mut Problems) -> Vec<(&'n str, Span)> {
        let mut texts = Vec::new();
        for item in self.list(key, problems) {
            match item.text() {
                Some(text) => texts.push((text, item.span)),
                None => problems.push(self.wrong(item.span, key, "a list of strings", item.words())),
            }
        }
        texts
    }
}
