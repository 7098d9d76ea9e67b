//! One object of the manifests.

use std::fmt;

use kgen_diagnostics::Span;
use serde_json::Value;

use crate::yaml::Node;

/// An object, as it would be applied.
#[derive(Clone, Debug)]
pub struct Object {
    /// The whole object.
    pub value: Value,
    node: Node,
}

impl Object {
    /// Creates an object from the node of its document.
    #[must_use]
    pub fn new(node: Node) -> Self {
        Self {
            value: node.to_json(),
            node,
        }
    }

    /// Returns `apiVersion`, such as `apps/v1`.
    #[must_use]
    pub fn api_version(&self) -> &str {
        text(&self.value["apiVersion"])
    }

    /// Returns the group; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        self.api_version().split_once('/').map_or("", |(group, _)| group)
    }

    /// Returns the version, such as `v1`.
    #[must_use]
    pub fn version(&self) -> &str {
        let whole = self.api_version();
        whole.split_once('/').map_or(whole, |(_, version)| version)
    }

    /// Returns `kind`.
    #[must_use]
    pub fn kind(&self) -> &str {
        text(&self.value["kind"])
    }

    /// Returns `metadata.name`.
    #[must_use]
    pub fn name(&self) -> &str {
        text(&self.value["metadata"]["name"])
    }

    /// Returns `metadata.namespace`; empty if there is none.
    #[must_use]
    pub fn namespace(&self) -> &str {
        text(&self.value["metadata"]["namespace"])
    }

    /// Returns whether the object is of a kind of a group, in any version.
    #[must_use]
    pub fn is(&self, group: &str, kind: &str) -> bool {
        self.kind() == kind && self.group() == group
    }

    /// Returns where the object starts: its name, or else its first line.
    #[must_use]
    pub fn span(&self) -> Span {
        self.place(&["metadata", "name"])
    }

    /// Returns where a value is written, or else the nearest value around it that exists. Numbers in `path` are indices of
    /// lists.
    #[must_use]
    pub fn place(&self, path: &[&str]) -> Span {
        let mut node = &self.node;
        for step in path {
            let next = match step.parse::<usize>() {
                Ok(index) if !node.items().is_empty() => node.items().get(index),
                _ => node.get(step),
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        if node.entries().is_empty() && node.items().is_empty() {
            return node.span;
        }
        // A whole map or list would underline many lines; its first key is enough.
        node.entries().first().map_or(node.span, |entry| entry.key_span)
    }
}

/// Names the object as kubectl does, such as `Service system/webhook-service`.
impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.kind())?;
        if !self.namespace().is_empty() {
            write!(f, "{}/", self.namespace())?;
        }
        f.write_str(self.name())
    }
}

/// Returns the text of a value; empty for other values.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns the items of a list; empty for other values.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
