//! One walk over all schemas of a version, with the way that leads to each.
//!
//! A node knows its parents, so that a problem without a place of its own is reported at the nearest place above it,
//! with the path. Within `allOf`, `anyOf`, `oneOf` and `not` a node also knows its counterpart: the schema outside
//! that describes the same value, because only that one may say what the value is.

use kgen_diagnostics::{Code, Problem, Span};
use kgen_model::{JsonType, Keyword, KindVersion, Schema};
use kgen_schema::META_FIELDS;

/// How a node is reached from its parent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    /// It is the schema of the whole object.
    Root,
    /// It describes a property.
    Property(&'a str),
    /// It describes the items of a list.
    Items,
    /// It describes the values of a map.
    Values,
    /// It is a part of `allOf`, `anyOf`, `oneOf` or `not`, and describes the same value as its parent.
    Part(&'static str),
}

/// A schema of a version, with the way that leads to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    /// The schema itself.
    pub(super) schema: &'a Schema,
    /// The schema of the value: the schema itself, or within combinations the schema outside that describes the same
    /// value.
    pub(super) counterpart: Option<&'a Schema>,
    /// Whether this is a part of a combination, or within one.
    pub(super) nested: bool,
    /// How it is reached.
    pub(super) step: Step<'a>,
    /// From where it is reached.
    pub(super) parent: Option<&'a Node<'a>>,
    /// The version that it belongs to.
    pub(super) version: &'a KindVersion,
}

/// Visits the schema of a version and all schemas within it, parents first, in the order of their names.
pub(super) fn walk(version: &KindVersion, visit: &mut dyn FnMut(&Node<'_>)) {
    let schema = &version.schema;
    let root = Node {
        schema,
        counterpart: Some(schema),
        nested: false,
        step: Step::Root,
        parent: None,
        version,
    };
    descend(&root, visit);
}

fn descend(node: &Node<'_>, visit: &mut dyn FnMut(&Node<'_>)) {
    visit(node);
    let schema = node.schema;
    for (name, property) in &schema.properties {
        if node.is_root() && META_FIELDS.contains(&name.as_str()) {
            continue;
        }
        let counterpart = node.counterpart.and_then(|outside| outside.properties.get(name));
        descend(
            &node.child(property, counterpart.map(AsRef::as_ref), Step::Property(name)),
            visit,
        );
    }
    if let Some(items) = &schema.items {
        let counterpart = node.counterpart.and_then(|outside| outside.items.as_deref());
        descend(&node.child(items, counterpart, Step::Items), visit);
    }
    if let Some(values) = &schema.additional_properties {
        let counterpart = node
            .counterpart
            .and_then(|outside| outside.additional_properties.as_deref());
        descend(&node.child(values, counterpart, Step::Values), visit);
    }
    let lists = [
        ("allOf", &schema.constraints.all_of),
        ("anyOf", &schema.any_of),
        ("oneOf", &schema.one_of),
    ];
    for (key, parts) in lists {
        for part in parts {
            descend(&node.part(part, key), visit);
        }
    }
    if let Some(not) = &schema.not {
        descend(&node.part(not, "not"), visit);
    }
}

impl<'a> Node<'a> {
    fn child(&'a self, schema: &'a Schema, counterpart: Option<&'a Schema>, step: Step<'a>) -> Self {
        let counterpart = if self.nested { counterpart } else { Some(schema) };
        Self {
            schema,
            counterpart,
            nested: self.nested,
            step,
            parent: Some(self),
            version: self.version,
        }
    }

    fn part(&'a self, schema: &'a Schema, key: &'static str) -> Self {
        let (counterpart, version) = (self.counterpart, self.version);
        Self {
            schema,
            counterpart,
            nested: true,
            step: Step::Part(key),
            parent: Some(self),
            version,
        }
    }

    /// Returns whether it describes the whole object.
    pub(super) fn is_root(&self) -> bool {
        matches!(self.step, Step::Root)
    }

    /// Returns the type of the value, as far as it is known.
    pub(super) fn json_type(&self) -> Option<JsonType> {
        self.counterpart.and_then(|outside| outside.json_type)
    }

    /// Returns this node and those above it, from the inside out.
    pub(super) fn chain(&self) -> impl Iterator<Item = &Node<'a>> {
        std::iter::successors(Some(self), |node| node.parent)
    }

    /// Returns the way from the root, as paths are written in columns.
    pub(super) fn path(&self) -> String {
        let mut steps: Vec<_> = self.chain().map(|node| node.step).collect();
        steps.reverse();
        let mut path = String::new();
        for step in steps {
            match step {
                Step::Root | Step::Part(_) => {}
                Step::Property(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                Step::Items => path.push_str("[*]"),
                Step::Values => path.push_str(".*"),
            }
        }
        if path.is_empty() { ".".to_owned() } else { path }
    }

    /// Returns an error at the place where `keyword` is stated, else at the node, else at the nearest place above it. A
    /// message at a place above names the path, because the place does not.
    pub(super) fn error(&self, code: Code, keyword: Option<Keyword>, message: impl Into<String>) -> Problem {
        match self.own_place(keyword) {
            Some(span) => Problem::error(code, span, message),
            None => {
                let above = self.chain().find_map(|node| node.schema.places.node);
                let message = format!("{} (at `{}`)", message.into(), self.path());
                Problem::error(code, above.unwrap_or(self.version.span), message)
            }
        }
    }

    /// Returns the place of a keyword or of the node; that of the parent too if both describe the same value.
    fn own_place(&self, keyword: Option<Keyword>) -> Option<Span> {
        let places = &self.schema.places;
        let own = keyword.and_then(|keyword| places.of(keyword)).or(places.node);
        match (own, self.step) {
            (None, Step::Part(_)) => self.parent.and_then(|parent| parent.own_place(keyword)),
            (None, Step::Root) => Some(self.version.span),
            (own, _) => own,
        }
    }
}
