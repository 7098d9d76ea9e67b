//! An expression as a tree, in the form in which `cel-go` checks it: operators are calls, and macros are what they stand for.
//!
//! All nodes lie in one list and know each other by number. A tree that nests deeply is then dropped without a deep stack,
//! and what the checker finds out about a node is a second list.

use std::borrow::Cow;

/// The number of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id(u32);

impl Id {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An expression within a tree.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) expression: Expression<'a>,
    /// Where it begins in the text, in bytes.
    pub(super) start: usize,
    /// Where the operator, the field or the name of the function stands: what a message points at.
    pub(super) point: usize,
    /// How many nodes are on the longest way down from here.
    pub(super) height: usize,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(super) enum Expression<'a> {
    Literal(Literal<'a>),
    /// A variable or the name of a type; with a dot in front if the text has one.
    Name(Cow<'a, str>),
    /// A field of a value; with `test`, the question whether it is there.
    Select {
        operand: Id,
        field: &'a str,
        test: bool,
    },
    Call {
        function: Cow<'a, str>,
        target: Option<Id>,
        arguments: Vec<Id>,
    },
    List(Vec<Item>),
    Map(Vec<Entry>),
    /// A message of a type, of which the values of the fields matter.
    Message {
        name: String,
        fields: Vec<Id>,
    },
    Comprehension(Box<Comprehension<'a>>),
}

/// A value that is written down.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(Cow<'a, str>),
    Bytes(Vec<u8>),
}

/// An item of a list; an optional one is left out where it has no value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) value: Id,
    pub(super) optional: bool,
}

/// An entry of a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: Id,
    pub(super) value: Id,
    pub(super) optional: bool,
}

/// A loop over a list or map, which most macros stand for.
#[derive(Clone, Debug)]
pub(super) struct Comprehension<'a> {
    pub(super) range: Id,
    pub(super) variable: Cow<'a, str>,
    pub(super) second_variable: Option<Cow<'a, str>>,
    pub(super) accumulator: Cow<'a, str>,
    pub(super) start: Id,
    pub(super) condition: Id,
    pub(super) step: Id,
    pub(super) result: Id,
}

/// The most nodes that a tree may have after a copy. Macros that copy what they stand on could pass any limit, by nesting.
const MOST_NODES: usize = 100_000;

/// All nodes of an expression.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    root: Option<Id>,
    /// Whether a copy is missing because it was too large: such a tree says nothing.
    cut: bool,
}

impl<'a> Tree<'a> {
    /// Adds a node whose parts are there already.
    pub(super) fn add(&mut self, expression: Expression<'a>, start: usize, point: usize) -> Id {
        let mut height = 0;
        expression.each_part(|part| height = height.max(self.height(part)));
        let id = Id(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node {
            expression,
            start,
            point,
            height: height + 1,
        });
        id
    }

    pub(super) fn get(&self, id: Id) -> Option<&Node<'a>> {
        self.nodes.get(id.index())
    }

    pub(super) fn expression(&self, id: Id) -> Option<&Expression<'a>> {
        self.get(id).map(|node| &node.expression)
    }

    /// Turns a node into another one; the checker does so when it has understood a name.
    pub(super) fn replace(&mut self, id: Id, expression: Expression<'a>) {
        if let Some(node) = self.nodes.get_mut(id.index()) {
            node.expression = expression;
        }
    }

    pub(super) fn set_root(&mut self, id: Id) {
        self.root = Some(id);
    }

    /// The whole expression; nothing if the tree is cut.
    pub(super) fn root(&self) -> Option<Id> {
        self.root.filter(|_| !self.cut)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn height(&self, id: Id) -> usize {
        self.get(id).map_or(0, |node| node.height)
    }

    pub(super) fn start(&self, id: Id) -> usize {
        self.get(id).map_or(0, |node| node.start)
    }

    pub(super) fn point(&self, id: Id) -> usize {
        self.get(id).map_or(0, |node| node.point)
    }

    /// Names with dots between them as one text; nothing for anything else.
    pub(super) fn dotted_name(&self, id: Id) -> Option<String> {
        let mut parts = Vec::new();
        let mut next = id;
        loop {
            match self.expression(next)? {
                Expression::Name(name) => {
                    parts.push(name.as_ref());
                    parts.reverse();
                    return Some(parts.join("."));
                }
                Expression::Select {
                    operand,
                    field,
                    test: false,
                } => {
                    parts.push(field);
                    next = *operand;
                }
                _ => return None,
            }
        }
    }

    /// The same expression once more, with nodes of its own.
    ///
    /// Parts are added before the whole, so a copy needs no stack: the nodes are gone through in their order.
    pub(super) fn copy(&mut self, id: Id) -> Id {
        let mut parts = vec![id];
        let mut next = 0;
        while let Some(part) = parts.get(next).copied() {
            if let Some(expression) = self.expression(part) {
                expression.each_part(|part| parts.push(part));
            }
            next += 1;
            if self.nodes.len() + parts.len() > MOST_NODES {
                self.cut = true;
                return id;
            }
        }
        parts.sort_unstable_by_key(|part| part.0);
        parts.dedup();
        let mut copies: Vec<(Id, Id)> = Vec::with_capacity(parts.len());
        for part in parts {
            let Some(node) = self.get(part).cloned() else {
                continue;
            };
            let expression = node.expression.with_parts(|part| {
                let found = copies.binary_search_by_key(&part.0, |(from, _)| from.0);
                found
                    .ok()
                    .and_then(|found| copies.get(found))
                    .map_or(part, |(_, to)| *to)
            });
            let to = self.add(expression, node.start, node.point);
            copies.push((part, to));
        }
        copies.last().map_or(id, |(_, to)| *to)
    }
}

impl Expression<'_> {
    /// Visits the expressions right below this one.
    pub(super) fn each_part(&self, mut visit: impl FnMut(Id)) {
        match self {
            Self::Literal(_) | Self::Name(_) => {}
            Self::Select { operand, .. } => visit(*operand),
            Self::Call {
                target, arguments, ..
            } => target.iter().chain(arguments).copied().for_each(visit),
            Self::List(items) => items.iter().for_each(|item| visit(item.value)),
            Self::Map(entries) => {
                for entry in entries {
                    visit(entry.key);
                    visit(entry.value);
                }
            }
            Self::Message { fields, .. } => fields.iter().copied().for_each(visit),
            Self::Comprehension(parts) => [
                parts.range,
                parts.start,
                parts.condition,
                parts.step,
                parts.result,
            ]
            .into_iter()
            .for_each(visit),
        }
    }

    /// The same expression with other parts.
    fn with_parts(mut self, other: impl Fn(Id) -> Id) -> Self {
        match &mut self {
            Self::Literal(_) | Self::Name(_) => {}
            Self::Select { operand, .. } => *operand = other(*operand),
            Self::Call {
                target, arguments, ..
            } => {
                for part in target.iter_mut().chain(arguments) {
                    *part = other(*part);
                }
            }
            Self::List(items) => items.iter_mut().for_each(|item| item.value = other(item.value)),
            Self::Map(entries) => {
                for entry in entries {
                    entry.key = other(entry.key);
                    entry.value = other(entry.value);
                }
            }
            Self::Message { fields, .. } => {
                fields.iter_mut().for_each(|field| *field = other(*field));
            }
            Self::Comprehension(parts) => {
                for part in [
                    &mut parts.range,
                    &mut parts.start,
                    &mut parts.condition,
                    &mut parts.step,
                    &mut parts.result,
                ] {
                    *part = other(*part);
                }
            }
        }
        self
    }
}
